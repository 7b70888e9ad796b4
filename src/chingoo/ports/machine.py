"""What the machine gives: time, chance, counters, a limiter."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol
from uuid import UUID


class Clock(Protocol):
    """The server's clock."""

    def now(self) -> datetime:
        """The present instant, in UTC with an offset."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for deadlines and timings."""
        ...


class Ids(Protocol):
    """Where fresh identifiers and seeds come from."""

    def uuid(self) -> UUID:
        """A fresh random id."""
        ...

    def seed(self) -> int:
        """A fresh persona seed, 0 to 2**32 - 1."""
        ...


class Metrics(Protocol):
    """Counters and timings; implementations never raise."""

    def count(self, name: str, labels: Mapping[str, str] | None = None, value: float = 1.0) -> None:
        """Add to a counter."""
        ...

    def observe(self, name: str, seconds: float, labels: Mapping[str, str] | None = None) -> None:
        """Observe a duration."""
        ...


class RateLimit(Protocol):
    """A limiter by the server's clock."""

    def check(self, key: str) -> float | None:
        """None if allowed, else the seconds to wait."""
        ...
