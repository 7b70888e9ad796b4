"""The shape of a context pack."""

from datetime import datetime
from uuid import UUID

import msgspec

from chingoo.model.enums import Role
from chingoo.web.answers.memories import SaidMessage


class SpanMessage(msgspec.Struct):
    """A message beside an episode."""

    role: Role
    text: str


class Episode(msgspec.Struct):
    """An old message that was found; take its meaning from `raw`."""

    message_id: UUID
    created_at: datetime
    role: Role
    snippet: str
    raw: str
    span_context: list[SpanMessage]
    score: float


class PackedMemory(msgspec.Struct):
    """A memory of the prompt; `score` is its confidence. The most important comes first."""

    memory_id: UUID
    memory_key: str
    memory_value: str
    evidence_message_ids: list[UUID]
    score: float


class ContextBudget(msgspec.Struct):
    """Estimated tokens: what `total` may come to, and the parts of it. `protected` never goes, nor does `system`."""

    limit: int
    system: int
    protected: int
    older: int
    retrieved: int
    total: int


class ContextPack(msgspec.Struct):
    """What a turn would be given beside its message. `recent` is oldest first, as the person and the friend said it."""

    episodes: list[Episode]
    memories: list[PackedMemory]
    bullets: list[str]
    pending_raw: list[SaidMessage]
    recent: list[SaidMessage]
    budget: ContextBudget
