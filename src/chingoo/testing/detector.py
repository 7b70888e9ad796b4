"""A detector that says what it was told to, fails as told, or lets everybody wait."""

import asyncio
from collections import deque
from collections.abc import Mapping

from chingoo.errors import DetectorError


class FakeDetector:
    """`ports.models.Detector`: `script` holds the next answers, scores or a kind of failure; then all is harmless.

    `slow_s` is how long it takes; longer than the question's deadline is a timeout, as over a wire.
    """

    def __init__(self, *script: Mapping[str, float] | str) -> None:
        self.script: deque[Mapping[str, float] | str] = deque(script)
        self.asked: list[str] = []
        self.slow_s = 0.0

    async def scores(self, text: str, *, timeout_s: float) -> Mapping[str, float]:
        """The next answer."""
        self.asked.append(text)
        if self.slow_s:
            await asyncio.sleep(min(self.slow_s, timeout_s))
            if self.slow_s >= timeout_s:
                raise DetectorError("timeout", "told to be slow")
        said = self.script.popleft() if self.script else {"harassment": 0.0}
        if isinstance(said, str):
            raise DetectorError(said, "told to fail")
        return said

    async def aclose(self) -> None:
        """Nothing is open."""
