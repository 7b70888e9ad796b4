"""What the use cases need from the outside, as protocols; adapters implement them, `wiring` chooses which."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

from chingoo.model.enums import TopicID
from chingoo.model.extraction import (
    BatchQuality,
    Conclude,
    DueBatch,
    ExtractionRun,
    RunCall,
    Triggers,
    Unanalysed,
)
from chingoo.model.forgetting import MemoryEdit, Purged, Remembered
from chingoo.model.llm import ChatMessage, LlmReply
from chingoo.model.people import (
    Assignment,
    Controls,
    Friend,
    Memory,
    Relationship,
    Spending,
    StoredMessage,
    User,
    Window,
)
from chingoo.model.turn import (
    Admission,
    Admitted,
    Attempt,
    CrisisEvent,
    Known,
    LogPart,
    SafetyCount,
    Settlement,
    SettleOutcome,
    TurnRequest,
)


class Clock(Protocol):
    """The server's clock."""

    def now(self) -> datetime:
        """The present instant, in UTC with an offset."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for deadlines and timings."""
        ...


class Ids(Protocol):
    """Where fresh identifiers and seeds come from."""

    def uuid(self) -> UUID:
        """A fresh random id."""
        ...

    def seed(self) -> int:
        """A fresh persona seed, 0 to 2**32 - 1."""
        ...


# --- store ------------------------------------------------------------------------------------------------------


ChooseAssignment = Callable[[Window], Assignment]


@dataclass(frozen=True, slots=True)
class AnswersPatch:
    """Changes to answers and the two controls that onboarding sets. `answers` maps a name to its new value or None."""

    answers: Mapping[str, str | None]
    proactive_messages_enabled: bool | None = None
    suppressed_topics: tuple[TopicID, ...] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of rows, newest first or as the method says, and the cursor of the next, or None."""

    items: tuple[Mapping[str, Any], ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class PendingAttempt:
    """A kept attempt of a CREATED user: the answer, and whether the id was used with another text."""

    answer: Mapping[str, Any]
    conflicts: bool


class Store(Protocol):
    """The relational store: the truth. Every method is one transaction.

    Methods raise NotFoundError for an unknown user, friend or conversation, ConflictError where said, and
    DatabaseUnreachableError when the database is away.
    """

    # the turn
    async def admit(self, admission: Admission) -> Admitted:
        """Take the lease, insert the message if new, activate if due, gather: one statement (see AdmitOutcome)."""
        ...

    async def reread(
        self, settlement_of: TurnRequest, lease_token: UUID, history_limit: int, reply_window: int
    ) -> Known | None:
        """Gather again for a turn that holds its lease, after STALE_MEMORY; None if the lease is lost."""
        ...

    async def foresee(
        self,
        user_id: UUID,
        ai_friend_id: UUID,
        at: datetime,
        required_answers: tuple[str, ...],
        history_limit: int,
        reply_window: int,
    ) -> Known:
        """What a turn in friend mode at that instant would be told, were it admitted now; nothing is written.

        `missing` is what the person has still to answer: with any, the turn would be NOT_READY.
        """
        ...

    async def settle(self, settlement: Settlement) -> SettleOutcome:
        """Write all that the turn leaves, in one statement, or nothing."""
        ...

    async def release(self, request: TurnRequest, lease_token: UUID) -> None:
        """Give the lease back without settling; the message stays PROCESSING until its id is sent again or reaped."""
        ...

    async def attempt(self, attempt: Attempt) -> None:
        """Write an Attempt. A second identical attempt changes nothing."""
        ...

    async def attempted(self, request: TurnRequest) -> PendingAttempt | None:
        """The kept attempt of this user and message id, or None."""
        ...

    async def answer_of(self, user_id: UUID, message_id: UUID) -> tuple[str, Mapping[str, Any] | None] | None:
        """(status, stored answer) of a user's message: status PROCESSING or COMPLETED; None if unknown."""
        ...

    async def stuck_turns(self, older_than_s: float, limit: int, user_ids: Sequence[UUID] | None) -> list[TurnRequest]:
        """Messages PROCESSING for longer than that by the database's clock, whose lease is not live, oldest first."""
        ...

    async def spending(self, user_id: UUID, hours: int) -> Spending:
        """What this user's model calls cost in the last hours, by the database's clock."""
        ...

    # people
    async def create_user(self, user_id: UUID, now: datetime) -> tuple[User, bool]:
        """The user, and whether it is new. ConflictError: that user was erased, and the id stays used (C-68)."""
        ...

    async def user(self, user_id: UUID) -> tuple[User, Controls]:
        """The user and its controls."""
        ...

    async def patch_onboarding(self, user_id: UUID, patch: AnswersPatch, now: datetime) -> User:
        """Apply the patch; the first accepted answer moves CREATED to ONBOARDING. ConflictError: null when ACTIVE."""
        ...

    async def patch_controls(self, user_id: UUID, changes: Mapping[str, Any], now: datetime) -> Controls:
        """Change the named controls. ForbiddenError: `intimate_mode` on without a known adult safety band."""
        ...

    async def create_friend(
        self,
        user_id: UUID,
        friend_id: UUID,
        conversation_id: UUID,
        name: str | None,
        assigned_at: datetime,
        required_answers: tuple[str, ...],
        window: timedelta,
        choose: ChooseAssignment,
    ) -> tuple[Friend, bool]:
        """The friend, and whether it is new.

        `choose` sees the exact window of that length before `assigned_at`, under one lock for all assignments.

        ConflictError naming the missing answers. `choose` may be called once per transaction attempt.
        """
        ...

    async def friends(self, user_id: UUID) -> list[tuple[Friend, Relationship]]:
        """All friends of a user, oldest first."""
        ...

    async def friend(self, user_id: UUID, ai_friend_id: UUID) -> tuple[Friend, Relationship]:
        """One friend and the relationship."""
        ...

    # conversations
    async def owner_of_conversation(self, conversation_id: UUID) -> UUID:
        """The user whose conversation this is."""
        ...

    async def messages(
        self, user_id: UUID, conversation_id: UUID, limit: int, before: str | None
    ) -> tuple[list[StoredMessage], str | None]:
        """A page, newest page first but oldest message first within it, and the cursor of the page before."""
        ...

    async def memories(self, user_id: UUID, include_inactive: bool) -> list[Memory]:
        """The user's memories, ACTIVE ones unless `include_inactive`, oldest first."""
        ...

    async def edit_memories(
        self, user_id: UUID, asked: UUID | None, decide: Callable[[Remembered], MemoryEdit]
    ) -> tuple[Remembered, MemoryEdit]:
        """What is remembered, under the person's lock, and what `decide` made of it: all written, or nothing.

        `asked` is a message it is about; ConflictError while that is still being answered. Turns under way learn of the
        change (STALE_MEMORY). `decide` may be called once per transaction attempt; what it raises comes out.
        """
        ...

    async def evidence(self, user_id: UUID, memory_id: UUID) -> list[StoredMessage]:
        """The messages that a memory rests on, oldest first; none that is forgotten."""
        ...

    async def purge_forgotten(self, now: datetime, user_ids: Sequence[UUID] | None) -> Purged:
        """Erase what was forgotten and can no longer be taken back: words, and memories with the past of their key."""
        ...

    async def export_user(self, user_id: UUID) -> Mapping[str, Any]:
        """Everything that is stored of a person and not forgotten, by section, as plain JSON values."""
        ...

    async def erase_user(self, user_id: UUID, now: datetime) -> Mapping[str, int]:
        """Erase a person at once and for good: how many rows of each table. The id is never taken again (C-68)."""
        ...

    # logs
    async def decisions(
        self, user_id: UUID | None, pipeline: str | None, since: datetime | None, limit: int, before: str | None
    ) -> Page:
        """Decision records, newest first."""
        ...

    async def audit(
        self, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
    ) -> Page:
        """Rows of one of the two logs, `guardrail` or `crisis`, newest first."""
        ...

    async def write_log(self, part: LogPart, made: Settlement | Attempt) -> None:
        """Write one part of what a turn logs by itself, after the turn was written without it. Once for each part."""
        ...

    async def safety_counts(self, first: date, last: date) -> list[SafetyCount]:
        """Guard hits and crises by month, for the months from `first` to `last`, in order."""
        ...

    # jobs and upkeep
    async def decay_candidates(
        self, now: datetime, limit: int, after: tuple[UUID, UUID] | None, user_ids: Sequence[UUID] | None
    ) -> list[tuple[UUID, UUID, Relationship]]:
        """(user, friend, relationship) rows to consider for decay, in key order."""
        ...

    async def write_decay(self, user_id: UUID, ai_friend_id: UUID, before: Relationship, after: Relationship) -> bool:
        """Write the decayed relationship if the row still equals `before`."""
        ...

    async def expire_memories(self, now: datetime, user_ids: Sequence[UUID] | None) -> int:
        """ACTIVE memories past `expires_at` become EXPIRED (UK-12), bumping mem_version; how many."""
        ...

    async def due_batches(
        self,
        now: datetime,
        triggers: Triggers,
        limit: int,
        after: UUID | None,
        user_ids: Sequence[UUID] | None,
    ) -> list[DueBatch]:
        """Conversations with messages that a model is to look at now, at most one of a user, by user (BATCH-02)."""
        ...

    async def unanalysed(self, user_id: UUID, conversation_id: UUID, limit: int) -> Unanalysed:
        """The first messages that no batch has looked at; none of the intimate register, none still being answered."""
        ...

    async def begin_extraction(self, run: ExtractionRun, triggers: Triggers) -> bool:
        """Write that a batch begins; False, and nothing is written, where the user's last one is too close (BATCH-03).

        Whoever writes it has the messages for itself. NotFoundError: the user is gone.
        """
        ...

    async def end_extraction(self, user_id: UUID, call: RunCall | None, conclude: Conclude) -> ExtractionRun:
        """Under the user's lock: write what `conclude` makes of what is remembered, the run as it ends, and the call.

        Without an error the messages count as looked at, and nothing but what came since is pending. All or nothing.
        """
        ...

    async def batch_quality(self, since: datetime) -> BatchQuality:
        """How many memories batches made of what was said since then, and how many of them were wrong (CORR-15)."""
        ...

    async def users_without_after_turn(self, limit: int) -> list[UUID]:
        """Users with a settled turn that no after-turn job has looked at and none is queued for (the sweep)."""
        ...

    async def after_turn_mark(self, user_id: UUID) -> datetime | None:
        """The settle instant up to which this user's turns can be seen now, to be given to `mark_after_turn_done`.

        None if nothing is due. Read it before the work: turns that settle during the work stay due.
        """
        ...

    async def mark_after_turn_done(self, user_id: UUID, up_to: datetime) -> None:
        """Note that the after-turn job has looked at this user's turns up to that settle instant."""
        ...

    async def ping(self) -> None:
        """Raise DatabaseUnreachableError if the database is away."""
        ...


# --- other ports ------------------------------------------------------------------------------------------------


class Llm(Protocol):
    """A chat model. One call is one HTTP request; retrying is the service's business."""

    provider: str

    async def complete(
        self,
        model: str,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        timeout_s: float,
        json_schema: Mapping[str, Any] | None = None,
    ) -> LlmReply:
        """Answer within `timeout_s` seconds, or raise LlmError."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class Detector(Protocol):
    """A model that says how likely a text is of which harmful category. Optional, and only ever a second opinion."""

    async def scores(self, text: str, *, timeout_s: float) -> Mapping[str, float]:
        """Scores from 0 to 1 by category, within `timeout_s` seconds, or raise DetectorError."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class Jobs(Protocol):
    """The queue. A turn's own job is enqueued by settle itself; this port is for the rest."""

    async def defer_after_turn(self, user_id: UUID) -> None:
        """Enqueue the coalesced after-turn job of a user; a queued one suffices."""
        ...


class CrisisEvents(Protocol):
    """The crises that a human is still to be told of. Every method is one transaction."""

    async def take_crisis_events(self, limit: int, held_s: float) -> list[tuple[CrisisEvent, int]]:
        """Events that are due, and how often each was taken by now; nobody else gets them for `held_s` seconds."""
        ...

    async def crisis_event_delivered(self, user_id: UUID, event_id: UUID) -> None:
        """Somebody has it: it never falls due again."""
        ...

    async def crisis_event_later(self, user_id: UUID, event_id: UUID, wait_s: float) -> None:
        """Nobody has it: it falls due again after so many seconds."""
        ...


class Delivery(Protocol):
    """Where events go that somebody outside waits for."""

    async def deliver(self, event_id: UUID, event: Mapping[str, Any]) -> None:
        """Hand an event over; DeliveryError if it was not taken. The same id may come more than once."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class Cipher(Protocol):
    """Encryption at rest. `about` binds a token to its place: opened elsewhere it is no token."""

    @property
    def key_ids(self) -> tuple[str, ...]:
        """The keys there are, the one that seals first."""
        ...

    def seal(self, text: str, about: str) -> str:
        """A token of the text, another one each time."""
        ...

    def seal_name(self, text: str, about: str) -> str:
        """A token that is the same for the same text about the same, so that tokens can be compared."""
        ...

    def names_of(self, text: str, about: str) -> tuple[str, ...]:
        """What `seal_name` gives under each of the keys."""
        ...

    def open(self, token: str, about: str) -> str | None:
        """The text, or None for what is no token of ours about this: a plain text."""
        ...


class Metrics(Protocol):
    """Counters and timings; implementations never raise."""

    def count(self, name: str, labels: Mapping[str, str] | None = None, value: float = 1.0) -> None:
        """Add to a counter."""
        ...

    def observe(self, name: str, seconds: float, labels: Mapping[str, str] | None = None) -> None:
        """Observe a duration."""
        ...


class RateLimit(Protocol):
    """A limiter by the server's clock."""

    def check(self, key: str) -> float | None:
        """None if allowed, else the seconds to wait."""
        ...


class Notifications(Protocol):
    """What processes say to one another about policies."""

    def listen(self) -> AsyncIterator[str]:
        """`prepare DIGEST PROCESS` when a process is about to switch all to a set, `switch DIGEST` when it has."""
        ...
