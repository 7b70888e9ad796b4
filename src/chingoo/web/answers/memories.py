"""The shapes of answers about evidence, forgetting, and a person's data as a whole."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.model.enums import Role


class SaidMessage(msgspec.Struct):
    """Who said what, and when."""

    message_id: UUID
    role: Role
    text: str
    created_at: datetime


class EvidenceList(msgspec.Struct):
    """The messages a memory rests on, oldest first."""

    items: list[SaidMessage]


class ForgetReceipt(msgspec.Struct):
    """What went: the message, replies, snippets made of its neighbours, memories that were ACTIVE, evidence ids."""

    messages_forgotten: int
    replies_forgotten: int
    snippets_cleared: int
    memories_deactivated: int
    evidence_dropped: int
    undo_until: datetime | None


class UnforgetReceipt(msgspec.Struct):
    """What came back."""

    messages_restored: int
    replies_restored: int
    memories_restored: int


class PersonExport(msgspec.Struct):
    """Everything that is stored of a person and not forgotten; the contract's sections, and those of the logs."""

    user: dict[str, Any]
    controls: dict[str, Any]
    friends: list[dict[str, Any]]
    messages: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    corrections: list[dict[str, Any]]
    retention: list[dict[str, Any]]
    attempts: list[dict[str, Any]]
    decisions: list[dict[str, Any]]
    guard_log: list[dict[str, Any]]
    crisis_log: list[dict[str, Any]]
