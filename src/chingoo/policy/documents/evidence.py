"""patterns/evidence.yaml: what a model must show before anything it read out of messages is remembered (BATCH-11)."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Entry, Place


@dataclass(frozen=True, slots=True)
class EvidenceDocument:
    """How sure the model must be, how much of a value one message must say, when messages are apart (C-38), and anchors
    by family and language (BATCH-12).
    """

    place: Place
    least_confidence: float
    declared_above: float
    apart_minutes: int
    anchors: Mapping[str, Mapping[str, tuple[Entry, ...]]]
