"""A batch of messages that a model looks at for things to remember: when, which, and what came of it (BATCH-02…15)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import StoredMessage
from chingoo.model.reviews import Sample
from chingoo.model.turn import LlmCallRow

UNFINISHED = "unfinished"
"""The error of a run that has begun and not ended: under way, or its process died."""

UNREADABLE = "unreadable"
"""The error of a run whose answer was no JSON or broke its schema."""

REFUSED = "refused"
"""The error of a run whose outcome could not be stored."""

SPOILT = (UNREADABLE, REFUSED)
"""Errors that the same messages will bring again, as an outage will not."""


class Trigger(StrEnum):
    """Why a batch is due (BATCH-02)."""

    SESSION_CLOSED = "session_closed"
    MESSAGES = "messages"
    CRON = "cron"


@dataclass(frozen=True, slots=True)
class Triggers:
    """When a batch is due: silence of `gap`, so many `messages` not looked at, or one that has waited for `wait`.

    Never while the person's last batch, good or bad, is not longer ago than `apart`.
    """

    gap: timedelta
    messages: int
    wait: timedelta
    apart: timedelta


@dataclass(frozen=True, slots=True)
class DueBatch:
    """A conversation whose messages are to be looked at.

    `spoilt`: so many runs over it ended that way since a model last made sense of messages of it.
    """

    user_id: UUID
    ai_friend_id: UUID
    conversation_id: UUID
    triggered_by: Trigger
    spoilt: int = 0


@dataclass(frozen=True, slots=True)
class Unanalysed:
    """What no batch has looked at, oldest first and without what is forgotten; `up_to` is the place where it ends."""

    messages: tuple[StoredMessage, ...]
    up_to: int


@dataclass(frozen=True, slots=True)
class ExtractionRun:
    """One batch (BATCH-15): no text. `error` None: it is done, and the messages up to `up_to` are looked at.

    `samples` are what is drawn of it for people to look at.
    """

    user_id: UUID
    run_id: UUID
    conversation_id: UUID
    triggered_by: Trigger
    up_to: int
    messages_analyzed: int
    created_at: datetime
    deltas_applied: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    llm_model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    duration_ms: float = 0.0
    error: str | None = UNFINISHED
    samples: tuple[Sample, ...] = ()


@dataclass(frozen=True, slots=True)
class RunCall:
    """A model call of a run, recorded with the newest message that it showed."""

    message_id: UUID
    call: LlmCallRow


Conclude = Callable[[Remembered], tuple[MemoryEdit, ExtractionRun]]
"""What a run does to what is remembered, decided under the person's lock, and the run as it ends."""


@dataclass(frozen=True, slots=True)
class BatchQuality:
    """How many memories batches made in a time, and how many of them the person said were wrong (CORR-15)."""

    made: int
    wrong: int
