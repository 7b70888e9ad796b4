"""Around every request: how long it took and how it ended, as metrics and one log line, without text or ids."""

from typing import Any, Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from structlog.typing import FilteringBoundLogger

from chingoo.ports.machine import Clock, Metrics

_UNKNOWN: Final = "unmatched"


class AccessLog:
    """An ASGI layer around the whole application, unmatched paths included."""

    def __init__(self, app: ASGIApp, metrics: Metrics, clock: Clock, log: FilteringBoundLogger) -> None:
        self._app, self._metrics, self._clock, self._log = app, metrics, clock, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, then count."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        started = self._clock.monotonic()
        try:
            await self._app(scope, receive, watched)
        finally:
            self._done(scope, status, self._clock.monotonic() - started)

    def _done(self, scope: Any, status: int, seconds: float) -> None:
        route, method = scope.get("path_template") or _UNKNOWN, scope["method"]
        if route == _UNKNOWN:
            # Whoever invents paths and methods must not make metrics grow.
            method = "-"
        labels = {"method": method, "route": route, "status": str(status)}
        self._metrics.count("chingoo_http_requests_total", labels)
        self._metrics.observe("chingoo_http_request_seconds", seconds, {"method": method, "route": route})
        self._log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 2))
