"""What a turn is asked, what is known when it starts, and what it leaves behind; the values of admit and settle."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from chingoo.model.corrections import CorrectionType
from chingoo.model.decision import FactRecord
from chingoo.model.enums import AgeBand, CrisisLevel, Mode, Pipeline, ReplyOrigin, SafetyPolicy, Source, TopicID
from chingoo.model.people import (
    Controls,
    DisclosureState,
    Friend,
    Memory,
    MemoryChange,
    Relationship,
    StoredMessage,
    User,
)


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A turn as it arrives (TURN-01). `text` is trimmed and 1 to 4,000 characters; `message_id` is the idempotency key.

    `received_at` has an offset. For a retention turn `source` is retention and `text` is empty (C-79).
    """

    message_id: UUID
    user_id: UUID
    ai_friend_id: UUID
    conversation_id: UUID
    text: str
    received_at: datetime
    mode: Mode = Mode.FRIEND
    source: Source = Source.CHAT
    client_locale: str | None = None
    client_timezone: str | None = None


class AdmitOutcome(StrEnum):
    """What became of a message at the door.

    ADMITTED: the lease is ours, the message row is PROCESSING, `known` is filled.
    REPLAY: it was completed before; `answer` is the stored one. CONFLICT: the id was used for another text,
    conversation, friend, mode or source. BUSY: this message or another of the conversation is being answered under a
    live lease. NOT_READY: the user is CREATED, or ONBOARDING with answers or persona missing; nothing was inserted.
    NOT_FOUND: no such user, friend or conversation of this user. MODE_FORBIDDEN: intimate without the control.
    """

    ADMITTED = "ADMITTED"
    REPLAY = "REPLAY"
    CONFLICT = "CONFLICT"
    BUSY = "BUSY"
    NOT_READY = "NOT_READY"
    NOT_FOUND = "NOT_FOUND"
    MODE_FORBIDDEN = "MODE_FORBIDDEN"


@dataclass(frozen=True, slots=True)
class Admission:
    """The question admit asks the store, in one statement.

    `lease_seconds` counts on the database's clock. `required_answers` are column names of the onboarding policy.
    `history_limit` is per mode; `reply_window` is how many of the assistant's last replies are gathered. `closing` is
    for `reap`: a message taken up only to be settled with a safe reply is admitted even if its mode is off by now.
    """

    request: TurnRequest
    lease_token: UUID
    lease_seconds: float
    required_answers: tuple[str, ...]
    history_limit: int
    reply_window: int
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known when a turn starts, before its message (LIFE-11). `friend` is None only when NOT_READY.

    `user` is as it was before this turn: a first message that activates shows ONBOARDING here, with `activated` True.
    `received_at` is the request's instant, or the conversation's latest if that is later. `history` is oldest first,
    both modes, without the message itself and without forgotten or PROCESSING ones. `recent_replies` are the
    assistant's last texts of origin llm, offline only (C-78), of this mode, oldest first.
    `pending_extraction_count` of the user's messages wait for a batch.
    """

    user: User
    controls: Controls
    missing: tuple[str, ...]
    received_at: datetime
    friend: Friend | None = None
    relationship: Relationship = Relationship()
    history: tuple[StoredMessage, ...] = ()
    recent_replies: tuple[str, ...] = ()
    memories: tuple[Memory, ...] = ()
    disclosure: DisclosureState = DisclosureState()
    last_crisis_at: datetime | None = None
    turn_seq: int = 0
    pending_extraction_count: int = 0
    activated: bool = False


@dataclass(frozen=True, slots=True)
class Admitted:
    """The store's answer to an Admission. `answer` only for REPLAY; `retry_after_s` only for BUSY."""

    outcome: AdmitOutcome
    known: Known | None = None
    answer: Mapping[str, Any] | None = None
    retry_after_s: float = 0.0


@dataclass(frozen=True, slots=True)
class ReplyRow:
    """The assistant's message as it will be stored."""

    message_id: UUID
    text: str
    origin: ReplyOrigin
    rewritten: bool
    surfaced_memory_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """The decision record (S-28): no message text, spans and ids only."""

    decision_id: UUID
    trace_id: UUID
    pipeline: Pipeline
    safety_policy: SafetyPolicy
    rules: tuple[str, ...]
    digest: str
    facts_record: FactRecord
    spans: tuple[tuple[str, int, int], ...]
    timings_ms: Mapping[str, float]
    language: str


@dataclass(frozen=True, slots=True)
class CrisisLogRow:
    """A crisis detection (CRISIS-09): triggering phrases only."""

    level: CrisisLevel
    phrases: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class GuardLogRow:
    """A guard trigger or hard refusal (GUARD-10); `category` names the guard category or the routing rule's id."""

    category: str
    language: str


@dataclass(frozen=True, slots=True)
class CrisisEvent:
    """What a human is told of a crisis, so that they can be called: no word of what was said.

    `event_id` follows from the message, so that what arrives twice is known as the same.
    """

    event_id: UUID
    user_id: UUID
    message_id: UUID
    level: CrisisLevel
    language: str
    country: str | None
    created_at: datetime


class LogPart(StrEnum):
    """The parts of what is logged of a guarded turn, the most urgent first."""

    EVENT = "event"
    CRISIS = "crisis"
    GUARDRAIL = "guardrail"
    COUNTS = "counts"


@dataclass(frozen=True, slots=True)
class SafetyCount:
    """How many guard hits or crises of one kind there were in a month (UTC), over all users.

    `log` is guardrail or crisis; a guard hit has a `category` and no level, a crisis a level and no category.
    """

    month: date
    log: str
    category: str | None
    level: CrisisLevel | None
    language: str
    events: int


@dataclass(frozen=True, slots=True)
class LlmCallRow:
    """One model call (TEL-01): no text."""

    call_id: UUID
    operation: str
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    duration_ms: float
    cost_usd: float
    error: str | None


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """One line of the corrections log (CORR-11, DATA-02): no text.

    `corrected_message_id` is the assistant's message that was corrected; None only where the person named what is
    wrong without one before it.
    """

    correction_id: UUID
    correction_type: CorrectionType
    corrected_message_id: UUID | None = None
    deactivated_memory_id: UUID | None = None
    disputed_memory_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """Everything a turn leaves, written by one statement or not at all.

    `mem_version` is the one gathered; `lease_token` the one admitted with. `answer` is the response body that replays.
    `relationship` is None when it must not change. `lower_age_band_to` lowers the safety band for good (S-15);
    `claimed_under_13` stops the friend's turns. `disclosed_at` is set when a disclosure notice went out. The keys and
    topics are added to the person's controls, or taken from them (CORR-04, CORR-07, C-25).
    """

    request: TurnRequest
    received_at: datetime
    lease_token: UUID
    mem_version: int
    reply: ReplyRow
    answer: Mapping[str, Any]
    decision: DecisionRow
    relationship: Relationship | None
    memory_changes: tuple[MemoryChange, ...] = ()
    corrections: tuple[CorrectionRow, ...] = ()
    suppressed_keys: tuple[str, ...] = ()
    unsuppressed_keys: tuple[str, ...] = ()
    suppressed_topics: tuple[TopicID, ...] = ()
    extracted_memory_candidate_ids: tuple[UUID, ...] = ()
    crisis: CrisisLogRow | None = None
    guard: GuardLogRow | None = None
    llm_calls: tuple[LlmCallRow, ...] = ()
    lower_age_band_to: AgeBand | None = None
    claimed_under_13: bool = False
    disclosed_at: datetime | None = None
    enqueue_after_turn: bool = True
    event: CrisisEvent | None = None


class SettleOutcome(StrEnum):
    """SETTLED. STALE_MEMORY: `mem_version` moved; re-read, run the pure part again. LEASE_LOST: not ours any more."""

    SETTLED = "SETTLED"
    STALE_MEMORY = "STALE_MEMORY"
    LEASE_LOST = "LEASE_LOST"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A turn of a user who may not chat yet, kept apart from the conversation (C-12, C-19).

    For CREATED users the answer is kept so that the same message_id replays; for incomplete ONBOARDING users only a
    crisis or guard row is written (`keep_answer` False).
    """

    request: TurnRequest
    answer: Mapping[str, Any]
    keep_answer: bool
    crisis: CrisisLogRow | None = None
    guard: GuardLogRow | None = None
    event: CrisisEvent | None = None

    @property
    def received_at(self) -> datetime:
        """The turn's instant."""
        return self.request.received_at
