"""The rows of the fake store, as plain mutable values, and the rules that the real one keeps as constraints."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from chingoo.errors import InvalidInputError, StoreRefusedError
from chingoo.model.enums import IntimatePersona, MemoryStatus, Mode, ReplyOrigin, Role, Source, TopicID
from chingoo.model.extraction import ExtractionRun
from chingoo.model.forgetting import DroppedEvidence
from chingoo.model.people import Controls, Friend, Memory, Relationship, StoredMessage, User
from chingoo.model.reviews import Review, Sample
from chingoo.model.turn import CorrectionRow, CrisisEvent, DecisionRow, LlmCallRow, TurnRequest

Key = tuple[UUID, UUID]
CountKey = tuple[date, str, str, str, str]
"""Month, log, category, level and language; an empty text for none."""


@dataclass(slots=True)
class ControlsRow:
    """Controls as the person set them; None of `proactive` is "has not said"."""

    proactive: bool | None = None
    mute_until: datetime | None = None
    suppressed_topics: tuple[TopicID, ...] = ()
    suppressed_memory_keys: tuple[str, ...] = ()
    intimate_mode: bool = False
    intimate_persona: IntimatePersona = IntimatePersona.CARING

    def effective(self, user: User) -> Controls:
        """What is in force: proactive messages are on for adults who have not said (ONB-05)."""
        return Controls(
            proactive_messages_enabled=user.safety_age_band.is_adult if self.proactive is None else self.proactive,
            mute_until=self.mute_until,
            suppressed_topics=self.suppressed_topics,
            suppressed_memory_keys=self.suppressed_memory_keys,
            intimate_mode=self.intimate_mode,
            intimate_persona=self.intimate_persona,
        )


@dataclass(slots=True)
class ConversationRow:
    """A conversation and its lease."""

    ai_friend_id: UUID
    lease: UUID | None = None
    lease_until: datetime | None = None
    turn_seq: int = 0
    message_seq: int = 0
    last_received_at: datetime | None = None
    extracted_seq: int = 0
    pending: int = 0

    def free_for(self, token: UUID, now: datetime) -> bool:
        """Whether the holder of the token may take the lease."""
        return self.lease is None or self.lease == token or self.lease_until is None or self.lease_until <= now

    def drop_lease(self) -> None:
        """Give the lease back."""
        self.lease = self.lease_until = None


@dataclass(slots=True)
class MessageRow:
    """A message of either side."""

    conversation_id: UUID
    message_id: UUID
    mode: Mode
    seq: int
    role: Role
    source: Source
    completed: bool
    text: str
    created_at: datetime
    admitted_at: datetime
    activates: bool = False
    client_locale: str | None = None
    client_timezone: str | None = None
    origin: ReplyOrigin | None = None
    surfaced_memory_ids: tuple[UUID, ...] = ()
    extracted_memory_candidate_ids: tuple[UUID, ...] = ()
    is_forgotten: bool = False
    answer: Mapping[str, Any] | None = None
    reply_to_id: UUID | None = None
    used_up: bool = False  # erased: the id was used, and nothing is the same message any more

    @property
    def shown(self) -> bool:
        """Whether it is a line of the talk: answered, and not the empty message of a proactive turn (C-79)."""
        return self.completed and not (self.role is Role.USER and self.source is Source.RETENTION)

    def stored(self) -> StoredMessage:
        """As the port hands it out."""
        return StoredMessage(
            message_id=self.message_id,
            role=self.role,
            mode=self.mode,
            text=None if self.is_forgotten else self.text,
            created_at=self.created_at,
            origin=self.origin,
            surfaced_memory_ids=self.surfaced_memory_ids,
            extracted_memory_candidate_ids=self.extracted_memory_candidate_ids,
            is_forgotten=self.is_forgotten,
        )


@dataclass(slots=True)
class KeptWords:
    """What a forgotten message said, while that can be taken back."""

    text: str
    answer: Mapping[str, Any] | None
    undo_until: datetime


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """A kept attempt."""

    request: TurnRequest
    answer: Mapping[str, Any]

    def same(self, request: TurnRequest) -> bool:
        """Whether a repeated id means the same message."""
        kept = self.request
        return (kept.text, kept.conversation_id, kept.ai_friend_id, kept.mode, kept.source) == (
            request.text,
            request.conversation_id,
            request.ai_friend_id,
            request.mode,
            request.source,
        )


@dataclass(slots=True)
class EventRow:
    """A crisis that nobody was told of yet."""

    event: CrisisEvent
    due_at: datetime
    tries: int = 0


@dataclass(slots=True)
class State:
    """All rows."""

    users: dict[UUID, User] = field(default_factory=dict)
    controls: dict[UUID, ControlsRow] = field(default_factory=dict)
    friends: dict[Key, Friend] = field(default_factory=dict)
    relationships: dict[Key, Relationship] = field(default_factory=dict)
    disclosed: dict[Key, datetime] = field(default_factory=dict)
    conversations: dict[Key, ConversationRow] = field(default_factory=dict)
    messages: dict[Key, MessageRow] = field(default_factory=dict)
    attempts: dict[Key, AttemptRow] = field(default_factory=dict)
    memories: dict[Key, Memory] = field(default_factory=dict)
    corrections: dict[Key, tuple[datetime, UUID, CorrectionRow]] = field(default_factory=dict)
    decisions: dict[Key, tuple[datetime, UUID, DecisionRow]] = field(default_factory=dict)
    guard_log: dict[Key, dict[str, Any]] = field(default_factory=dict)
    crisis_log: dict[Key, dict[str, Any]] = field(default_factory=dict)
    safety_counts: Counter[CountKey] = field(default_factory=Counter)
    events: dict[Key, EventRow] = field(default_factory=dict)
    events_known: set[Key] = field(default_factory=set)
    llm_calls: dict[Key, LlmCallRow] = field(default_factory=dict)
    called_at: dict[Key, datetime] = field(default_factory=dict)
    runs: dict[Key, ExtractionRun] = field(default_factory=dict)
    samples: dict[Key, tuple[Sample, datetime, Review | None]] = field(default_factory=dict)
    assignments: list[tuple[datetime, str, bool]] = field(default_factory=list)
    due: dict[UUID, datetime] = field(default_factory=dict)
    queued: set[UUID] = field(default_factory=set)
    kept: dict[Key, KeptWords] = field(default_factory=dict)
    forgotten: dict[tuple[UUID, UUID, UUID], datetime] = field(default_factory=dict)
    dropped: dict[UUID, set[DroppedEvidence]] = field(default_factory=dict)
    erased: set[UUID] = field(default_factory=set)

    def of_conversation(self, user_id: UUID, conversation_id: UUID) -> list[MessageRow]:
        """The messages of a conversation, in order."""
        rows = (row for (owner, _), row in self.messages.items() if owner == user_id)
        return sorted((row for row in rows if row.conversation_id == conversation_id), key=lambda row: row.seq)

    def of_user(self, user_id: UUID) -> list[Memory]:
        """The memories of a user, oldest first."""
        rows = (row for (owner, _), row in self.memories.items() if owner == user_id)
        return sorted(rows, key=lambda row: (row.created_at, row.memory_id))


def check_storable(text: str) -> None:
    """InvalidInputError for what PostgreSQL takes for no text."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidInputError("a text holds characters that cannot be stored (U+0000 or half of a surrogate pair)")


def check_memories(memories: Iterable[Memory]) -> None:
    """StoreRefusedError for memories of one user that the tables would not hold (DATA-01, DATA-07, DATA-12)."""
    rows = list(memories)
    ids = {row.memory_id for row in rows}
    active = [(row.ai_friend_id, row.memory_key) for row in rows if row.status is MemoryStatus.ACTIVE]
    for row in rows:
        if not 0 <= row.confidence <= 1:
            raise refused("memories_confidence_check")
        if not row.evidence_message_ids and row.extracted_from != "onboarding":
            raise refused("memories_evidence_check")
        if (row.type == "life_event") != (row.expires_at is not None):
            raise refused("memories_expires_at_check")
        if row.superseded_by == row.memory_id:
            raise refused("memories_superseded_by_check")
        if row.superseded_by is not None and row.superseded_by not in ids:
            raise refused("memories_superseded_by_fkey")
    if len(set(active)) < len(active):
        raise refused("memories_one_active")


def refused(constraint: str) -> StoreRefusedError:
    """As the real store says it."""
    return StoreRefusedError(f"what was to be written breaks {constraint}", constraint)
