"""What holds for every route of the OpenAPI description: the error shape, the roles, strict bodies and queries."""

from typing import Any

import httpx
import jsonschema
import pytest
from tests.web.asking import QUERIES, assert_problem, filled, key, pointers, turn
from tests.web.fakes import FakeServices

from chingoo.settings.values import Settings
from chingoo.web.app import endpoints
from chingoo.web.credentials import Caller
from chingoo.web.openapi import statuses

# Who may do what (api.md); u is a person's own token.
ROLES: dict[tuple[str, str], str] = {
    ("POST", "/v1/turns"): "app user",
    ("GET", "/v1/turns/{message_id}"): "app editor operator user",
    ("POST", "/v1/users"): "app user",
    ("GET", "/v1/users/{user_id}"): "app editor operator user",
    ("PATCH", "/v1/users/{user_id}/onboarding"): "app user",
    ("POST", "/v1/users/{user_id}/friends"): "app user",
    ("GET", "/v1/users/{user_id}/friends"): "app editor operator user",
    ("GET", "/v1/users/{user_id}/friends/{ai_friend_id}"): "app editor operator user",
    ("GET", "/v1/users/{user_id}/controls"): "app editor operator user",
    ("PATCH", "/v1/users/{user_id}/controls"): "app user",
    ("GET", "/v1/conversations/{conversation_id}/messages"): "app editor operator user",
    ("GET", "/v1/users/{user_id}/memories"): "app editor operator user",
    ("GET", "/v1/users/{user_id}/memories/{memory_id}/evidence"): "app editor operator user",
    ("GET", "/v1/users/{user_id}/memories/{memory_id}/history"): "app editor operator user",
    ("DELETE", "/v1/users/{user_id}/memories/{memory_id}"): "app user",
    ("PATCH", "/v1/users/{user_id}/memories/{memory_id}"): "app user",
    ("DELETE", "/v1/users/{user_id}/controls/suppressed-memory-keys/{memory_key}"): "app user",
    ("POST", "/v1/users/{user_id}/messages/{message_id}/forget"): "app user",
    ("POST", "/v1/users/{user_id}/messages/{message_id}/unforget"): "app user",
    ("GET", "/v1/users/{user_id}/context"): "app editor",
    ("GET", "/v1/users/{user_id}/export"): "app editor operator user",
    ("DELETE", "/v1/users/{user_id}"): "app operator",
    ("POST", "/v1/evaluate"): "app editor",
    ("POST", "/v1/check-reply"): "app editor",
    ("GET", "/v1/policies/active"): "app editor operator",
    ("GET", "/v1/policies/history"): "editor operator",
    ("POST", "/v1/policies/reload"): "editor",
    ("POST", "/v1/policies/activate"): "editor",
    ("POST", "/v1/decisions/{decision_id}/verdict"): "editor",
    ("GET", "/v1/decisions"): "editor",
    ("GET", "/v1/audit"): "editor",
    ("GET", "/v1/audit/counts"): "editor operator",
    ("GET", "/v1/extractions/samples"): "editor",
    ("POST", "/v1/extractions/samples/{memory_id}/verdict"): "editor",
    ("POST", "/v1/jobs/{name}/run"): "operator",
    ("GET", "/healthz"): "",
    ("GET", "/readyz"): "",
    ("GET", "/metrics"): "",
}

BODIES: dict[str, dict[str, Any]] = {
    "/v1/turns": turn(),
    "/v1/evaluate": {"text": "hello"},
    "/v1/check-reply": {"reply": "Hello you."},
    "/v1/users/{user_id}/memories/{memory_id}": {"memory_value": "Porto"},
    "/v1/policies/activate": {"digest": "0" * 64, "reason": "because"},
    "/v1/decisions/{decision_id}/verdict": {"verdict": "right"},
    "/v1/extractions/samples/{memory_id}/verdict": {"verdict": "correct"},
}

WITH_CREDENTIALS = [route for route, roles in ROLES.items() if roles]
WITH_BODY = [route for route in WITH_CREDENTIALS if route[0] not in ("GET", "DELETE")]


async def ask(
    client: httpx.AsyncClient, route: tuple[str, str], headers: dict[str, str], **changes: Any
) -> httpx.Response:
    method, path = route
    given: dict[str, Any] = {"json": BODIES.get(path, {})} if method not in ("GET", "DELETE") else {}
    url = filled(path) + changes.pop("query", QUERIES.get(path, ""))
    return await client.request(method, url, headers=headers, **(given | changes))


async def test_the_table_names_every_route_of_the_description(client: httpx.AsyncClient) -> None:
    document = (await client.get("/schema/openapi.json")).json()
    described = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    assert described == set(ROLES)


def test_the_table_says_what_the_routes_say(services: FakeServices, settings: Settings) -> None:
    served = {
        (e.method, e.path.replace(":uuid", "").replace(":str", "")): " ".join(sorted(e.callers))
        for e in endpoints(services, settings)
        if e.name != "openapi"
    }
    assert served == ROLES


@pytest.mark.parametrize("role", ["app", "editor", "operator"])
@pytest.mark.parametrize("route", WITH_CREDENTIALS, ids=" ".join)
async def test_a_key_opens_its_routes_and_no_others(
    client: httpx.AsyncClient, route: tuple[str, str], role: str
) -> None:
    response = await ask(client, route, key(role))
    if role in ROLES[route].split():
        assert response.status_code in (200, 201, 204), response.text
        assert response.headers["cache-control"] == "no-store"
    else:
        assert_problem(response, 403)


@pytest.mark.parametrize("headers", [{}, key("nobody"), {"authorization": "Basic YXBwOmFwcC1rZXk="}], ids=str)
@pytest.mark.parametrize("route", WITH_CREDENTIALS, ids=" ".join)
async def test_without_good_credentials_there_is_nothing(
    client: httpx.AsyncClient, route: tuple[str, str], headers: dict[str, str]
) -> None:
    response = await ask(client, route, headers)
    assert_problem(response, 401)
    assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("route", WITH_BODY, ids=" ".join)
@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'"text"', b"null", b"3", b"\xff", b'{"a": "\\ud800"}', b"[" * 60000, b'{"unheard_of": 1}', b"nan"],
    ids=lambda body: repr(body[:20]),
)
async def test_a_body_that_is_no_such_object_is_400(
    client: httpx.AsyncClient, route: tuple[str, str], body: bytes
) -> None:
    role = ROLES[route].split()[0]
    headers = key(role) | {"content-type": "application/json"}
    assert_problem(await ask(client, route, headers, json=None, content=body), 400)


@pytest.mark.parametrize("route", WITH_BODY, ids=" ".join)
async def test_an_unknown_field_is_named(client: httpx.AsyncClient, route: tuple[str, str]) -> None:
    body = BODIES.get(route[1], {}) | {"colour/~": "blue"}
    response = await ask(client, route, key(ROLES[route].split()[0]), json=body)
    assert_problem(response, 400)
    assert pointers(response) == ["/colour~1~0"]


@pytest.mark.parametrize("route", [r for r in WITH_CREDENTIALS if r not in WITH_BODY], ids=" ".join)
async def test_an_unknown_parameter_is_named(client: httpx.AsyncClient, route: tuple[str, str]) -> None:
    known = QUERIES.get(route[1], "")
    response = await ask(client, route, key(ROLES[route].split()[0]), query=f"{known or '?'}&colour=blue")
    assert_problem(response, 400)
    assert pointers(response) == ["/colour"]


@pytest.mark.parametrize("route", WITH_BODY, ids=" ".join)
@pytest.mark.parametrize("announced", [True, False], ids=["announced", "chunked"])
async def test_a_body_over_the_limit_is_413(client: httpx.AsyncClient, route: tuple[str, str], announced: bool) -> None:
    limit = 256 if route[1] in ("/v1/evaluate", "/v1/check-reply") else 64
    body = b'{"text": "' + b"a" * limit * 1024 + b'"}'

    async def chunks() -> Any:
        for start in range(0, len(body), 10_000):
            yield body[start : start + 10_000]

    headers = key(ROLES[route].split()[0]) | {"content-type": "application/json"}
    response = await ask(client, route, headers, json=None, content=body if announced else chunks())
    assert f"{limit} KiB" in assert_problem(response, 413)["detail"]


@pytest.mark.parametrize("route", WITH_BODY, ids=" ".join)
@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"]
)
async def test_another_media_type_is_415(client: httpx.AsyncClient, route: tuple[str, str], media_type: str) -> None:
    headers = key(ROLES[route].split()[0]) | {"content-type": media_type}
    assert_problem(await ask(client, route, headers, json=None, content=b'{"a": 1}'), 415)


@pytest.mark.parametrize("path", sorted({path for _, path in ROLES}))
async def test_another_method_is_405_and_says_which_there_are(client: httpx.AsyncClient, path: str) -> None:
    response = await client.put(filled(path), headers=key("app"))
    assert_problem(response, 405)
    allowed = {method for method, known in ROLES if known == path}
    assert allowed <= set(response.headers["allow"].split(", "))


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v2/turns", "/v1/users/sam", "/v1/users/sam/friends", "/v1/turns/7?user_id=x", "/etc/passwd"]
)
async def test_an_unknown_path_is_404(client: httpx.AsyncClient, path: str) -> None:
    assert_problem(await client.get(path, headers=key("app")), 404)


async def test_the_description_is_complete(client: httpx.AsyncClient) -> None:
    document = (await client.get("/schema/openapi.json")).json()
    assert document["openapi"].startswith("3.")
    for path, item in document["paths"].items():
        for operation in item.values():
            assert operation["summary"], path
            assert operation["description"], path
            assert "400" in operation["responses"], path
            for response in operation["responses"].values():
                assert response.get("description") or response.get("$ref"), path
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    for reference in references(document):
        _, kind, name = reference.removeprefix("#/").split("/")
        assert name in document["components"][kind]
    assert set(document["components"]["securitySchemes"]) == {str(caller) for caller in Caller}


async def test_the_examples_of_the_description_work(client: httpx.AsyncClient) -> None:
    document = (await client.get("/schema/openapi.json")).json()
    tried = 0
    for path, item in document["paths"].items():
        for method, operation in item.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            if "example" in content:
                role = ROLES[method.upper(), path].split()[0]
                response = await client.request(method, filled(path), json=content["example"], headers=key(role))
                assert response.status_code in (200, 201), (path, response.text)
                tried += 1
    assert tried >= 7


def test_the_problems_of_a_route_are_documented(services: FakeServices, settings: Settings) -> None:
    for endpoint in endpoints(services, settings):
        found = statuses(endpoint)
        assert 400 in found
        assert (401 in found) == bool(endpoint.callers)
        assert (413 in found) == (endpoint.body is not None)


def references(node: Any) -> list[str]:
    """Every $ref of a document."""
    if isinstance(node, dict):
        own = [node["$ref"]] if "$ref" in node else []
        return own + [found for value in node.values() for found in references(value)]
    return [found for value in node for found in references(value)] if isinstance(node, list) else []
