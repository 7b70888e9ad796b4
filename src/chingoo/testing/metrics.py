"""Metrics that a test can read."""

from collections import Counter, defaultdict
from collections.abc import Mapping

Labels = tuple[tuple[str, str], ...]


class RecordingMetrics:
    """`ports.machine.Metrics`: counts by name and labels, and every duration observed."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, Labels]] = Counter()
        self.durations: defaultdict[tuple[str, Labels], list[float]] = defaultdict(list)

    def count(self, name: str, labels: Mapping[str, str] | None = None, value: float = 1.0) -> None:
        """Add to a counter."""
        self.counts[name, _sorted(labels)] += value  # type: ignore[assignment]  # fractions are welcome

    def observe(self, name: str, seconds: float, labels: Mapping[str, str] | None = None) -> None:
        """Note a duration."""
        self.durations[name, _sorted(labels)].append(seconds)

    def total(self, name: str) -> float:
        """The counter over all its labels."""
        return sum(value for (counter, _), value in self.counts.items() if counter == name)


def _sorted(labels: Mapping[str, str] | None) -> Labels:
    return tuple(sorted((labels or {}).items()))
