"""Work that goes on beside everything else: loops that run until the end, and what SIGHUP asks for."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final

from chingoo.errors import ChingooError

_AGAIN_S: Final = 1.0
_log = logging.getLogger(__name__)


@asynccontextmanager
async def beside(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run `work` until the block ends. If it ends by itself, that is logged by name and type, and it begins again."""

    async def forever() -> None:
        while True:
            once = asyncio.ensure_future(work())
            try:
                await asyncio.wait({once})
            except asyncio.CancelledError:
                once.cancel()
                with suppress(asyncio.CancelledError):
                    await once
                raise
            error = None if once.cancelled() else once.exception()
            _log.error("%s ended (%s) and begins again", name, type(error).__name__)
            await asyncio.sleep(_AGAIN_S)

    task = asyncio.ensure_future(forever())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@contextmanager
def on_hangup(work: Callable[[], Awaitable[None]]) -> Iterator[None]:
    """Do `work` at every SIGHUP while the block lasts; one that comes meanwhile is done afterwards."""
    loop = asyncio.get_running_loop()
    running: set[asyncio.Future[None]] = set()

    async def once() -> None:
        try:
            await work()
        except ChingooError as error:
            _log.error("SIGHUP: %s", error.detail)

    def begin() -> None:
        task = asyncio.ensure_future(once())
        running.add(task)
        task.add_done_callback(running.discard)

    loop.add_signal_handler(signal.SIGHUP, begin)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
        for task in running:
            task.cancel()
