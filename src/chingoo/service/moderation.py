"""Scores texts for whoever asks: one at a time, beside the event loop, and no more of them waiting than make sense."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from chingoo.errors import UnavailableError

MOST_WAITING: Final = 256
"""Texts, those in work included. Some 2 ms each: who came after them would wait longer than a turn does."""

Scores = Mapping[str, float]


class ModerationService:
    """A detector of one's own, shared by all who ask. Nothing of a text is kept, logged or counted."""

    def __init__(self, name: str, scores: Callable[[str], Scores], bounds: Scores, most_waiting: int) -> None:
        """`bounds`: from which score on a category counts as flagged; one without a bound never does."""
        self.name, self.bounds = name, bounds
        self._scores, self._most_waiting = scores, most_waiting
        self._waiting = 0
        # The work is all computing: a second thread would only make both slower.
        self._worker = ThreadPoolExecutor(1, "detector")

    async def scores(self, texts: Sequence[str]) -> list[Scores]:
        """Scores from 0 to 1 by category, for each text. UnavailableError: too many are waiting."""
        if self._waiting + len(texts) > self._most_waiting:
            raise UnavailableError("too many texts are waiting; ask again in a moment")
        self._waiting += len(texts)
        try:
            loop = asyncio.get_running_loop()
            return [await loop.run_in_executor(self._worker, self._scores, text) for text in texts]
        finally:
            self._waiting -= len(texts)

    def close(self) -> None:
        """Let go of the thread; what is in work is finished."""
        self._worker.shutdown(cancel_futures=True)
