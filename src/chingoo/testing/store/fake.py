"""`ports.store.Store` in memory: the same answers as PostgreSQL, by a clock that stands in for the database's."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from chingoo.errors import DatabaseUnreachableError, NotFoundError
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
from chingoo.model.people import Controls, Friend, Memory, Relationship, Spending, StoredMessage, User
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
from chingoo.ports.logs import Page
from chingoo.ports.machine import Clock
from chingoo.ports.people import AnswersPatch, ChooseAssignment
from chingoo.testing.store import batches, door, forgetting, logs, people, safety_logs, turns
from chingoo.testing.store.reviews import FakeReviews
from chingoo.testing.store.state import State


class FakeStore(FakeReviews):
    """Also `ports.upkeep.Jobs`. No method awaits anything, so each is one transaction. `away` makes every call fail."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._state = State()
        self.away = False

    def _rows(self) -> State:
        if self.away:
            raise DatabaseUnreachableError("the database does not answer: it was switched off")
        return self._state

    # the turn
    async def admit(self, admission: Admission) -> Admitted:
        """Take the lease, insert the message if new, activate if due, gather."""
        return door.admit(self._rows(), admission, self._clock.now())

    async def reread(
        self, settlement_of: TurnRequest, lease_token: UUID, history_limit: int = 40, reply_window: int = 20
    ) -> Known | None:
        """Gather again for the holder of the lease."""
        return door.reread(self._rows(), settlement_of, lease_token, history_limit, reply_window)

    async def foresee(
        self,
        user_id: UUID,
        ai_friend_id: UUID,
        at: datetime,
        required_answers: tuple[str, ...],
        history_limit: int = 40,
        reply_window: int = 20,
    ) -> Known:
        """What a turn would be told."""
        return door.foresee(self._rows(), user_id, ai_friend_id, at, required_answers, history_limit, reply_window)

    async def settle(self, settlement: Settlement) -> SettleOutcome:
        """Write all that the turn leaves, or nothing."""
        return turns.settle(self._rows(), settlement, self._clock.now())

    async def release(self, request: TurnRequest, lease_token: UUID) -> None:
        """Give the lease back."""
        turns.release(self._rows(), request, lease_token)

    async def attempt(self, attempt: Attempt) -> None:
        """Write an attempt of a user who may not chat yet."""
        turns.attempt(self._rows(), attempt, self._clock.now())

    async def answer_of(self, user_id: UUID, message_id: UUID) -> tuple[str, Mapping[str, Any] | None] | None:
        """Status and stored answer of a message."""
        return turns.answer_of(self._rows(), user_id, message_id)

    async def stuck_turns(self, older_than_s: float, limit: int, user_ids: Sequence[UUID] | None) -> list[TurnRequest]:
        """Messages left PROCESSING by turns that ended without settling."""
        return turns.stuck_turns(self._rows(), self._clock.now(), older_than_s, limit, user_ids)

    async def spending(self, user_id: UUID, hours: int) -> Spending:
        """What this user's model calls cost in the last hours."""
        return turns.spending(self._rows(), self._clock.now(), user_id, hours)

    # people
    async def create_user(self, user_id: UUID, now: datetime) -> tuple[User, bool]:
        """The user, made if new."""
        del now
        return people.create_user(self._rows(), user_id)

    async def user(self, user_id: UUID) -> tuple[User, Controls]:
        """The user and its controls."""
        user = people.find(self._rows(), user_id)
        return user, self._state.controls[user_id].effective(user)

    async def patch_onboarding(self, user_id: UUID, patch: AnswersPatch, now: datetime) -> User:
        """Take answers, all of them or none."""
        del now
        return people.patch_onboarding(self._rows(), user_id, patch)

    async def patch_controls(self, user_id: UUID, changes: Mapping[str, Any], now: datetime) -> Controls:
        """Change the named controls."""
        del now
        return people.patch_controls(self._rows(), user_id, changes)

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
        """The friend, made if new."""
        return people.create_friend(
            self._rows(), user_id, friend_id, conversation_id, name, assigned_at, required_answers, window, choose
        )

    async def friends(self, user_id: UUID) -> list[tuple[Friend, Relationship]]:
        """All friends of a user, oldest first."""
        return people.friends(self._rows(), user_id)

    async def friend(self, user_id: UUID, ai_friend_id: UUID) -> tuple[Friend, Relationship]:
        """One friend and the relationship."""
        return people.friend(self._rows(), user_id, ai_friend_id)

    # conversations
    async def owner_of_conversation(self, conversation_id: UUID) -> UUID:
        """The user whose conversation this is."""
        for owner, known in self._rows().conversations:
            if known == conversation_id:
                return owner
        raise NotFoundError("no such conversation")

    async def messages(
        self, user_id: UUID, conversation_id: UUID, limit: int, before: str | None
    ) -> tuple[list[StoredMessage], str | None]:
        """A page of what was said."""
        return logs.messages(self._rows(), user_id, conversation_id, limit, before)

    async def memories(self, user_id: UUID, include_inactive: bool) -> list[Memory]:
        """What is remembered of the user."""
        return logs.memories(self._rows(), user_id, include_inactive)

    async def edit_memories(
        self, user_id: UUID, asked: UUID | None, decide: Callable[[Remembered], MemoryEdit]
    ) -> tuple[Remembered, MemoryEdit]:
        """Change what is remembered."""
        return forgetting.edit_memories(self._rows(), user_id, asked, decide)

    async def evidence(self, user_id: UUID, memory_id: UUID) -> list[StoredMessage]:
        """The messages that a memory rests on."""
        return forgetting.evidence(self._rows(), user_id, memory_id)

    async def purge_forgotten(self, now: datetime, user_ids: Sequence[UUID] | None) -> Purged:
        """Erase what was forgotten for good."""
        return forgetting.purge_forgotten(self._rows(), now, user_ids)

    async def export_user(self, user_id: UUID) -> Mapping[str, Any]:
        """Everything that is stored of a person."""
        return forgetting.export_user(self._rows(), user_id)

    async def erase_user(self, user_id: UUID, now: datetime) -> Mapping[str, int]:
        """Erase a person."""
        del now
        return forgetting.erase_user(self._rows(), user_id)

    # logs
    async def decisions(
        self, user_id: UUID | None, pipeline: str | None, since: datetime | None, limit: int, before: str | None
    ) -> Page:
        """Decision records, newest first."""
        return logs.decisions(self._rows(), user_id, pipeline, since, limit, before)

    async def audit(
        self, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
    ) -> Page:
        """Rows of one audit log, newest first."""
        return logs.audit(self._rows(), kind, user_id, since, limit, before)

    async def write_log(self, part: LogPart, made: Settlement | Attempt) -> None:
        """Write one part of a turn's log rows by itself."""
        safety_logs.write(self._rows(), part, made, self._clock.now())

    async def safety_counts(self, first: date, last: date) -> list[SafetyCount]:
        """Guard hits and crises by month."""
        return safety_logs.counts(self._rows(), first, last)

    # crisis events (`ports.events.CrisisEvents`)
    async def take_crisis_events(self, limit: int, held_s: float) -> list[tuple[CrisisEvent, int]]:
        """Take what is due."""
        return safety_logs.take(self._rows(), self._clock.now(), limit, held_s)

    async def crisis_event_delivered(self, user_id: UUID, event_id: UUID) -> None:
        """Somebody has it."""
        self._rows().events.pop((user_id, event_id), None)

    async def crisis_event_later(self, user_id: UUID, event_id: UUID, wait_s: float) -> None:
        """Nobody has it yet."""
        safety_logs.later(self._rows(), self._clock.now(), (user_id, event_id), wait_s)

    # jobs and upkeep
    async def decay_candidates(
        self, now: datetime, limit: int, after: tuple[UUID, UUID] | None, user_ids: Sequence[UUID] | None
    ) -> list[tuple[UUID, UUID, Relationship]]:
        """Relationships to consider for decay."""
        return logs.decay_candidates(self._rows(), now, limit, after, user_ids)

    async def write_decay(self, user_id: UUID, ai_friend_id: UUID, before: Relationship, after: Relationship) -> bool:
        """Write a decayed relationship if it is still as it was."""
        return logs.write_decay(self._rows(), user_id, ai_friend_id, before, after)

    async def expire_memories(self, now: datetime, user_ids: Sequence[UUID] | None) -> int:
        """Expire what has run out."""
        return logs.expire_memories(self._rows(), now, user_ids)

    async def due_batches(
        self,
        now: datetime,
        triggers: Triggers,
        limit: int,
        after: UUID | None,
        user_ids: Sequence[UUID] | None,
    ) -> list[DueBatch]:
        """Conversations whose messages a model is to look at."""
        return batches.due(self._rows(), now, triggers, limit, after, user_ids)

    async def unanalysed(self, user_id: UUID, conversation_id: UUID, limit: int) -> Unanalysed:
        """What no batch has looked at."""
        return batches.unanalysed(self._rows(), user_id, conversation_id, limit)

    async def begin_extraction(self, run: ExtractionRun, triggers: Triggers) -> bool:
        """Claim the person's next batch."""
        return batches.begin(self._rows(), run, triggers)

    async def end_extraction(self, user_id: UUID, call: RunCall | None, conclude: Conclude) -> ExtractionRun:
        """Write what a batch found, and that it is over."""
        return batches.end(self._rows(), self._clock.now(), user_id, call, conclude)

    async def batch_quality(self, since: datetime) -> BatchQuality:
        """How good batches were."""
        return batches.quality(self._rows(), since)

    async def users_without_after_turn(self, limit: int) -> list[UUID]:
        """Users whose after-turn job is owed and not queued."""
        rows = self._rows()
        owed = sorted((at, user_id) for user_id, at in rows.due.items() if user_id not in rows.queued)
        return [user_id for _, user_id in owed[:limit]]

    async def after_turn_mark(self, user_id: UUID) -> datetime | None:
        """Up to when this user's turns can be seen now."""
        return self._rows().due.get(user_id)

    async def mark_after_turn_done(self, user_id: UUID, up_to: datetime) -> None:
        """Note what the after-turn job has looked at."""
        settled_at = self._rows().due.get(user_id)
        if settled_at is not None and settled_at <= up_to:
            del self._state.due[user_id]

    async def defer_after_turn(self, user_id: UUID) -> None:
        """Queue the after-turn job of a user, unless one is waiting."""
        self._rows().queued.add(user_id)

    def take_jobs(self) -> set[UUID]:
        """What a worker would do: the users whose after-turn job was waiting, taken off the queue."""
        waiting, self._state.queued = self._state.queued, set()
        return waiting

    async def ping(self) -> None:
        """Raise DatabaseUnreachableError if the database is away."""
        self._rows()
