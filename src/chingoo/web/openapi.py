"""The OpenAPI 3.1 description of the routes, from the same table that serves them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from chingoo.web.bodies import Body
from chingoo.web.choices import describe_custom
from chingoo.web.credentials import Caller
from chingoo.web.endpoint import AnyEndpoint
from chingoo.web.problems import MEDIA_TYPE, SLUGS

Json = dict[str, Any]

_REF: Final = "#/components/schemas/{name}"
_TYPED: Final = re.compile(r"\{(\w+):(\w+)\}")
_PROBLEMS: Final[Mapping[int, str]] = {
    400: "The request is not as it should be; `errors` points at every fault. Nothing was changed.",
    401: "No or bad credentials.",
    403: "The role, the age band or a control does not allow it.",
    404: "No such thing, or somebody else's: the two are not told apart.",
    409: "The state of things does not allow it, or an id was used for something else.",
    413: "The body is too large.",
    415: "The body is not JSON in UTF-8.",
    422: "The policies on disk have findings; the ones in force stay.",
    429: "Too many requests; `Retry-After` says how long to wait.",
    503: "The database or the policies are away; `Retry-After` says when to try again.",
}
_PROBLEM_HEADERS: Final[Mapping[int, tuple[str, str]]] = {
    401: ("WWW-Authenticate", "how to send credentials"),
    409: ("Retry-After", "seconds to wait, where waiting helps"),
    429: ("Retry-After", "seconds to wait"),
    503: ("Retry-After", "seconds to wait"),
}
_PROBLEM_SCHEMA: Final[Json] = {
    "type": "object",
    "description": "RFC 9457 problem details.",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "what kind of problem: " + ", ".join(SLUGS.values())},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong, and what would be right"},
        "errors": {
            "type": "array",
            "description": "each fault of the input with its RFC 6901 pointer (parameters of a query like fields of a "
            "body); for refused policies each finding with file, line and column",
            "items": {
                "type": "object",
                "required": ["detail"],
                "properties": {
                    "pointer": {"type": "string", "examples": ["/history/0/role"]},
                    "detail": {"type": "string"},
                    "file": {"type": "string"},
                    "line": {"type": "integer"},
                    "column": {"type": "integer"},
                },
            },
        },
        "trace_id": {"type": "string", "description": "where to look in the log, of an internal error"},
    },
}
_INTRODUCTION: Final = (
    "Trust-and-safety people declare what may be said, remembered, asked and sent; Chingoo compiles that and decides "
    "every turn by it.\n\nJSON in and out, UTF-8, snake_case. Times are RFC 3339 with an offset, ids are UUIDs. Fields "
    "that a body does not have are refused, and no type is turned into another. Instants (`received_at`, `now`, …) are "
    "the caller's, so that any day can be replayed; with a user's own token they are ignored. Cursors are opaque. "
    "Every error is a problem document (RFC 9457)."
)


def describe(endpoints: Sequence[AnyEndpoint], version: str) -> Json:
    """The whole document."""
    shapes = [shape for e in endpoints for shape in (e.body, e.query, *e.answers.values()) if shape is not None]
    _, schemas = msgspec.json.schema_components(
        list(dict.fromkeys(shapes)), schema_hook=describe_custom, ref_template=_REF
    )
    paths: dict[str, Json] = {}
    for endpoint in endpoints:
        path = _TYPED.sub(r"{\1}", endpoint.path)
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, schemas)
    queries = {endpoint.query.__name__ for endpoint in endpoints if endpoint.query is not None}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Chingoo", "version": version, "description": _INTRODUCTION},
        "paths": paths,
        "components": {
            "schemas": {name: shape for name, shape in sorted(schemas.items()) if name not in queries}
            | {"Problem": _PROBLEM_SCHEMA},
            "responses": _problem_responses(),
            "securitySchemes": _security_schemes(),
        },
        "tags": [{"name": tag} for tag in dict.fromkeys(endpoint.tag for endpoint in endpoints)],
    }


def statuses(endpoint: AnyEndpoint) -> tuple[int, ...]:
    """The problems a route may answer with."""
    always = {400, 401, 403, 429} if endpoint.callers else {400}
    found = always | set(endpoint.problems)
    if endpoint.body is not None:
        found |= {413, 415}
    if Caller.USER in endpoint.callers and "{user_id" in endpoint.path:
        found.add(404)
    return tuple(sorted(found))


def _operation(endpoint: AnyEndpoint, schemas: Mapping[str, Any]) -> Json:
    operation: Json = {
        "operationId": endpoint.name,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "description": f"{endpoint.description}\n\n{_who(endpoint)}",
        "responses": _responses(endpoint),
        "security": [{str(caller): []} for caller in sorted(endpoint.callers)],
    }
    parameters = [*_path_parameters(endpoint.path), *_query_parameters(endpoint.query, schemas)]
    if parameters:
        operation["parameters"] = parameters
    if endpoint.body is not None:
        operation["requestBody"] = _request_body(endpoint, endpoint.body)
    return operation


def _who(endpoint: AnyEndpoint) -> str:
    if not endpoint.callers:
        return "Needs no credentials."
    return "For " + ", ".join(f"`{caller}`" for caller in sorted(endpoint.callers)) + "."


def _request_body(endpoint: AnyEndpoint, kind: type[Body]) -> Json:
    required = any(field.required for field in msgspec.structs.fields(kind))
    content: Json = {"schema": {"$ref": _REF.format(name=kind.__name__)}}
    if endpoint.example is not None:
        content["example"] = dict(endpoint.example)
    limit = f"At most {endpoint.max_body // 1024} KiB."
    return {"required": required, "description": limit, "content": {"application/json": content}}


def _responses(endpoint: AnyEndpoint) -> Json:
    responses: Json = {}
    for status, shape in endpoint.answers.items():
        if status == 204:
            responses[str(status)] = {"description": endpoint.summary}
            continue
        if shape is None:
            content: Json = {endpoint.media_type: {"schema": {"type": "string"}}}
            description = endpoint.summary
        else:
            content = {"application/json": {"schema": {"$ref": _REF.format(name=shape.__name__)}}}
            description = (shape.__doc__ or endpoint.summary).strip().splitlines()[0]
        responses[str(status)] = {"description": description, "content": content}
    if endpoint.name == "take_turn":
        responses["200"]["content"]["text/event-stream"] = {"schema": {"type": "string"}}
    for status in statuses(endpoint):
        responses[str(status)] = {"$ref": f"#/components/responses/{SLUGS[status]}"}
    return responses


def _problem_responses() -> Json:
    content = {MEDIA_TYPE: {"schema": {"$ref": _REF.format(name="Problem")}}}
    responses: Json = {}
    for status, description in _PROBLEMS.items():
        response: Json = {"description": description, "content": content}
        if status in _PROBLEM_HEADERS:
            name, meaning = _PROBLEM_HEADERS[status]
            response["headers"] = {name: {"description": meaning, "schema": {"type": "string"}}}
        responses[SLUGS[status]] = response
    return responses


def _path_parameters(path: str) -> list[Json]:
    found = []
    for name, kind in _TYPED.findall(path):
        schema: Json = {"type": "string", "format": "uuid"} if kind == "uuid" else {"type": "string"}
        found.append({"name": name, "in": "path", "required": True, "schema": schema})
    return found


def _query_parameters(kind: type[Body] | None, schemas: Mapping[str, Any]) -> list[Json]:
    if kind is None:
        return []
    shape = schemas.get(kind.__name__, {})
    required = shape.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": schema}
        for name, schema in shape.get("properties", {}).items()
    ]


def _security_schemes() -> Json:
    keys = {
        Caller.APP: "A key of the role `app`: the companion app's back end, which acts for any user.",
        Caller.EDITOR: "A key of the role `editor`: trust and safety – policies, evaluation, logs.",
        Caller.OPERATOR: "A key of the role `operator`: whoever runs the service.",
    }
    schemes: Json = {
        str(caller): {"type": "http", "scheme": "bearer", "description": text} for caller, text in keys.items()
    }
    schemes[str(Caller.USER)] = {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A person's own RS256 token; `sub` is the `user_id`, and it reaches only its own data.",
    }
    return schemes
