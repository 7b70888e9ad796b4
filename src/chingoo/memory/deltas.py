"""What the mechanics model answers that is asked what to remember: changes, or nothing at all (BATCH-05)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from chingoo.policy.answers import AnswerShape

EXTRACTION: Final = "extraction"
"""The name of the schema of these answers."""


class Op(StrEnum):
    """What a delta does to a record (BATCH-05)."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    REMOVE = "REMOVE"
    CONFIRM = "CONFIRM"


@dataclass(frozen=True, slots=True)
class Delta:
    """One change the model proposes (BATCH-05). `knowledge_id` None means the ACTIVE record of the key."""

    op: Op
    knowledge_type: str
    knowledge_key: str
    value: str | None
    knowledge_id: UUID | None
    evidence: tuple[UUID, ...]
    subject: str
    confidence: float
    expires_at: datetime | None = None


def read_deltas(shape: AnswerShape, answer: str) -> tuple[Delta, ...] | None:
    """The deltas of an answer. None: it says nothing, and the messages stay unanalysed. Never raises."""
    written = shape.read(answer)
    try:
        return None if written is None else tuple(_delta(one) for one in written["deltas"])
    except ValueError:  # the thirtieth of February
        return None


def asked_deltas(shape: AnswerShape, families: Iterable[str]) -> Mapping[str, Any]:
    """The JSON schema of an answer, as providers with structured output want it."""
    return shape.asked({"knowledge_type": families})


def _delta(written: Mapping[str, Any]) -> Delta:
    known, expires_at = written.get("knowledge_id"), written.get("expires_at")
    return Delta(
        op=Op(written["op"]),
        knowledge_type=written["knowledge_type"],
        knowledge_key=written["knowledge_key"],
        value=written["value"],
        knowledge_id=None if known is None else UUID(known),
        evidence=tuple(dict.fromkeys(UUID(one) for one in written["evidence_message_ids"])),
        subject=written["subject"],
        confidence=float(written["confidence"]),
        expires_at=None if expires_at is None else datetime.fromisoformat(expires_at),
    )
