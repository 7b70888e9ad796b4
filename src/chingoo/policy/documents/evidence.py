"""patterns/evidence.yaml: what a model must show before anything it read out of messages is remembered (BATCH-11)."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Entry, Place


@dataclass(frozen=True, slots=True)
class EvidenceDocument:
    """How sure the model must be, when messages are apart (C-38), and families' anchors by language (BATCH-12)."""

    place: Place
    least_confidence: float
    apart_minutes: int
    anchors: Mapping[str, Mapping[str, tuple[Entry, ...]]]
