"""The long-running commands: `serve`, `worker` and `detector`, from settings to a clean end on SIGTERM."""

import asyncio
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import structlog
import uvicorn
import uvloop
from litestar import Litestar

from chingoo.cli.listening import Named, address_of, bind, listen
from chingoo.cli.logs import configure_logs
from chingoo.cli.parts import Parts
from chingoo.cli.progress import ProgressLines
from chingoo.settings.keys import ServiceKeys, service_keys
from chingoo.settings.load import Loaded
from chingoo.settings.values import Settings, is_loopback
from chingoo.web.app import create_app

_KEEP_ALIVE_S: Final = 75
_GRACE_S: Final = 5
_BY_FLAGS: Final = Named("--host", "--port")

Stop = Callable[[], None]


def serve(parts: Parts, loaded: Loaded) -> int:
    """Serve until told to stop. The port is taken first, so that a busy one is said before anything starts."""
    settings = loaded.settings
    _warn(loaded)
    sock = bind(settings.host, settings.port)
    try:
        keys = service_keys(settings)
        if keys.kept_in is not None:
            _say(f"the API keys {'were made and ' if keys.made else ''}are in {keys.kept_in}")
        configure_logs(settings.log_level)
        return _run(lambda stopping: _serve(parts, settings, keys, sock, stopping))
    finally:
        sock.close()


def work(parts: Parts, loaded: Loaded) -> int:
    """Run the jobs until told to stop."""
    _warn(loaded)
    configure_logs(loaded.settings.log_level)
    return _run(lambda _: _work(parts, loaded.settings))


def detect(parts: Parts, loaded: Loaded, host: str, port: int) -> int:
    """Answer as a detector until told to stop."""
    for warning in loaded.warnings:
        _say(f"warning: {warning}")
    if not is_loopback(host):
        _say(f"warning: whoever reaches {host} may ask this detector, for it asks for no key")
    sock = bind(host, port, _BY_FLAGS)
    try:
        configure_logs(loaded.settings.log_level)
        return _run(lambda stopping: _detect(parts, loaded.settings, host, sock, stopping))
    finally:
        sock.close()


class Stopping:
    """What SIGTERM and SIGINT do: end start-up at once, or a running server gently."""

    def __init__(self) -> None:
        self.requested = asyncio.Event()
        self._server: uvicorn.Server | None = None
        self._starting = asyncio.current_task()

    def stop(self) -> None:
        """The first signal ends gently; a second one does not wait for requests in flight."""
        again, server = self.requested.is_set(), self._server
        self.requested.set()
        if server is not None:
            server.should_exit = True
            server.force_exit = again
        elif self._starting is not None:
            self._starting.cancel()

    def serving(self, server: uvicorn.Server | None) -> None:
        """From here on a signal ends this server, not the task."""
        self._server, self._starting = server, None


async def _serve(parts: Parts, settings: Settings, keys: ServiceKeys, sock: socket.socket, stopping: Stopping) -> None:
    progress = ProgressLines(sys.stderr)
    async with parts.build(settings, progress, "api") as services:
        app = create_app(services, settings, keys.keys)
        listen(sock, settings.host)
        grace_s = int(settings.turn_deadline_s + settings.wait_margin_s) + _GRACE_S
        server = _Server(app, f"Chingoo is ready at {address_of(sock)}", grace_s)
        stopping.serving(server)
        worker = parts.worker(services) if settings.worker else None
        await _beside(server.serve(sockets=[sock]), worker, server)


async def _detect(parts: Parts, settings: Settings, host: str, sock: socket.socket, stopping: Stopping) -> None:
    async with parts.detector(settings, ProgressLines(sys.stderr)) as app:
        listen(sock, host, _BY_FLAGS)
        server = _Server(app, f"Chingoo's detector is ready at {address_of(sock)}/v1", _GRACE_S)
        stopping.serving(server)
        await server.serve(sockets=[sock])


async def _beside(serving: Coroutine[Any, Any, None], worker: Awaitable[None] | None, server: uvicorn.Server) -> None:
    """Serve with the worker beside it; a worker that ends by itself ends the server too, with its error."""
    main = asyncio.ensure_future(serving)
    if worker is None:
        await main
        return
    beside = asyncio.ensure_future(worker)
    await asyncio.wait({main, beside}, return_when=asyncio.FIRST_COMPLETED)
    if main.done():
        beside.cancel()
        with suppress(asyncio.CancelledError):
            await beside
        await main
        return
    structlog.get_logger("chingoo.cli").error("the worker ended by itself; stopping")
    server.should_exit = True
    await main
    await beside


async def _work(parts: Parts, settings: Settings) -> None:
    async with parts.build(settings, ProgressLines(sys.stderr), "worker") as services:
        print("Chingoo's worker is ready", flush=True)
        await parts.worker(services)


def _run(command: Callable[[Stopping], Coroutine[Any, Any, None]]) -> int:
    """Run a command under signal handlers; being told to stop is a good end."""

    async def main() -> None:
        stopping = Stopping()
        with _signals(stopping.stop):
            try:
                await command(stopping)
            except asyncio.CancelledError:
                if not stopping.requested.is_set():
                    raise

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
    return 0


@contextmanager
def _signals(stop: Stop) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


class _Server(uvicorn.Server):
    """Uvicorn, with our signals and our one line when it listens. Requests in flight finish before it ends."""

    def __init__(self, app: Litestar, ready: str, grace_s: int) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="httptools",
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=_KEEP_ALIVE_S,
                timeout_graceful_shutdown=grace_s,
            )
        )
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are handled by whoever runs the server: the database has to be closed after it."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so: the one line on standard output."""
        await super().startup(sockets=sockets)
        if self.started:
            print(self._ready, flush=True)


def _warn(loaded: Loaded) -> None:
    for warning in loaded.warnings:
        _say(f"warning: {warning}")
    if not loaded.settings.data_key:
        _say(
            "warning: CHINGOO_DATA_KEY is unset: sizes, budgets, allergies and the like are stored as plain text; "
            "`openssl rand -base64 32` makes a key"
        )


def _say(line: str) -> None:
    print(f"chingoo: {line}", file=sys.stderr, flush=True)
