"""The rate limit of one process: a bucket per credential and user, that fills by the server's clock."""

from typing import Final

from chingoo.ports.machine import Clock

_SWEEP_EVERY: Final = 10_000  # requests between two clearings of those who have not come for a while


class TokenBuckets:
    """A `ports.machine.RateLimit`: at most `per_minute` at once, and as many a minute after that."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._size, self._per_second, self._clock = float(per_minute), per_minute / 60, clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._checks = 0

    def check(self, key: str) -> float | None:
        """None if allowed, else the seconds until the next one is."""
        now = self._clock.monotonic()
        self._sweep(now)
        level = self._level(key, now)
        if level >= 1:
            self._buckets[key] = (level - 1, now)
            return None
        self._buckets[key] = (level, now)
        return (1 - level) / self._per_second

    def _level(self, key: str, now: float) -> float:
        level, at = self._buckets.get(key, (self._size, now))
        return min(self._size, level + (now - at) * self._per_second)

    def _sweep(self, now: float) -> None:
        """Now and then forget the buckets that are full again, so that they do not grow with the users."""
        self._checks += 1
        if self._checks % _SWEEP_EVERY == 0:
            self._buckets = {key: self._buckets[key] for key in self._buckets if self._level(key, now) < self._size}


class Unlimited:
    """A `ports.machine.RateLimit` that lets everything pass."""

    def check(self, key: str) -> float | None:  # noqa: ARG002 - the port's signature
        """None."""
        return None
