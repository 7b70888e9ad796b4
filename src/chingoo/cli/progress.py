"""A line for everything that takes longer than a second, so that nobody wonders whether it hangs."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

PATIENCE_S = 1.0


class ProgressLines:
    """Prints `… what` when a step has taken a second, and how long it took when it is done."""

    def __init__(self, out: TextIO, patience_s: float = PATIENCE_S) -> None:
        self._out, self._patience_s = out, patience_s

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        """The step of that name. A thread watches it: the step may hold up the event loop."""
        said = threading.Event()

        def say() -> None:
            said.set()
            self._print(f"chingoo: {what} …")

        timer = threading.Timer(self._patience_s, say)
        timer.daemon = True
        started = time.monotonic()
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            if said.is_set():
                self._print(f"chingoo: {what}: {time.monotonic() - started:.1f} s")

    def _print(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()
