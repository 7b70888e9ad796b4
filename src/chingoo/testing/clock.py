"""A clock that moves when told, and ids that count."""

from datetime import UTC, datetime, timedelta
from uuid import UUID


class FakeClock:
    """`ports.machine.Clock`: stands still until `advance`."""

    def __init__(self, start: datetime = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)) -> None:
        self._now = start
        self._monotonic = 0.0

    def now(self) -> datetime:
        """The instant it was set to."""
        return self._now

    def monotonic(self) -> float:
        """Seconds advanced so far."""
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds


class SequentialIds:
    """`ports.machine.Ids`: 1, 2, 3 …, as ids and, apart from them, as seeds."""

    def __init__(self) -> None:
        self._last = 0
        self._last_seed = 0

    def uuid(self) -> UUID:
        """The next id."""
        self._last += 1
        return UUID(int=self._last)

    def seed(self) -> int:
        """The next seed."""
        self._last_seed += 1
        return self._last_seed
