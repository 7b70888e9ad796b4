"""Errors as RFC 9457 problem details: one shape, whatever went wrong, and no internals in it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import msgspec
from litestar.exceptions import HTTPException

from chingoo import errors

MEDIA_TYPE: Final = "application/problem+json"
_UNAVAILABLE_FOR_S: Final = 1.0
_TYPE_PREFIX: Final = "urn:problem-type:chingoo:"


class RequestError(Exception):
    """A request that HTTP itself cannot take: too large, of a wrong media type."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


@dataclass(frozen=True, slots=True)
class Problem:
    """What the client is told. `errors` holds mappings as the route documents them."""

    status: int
    slug: str
    detail: str
    errors: Sequence[Mapping[str, Any]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    trace_id: str | None = None

    def body(self) -> bytes:
        """The JSON of the problem."""
        body: dict[str, Any] = {
            "type": _TYPE_PREFIX + self.slug,
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        if self.errors:
            body["errors"] = list(self.errors)
        if self.trace_id:
            body["trace_id"] = self.trace_id
        return msgspec.json.encode(body)


SLUGS: Final[Mapping[int, str]] = {
    400: "invalid-input",
    401: "unauthenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    409: "conflict",
    413: "too-large",
    415: "unsupported-media-type",
    422: "policies-refused",
    429: "too-many-requests",
    500: "internal-error",
    503: "unavailable",
}


_STATUSES: Final[tuple[tuple[type[errors.ChingooError], int], ...]] = (
    (errors.InvalidInputError, 400),
    (errors.UnauthenticatedError, 401),
    (errors.ForbiddenError, 403),
    (errors.NotFoundError, 404),
    (errors.ConflictError, 409),
    (errors.PolicyRefusedError, 422),
    (errors.RateLimitedError, 429),
    (errors.UnavailableError, 503),
)


def problem_of(error: Exception) -> Problem | None:
    """The problem an error on purpose stands for; None for anything unexpected."""
    if isinstance(error, HTTPException):
        return _of_framework(error)
    if isinstance(error, RequestError):
        return _problem(error.status, error.detail)
    status = next((status for kind, status in _STATUSES if isinstance(error, kind)), None)
    if status is None or not isinstance(error, errors.ChingooError):
        return None
    return _problem(status, error.detail, _details(error), _headers(status, error))


def unexpected(trace_id: str) -> Problem:
    """What is said of an error nobody foresaw: where to find it in the log, and nothing else."""
    return Problem(500, SLUGS[500], "something went wrong here; the log has it under this trace_id", trace_id=trace_id)


def _problem(
    status: int, detail: str, found: Sequence[Mapping[str, Any]] = (), headers: Mapping[str, str] | None = None
) -> Problem:
    return Problem(status, SLUGS[status], detail, found, headers or {})


def _of_framework(error: HTTPException) -> Problem | None:
    match error.status_code:
        case 404:
            return _problem(404, "there is no such route; /schema/openapi.json lists those there are")
        case 405:
            allowed = (error.headers or {}).get("allow", "")
            return _problem(405, f"this route takes {allowed}", headers={"allow": allowed})
        case 413:
            return _problem(413, "the body is too large")
        case status if 400 <= status < 500:
            return _problem(400, error.detail)
    return None


def _details(error: errors.ChingooError) -> list[Mapping[str, Any]]:
    match error:
        case errors.InvalidInputError() | errors.ConflictError():
            return [{"pointer": fault.pointer, "detail": fault.detail} for fault in error.errors]
        case errors.PolicyRefusedError():
            return [_finding(finding) for finding in error.findings]
    return []


def _headers(status: int, error: errors.ChingooError) -> dict[str, str]:
    if status == 401:
        return {"www-authenticate": 'Bearer realm="chingoo"'}
    wait = _UNAVAILABLE_FOR_S if status == 503 else getattr(error, "retry_after_s", None)
    return {} if wait is None else {"retry-after": str(max(1, math.ceil(wait)))}


def _finding(finding: Any) -> Mapping[str, Any]:
    """One finding of the policies on disk, as the contract shows it."""
    place = finding.place
    shown = {"file": place.file, "line": place.line, "column": place.column, "detail": finding.message}
    return shown | {"code": finding.code, "hint": finding.hint, "severity": str(finding.severity)}
