"""policies/detector.yaml: how the answer of a moderation model becomes one value of the fact `detector`."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class DetectorSays:
    """One value of the fact, and from how many hundredths on the categories of the endpoint mean it."""

    place: Place
    fact: str
    categories: Mapping[str, int]
    because: str


@dataclass(frozen=True, slots=True)
class DetectorDocument:
    """The values in the order of precedence. A reply waits at most `deadline_ms` for an answer."""

    place: Place
    deadline_ms: int
    says: tuple[DetectorSays, ...]
