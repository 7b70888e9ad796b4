"""The one way in: who is it, may they, is it well-formed, is it too much – then the handler."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse

from chingoo.errors import ForbiddenError, NotFoundError, RateLimitedError
from chingoo.ports.machine import Clock, RateLimit
from chingoo.web.bodies import Nothing
from chingoo.web.credentials import Caller, Credentials, Principal
from chingoo.web.endpoint import ANYBODY, NO_BODY, AnyEndpoint, Call
from chingoo.web.reading import BodyReader, read_query

AnyRequest = Request[Any, Any, Any]

_HEADERS: Final = {"cache-control": "no-store"}


class Door:
    """Turns endpoints into Litestar handlers that all check in the same order.

    Credentials (401), role (403), somebody else's path (404), query and body (400, 413, 415), rate (429).
    """

    def __init__(self, credentials: Credentials, rate: RateLimit, clock: Clock) -> None:
        self._credentials, self._rate, self._clock = credentials, rate, clock

    def handlers(self, endpoints: Sequence[AnyEndpoint]) -> list[HTTPRouteHandler]:
        """One handler per endpoint."""
        return [self._handler(endpoint) for endpoint in endpoints]

    def _handler(self, endpoint: AnyEndpoint) -> HTTPRouteHandler:
        return HTTPRouteHandler(
            endpoint.path,
            http_method=[endpoint.method],
            name=endpoint.name,
            status_code=200,  # the answers say their own
            request_max_body_size=endpoint.max_body,
        )(self._responder(endpoint))

    def _responder(self, endpoint: AnyEndpoint) -> Callable[[AnyRequest], Awaitable[ASGIResponse]]:
        reader = None if endpoint.body is None else BodyReader(endpoint.body, endpoint.max_body)

        async def respond(request: AnyRequest) -> ASGIResponse:
            principal = await self._admit(endpoint, request)
            query = read_query(endpoint.query or Nothing, request.scope["query_string"])
            body = NO_BODY if reader is None else await reader.read(request)
            call = Call(
                principal=principal,
                path=request.path_params,
                query=query,
                body=body,
                now=self._clock.now(),
                accept=request.headers.get("accept", ""),
            )
            if endpoint.callers:
                self._limit(call)
            answer = await endpoint.handle(call)
            return ASGIResponse(
                body=answer.body,
                status_code=answer.status,
                media_type=answer.media_type,
                headers={**_HEADERS, **answer.headers},
            )

        return respond

    async def _admit(self, endpoint: AnyEndpoint, request: AnyRequest) -> Principal:
        if not endpoint.callers:
            return ANYBODY
        principal = await self._credentials.principal(request.headers.get("authorization"))
        if principal.caller not in endpoint.callers:
            wanted = " or ".join(sorted(endpoint.callers))
            raise ForbiddenError(f"the role `{principal.caller}` may not do this; it takes {wanted}")
        user_id = request.path_params.get("user_id")
        if principal.caller is Caller.USER and user_id is not None and user_id != principal.user_id:
            raise NotFoundError("no such user")
        return principal

    def _limit(self, call: Call[Any, Any]) -> None:
        named = getattr(call.body, "user_id", None) or getattr(call.query, "user_id", None)
        user_id = call.principal.user_id or call.path.get("user_id") or named or "-"
        wait = self._rate.check(f"{call.principal.credential} {user_id}")
        if wait is not None:
            raise RateLimitedError("too many requests; send fewer, and wait before the next", wait)
