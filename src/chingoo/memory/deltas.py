"""What the mechanics model answers, taken apart: deltas one by one, so that a bad one spoils no good one (C-59)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class Op(StrEnum):
    """What a delta does to a record (BATCH-05)."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    REMOVE = "REMOVE"
    CONFIRM = "CONFIRM"


_SUBJECTS = ("user", "other", "unknown")
_TEXTS = ("knowledge_type", "knowledge_key", "subject")


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


def read_deltas(answer: str) -> tuple[Delta | None, ...] | None:
    """The deltas of an answer, None in the place of a malformed one.

    None instead of a tuple: this is no answer at all, and the messages stay unanalysed. Never raises.
    """
    try:
        # From the first brace to its own end: models like to put words or fences around their JSON.
        written = json.JSONDecoder().raw_decode(answer, max(0, answer.find("{")))[0]
    except (ValueError, RecursionError):
        return None
    deltas = written.get("deltas") if isinstance(written, dict) else None
    return tuple(_delta(one) for one in deltas) if isinstance(deltas, list) else None


def answer_schema(families: Iterable[str]) -> Mapping[str, Any]:
    """The JSON schema of an answer, as providers with structured output want it: everything required, nothing more."""
    text: dict[str, Any] = {"type": "string"}
    text_or_none: dict[str, Any] = {"type": ["string", "null"]}
    properties: dict[str, Any] = {
        "op": text | {"enum": list(Op)},
        "knowledge_type": text | {"enum": list(families)},
        "knowledge_key": text,
        "value": text_or_none,
        "knowledge_id": text_or_none,
        "evidence_message_ids": {"type": "array", "items": text},
        "subject": text | {"enum": list(_SUBJECTS)},
        "confidence": {"type": "number"},
        "expires_at": text_or_none,
    }
    closed: dict[str, Any] = {"type": "object", "additionalProperties": False}
    delta = closed | {"required": list(properties), "properties": properties}
    return closed | {"required": ["deltas"], "properties": {"deltas": {"type": "array", "items": delta}}}


def _delta(written: Any) -> Delta | None:
    if not isinstance(written, dict):
        return None
    kind, key, subject = (str(written.get(name)) for name in _TEXTS)
    value, confidence, evidence = (written.get(name) for name in ("value", "confidence", "evidence_message_ids"))
    if not all(isinstance(written.get(name), str) for name in _TEXTS):
        return None
    if not isinstance(value, str | None) or not isinstance(evidence, list):
        return None
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        return None
    try:
        known = written.get("knowledge_id")
        f"{kind}{key}{value}".encode()  # half of a surrogate pair is no text that can be stored
        return Delta(
            op=Op(str(written.get("op"))),
            knowledge_type=kind,
            knowledge_key=key,
            value=value,
            knowledge_id=None if known is None else UUID(known),
            evidence=tuple(dict.fromkeys(UUID(one) for one in evidence)),
            subject=subject,
            confidence=float(confidence),
            expires_at=_instant(written.get("expires_at")),
        )
    except (ValueError, AttributeError, TypeError):
        return None


def _instant(written: Any) -> datetime | None:
    """An instant with its zone; ValueError where there is none."""
    if written is None:
        return None
    instant = datetime.fromisoformat(written)
    if instant.tzinfo is None:
        raise ValueError(f"{written} has no time zone")
    return instant
