"""`ports.Store` on PostgreSQL: every method one transaction, its statements in `queries`."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Self
from uuid import UUID

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries import (
    admit,
    attempts,
    batches,
    conversations,
    crisis_events,
    edits,
    erasure,
    friends,
    known,
    logs,
    people,
    purge,
    safety_logs,
    settle,
    spending,
    upkeep,
)
from chingoo.adapters.postgres.vault import Vault
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
from chingoo.ports.people import AnswersPatch, ChooseAssignment
from chingoo.ports.turns import PendingAttempt


class PostgresStore:
    """The truth. Also `ports.Jobs`, since a queued job is a row of the same database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    async def open(cls, url: str, *, connections: int = 10, wait_s: float = 5.0, vault: Vault | None = None) -> Self:
        """Connect to a migrated database; `wait_s` bounds how long a call waits for a connection.

        DatabaseUnreachableError: no answer. SettingsError: no address.
        """
        return cls(await Database.open(url, connections=connections, wait_s=wait_s, vault=vault))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._database.close()

    # the turn
    async def admit(self, admission: Admission) -> Admitted:
        """Take the lease, insert the message if new, activate if due, gather: one statement."""
        return await admit.admit(self._database, admission)

    async def reread(
        self, settlement_of: TurnRequest, lease_token: UUID, history_limit: int = 40, reply_window: int = 20
    ) -> Known | None:
        """Gather again for the holder of the lease."""
        return await known.reread(self._database, settlement_of, lease_token, history_limit, reply_window)

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
        return await known.foresee(
            self._database, user_id, ai_friend_id, at, required_answers, history_limit, reply_window
        )

    async def settle(self, settlement: Settlement) -> SettleOutcome:
        """Write all that the turn leaves, in one statement, or nothing."""
        return await settle.settle(self._database, settlement)

    async def release(self, request: TurnRequest, lease_token: UUID) -> None:
        """Give the lease back."""
        await conversations.release(self._database, request, lease_token)

    async def attempt(self, attempt: Attempt) -> None:
        """Write an attempt of a user who may not chat yet."""
        await attempts.attempt(self._database, attempt)

    async def attempted(self, request: TurnRequest) -> PendingAttempt | None:
        """The kept attempt of this message id."""
        return await attempts.attempted(self._database, request)

    async def answer_of(self, user_id: UUID, message_id: UUID) -> tuple[str, Mapping[str, Any] | None] | None:
        """Status and stored answer of a message."""
        return await attempts.answer_of(self._database, user_id, message_id)

    async def stuck_turns(self, older_than_s: float, limit: int, user_ids: Sequence[UUID] | None) -> list[TurnRequest]:
        """Messages left PROCESSING by turns that ended without settling."""
        return await conversations.stuck_turns(self._database, older_than_s, limit, user_ids)

    async def spending(self, user_id: UUID, hours: int) -> Spending:
        """What this user's model calls cost in the last hours."""
        return await spending.spending(self._database, user_id, hours)

    # people
    async def create_user(self, user_id: UUID, now: datetime) -> tuple[User, bool]:
        """The user, made if new."""
        return await people.create_user(self._database, user_id, now)

    async def user(self, user_id: UUID) -> tuple[User, Controls]:
        """The user and its controls."""
        return await people.user(self._database, user_id)

    async def patch_onboarding(
        self,
        user_id: UUID,
        patch: AnswersPatch,
        now: datetime,  # noqa: ARG002 no rule here needs it yet
    ) -> User:
        """Take answers, all of them or none."""
        return await people.patch_onboarding(self._database, user_id, patch)

    async def patch_controls(
        self,
        user_id: UUID,
        changes: Mapping[str, Any],
        now: datetime,  # noqa: ARG002 no rule here needs it yet
    ) -> Controls:
        """Change the named controls."""
        return await people.patch_controls(self._database, user_id, changes)

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
        return await friends.create_friend(
            self._database, user_id, friend_id, conversation_id, name, assigned_at, required_answers, window, choose
        )

    async def friends(self, user_id: UUID) -> list[tuple[Friend, Relationship]]:
        """All friends of a user, oldest first."""
        return await friends.friends(self._database, user_id)

    async def friend(self, user_id: UUID, ai_friend_id: UUID) -> tuple[Friend, Relationship]:
        """One friend and the relationship."""
        return await friends.friend(self._database, user_id, ai_friend_id)

    # conversations
    async def owner_of_conversation(self, conversation_id: UUID) -> UUID:
        """The user whose conversation this is."""
        return await conversations.owner_of_conversation(self._database, conversation_id)

    async def messages(
        self, user_id: UUID, conversation_id: UUID, limit: int, before: str | None
    ) -> tuple[list[StoredMessage], str | None]:
        """A page of what was said."""
        return await conversations.messages(self._database, user_id, conversation_id, limit, before)

    async def memories(self, user_id: UUID, include_inactive: bool) -> list[Memory]:
        """What is remembered of the user."""
        return await conversations.memories(self._database, user_id, include_inactive)

    async def edit_memories(
        self, user_id: UUID, asked: UUID | None, decide: Callable[[Remembered], MemoryEdit]
    ) -> tuple[Remembered, MemoryEdit]:
        """Change what is remembered, as decided under the person's lock."""
        return await edits.edit_memories(self._database, user_id, asked, decide)

    async def evidence(self, user_id: UUID, memory_id: UUID) -> list[StoredMessage]:
        """The messages that a memory rests on."""
        return await conversations.evidence(self._database, user_id, memory_id)

    async def purge_forgotten(self, now: datetime, user_ids: Sequence[UUID] | None) -> Purged:
        """Erase what was forgotten for good."""
        return await purge.purge_forgotten(self._database, now, user_ids)

    async def export_user(self, user_id: UUID) -> Mapping[str, Any]:
        """Everything that is stored of a person."""
        return await erasure.export_user(self._database, user_id)

    async def erase_user(self, user_id: UUID, now: datetime) -> Mapping[str, int]:
        """Erase a person."""
        return await erasure.erase_user(self._database, user_id, now)

    # logs
    async def decisions(
        self, user_id: UUID | None, pipeline: str | None, since: datetime | None, limit: int, before: str | None
    ) -> Page:
        """Decision records, newest first."""
        return await logs.decisions(self._database, user_id, pipeline, since, limit, before)

    async def audit(
        self, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
    ) -> Page:
        """Rows of one audit log, newest first."""
        return await logs.audit(self._database, kind, user_id, since, limit, before)

    async def write_log(self, part: LogPart, made: Settlement | Attempt) -> None:
        """Write one part of a turn's log rows by itself."""
        await safety_logs.write_log(self._database, part, made)

    async def safety_counts(self, first: date, last: date) -> list[SafetyCount]:
        """Guard hits and crises by month."""
        return await safety_logs.safety_counts(self._database, first, last)

    # crisis events (`ports.CrisisEvents`)
    async def take_crisis_events(self, limit: int, held_s: float) -> list[tuple[CrisisEvent, int]]:
        """Take what is due."""
        return await crisis_events.take(self._database, limit, held_s)

    async def crisis_event_delivered(self, user_id: UUID, event_id: UUID) -> None:
        """Somebody has it."""
        await crisis_events.delivered(self._database, user_id, event_id)

    async def crisis_event_later(self, user_id: UUID, event_id: UUID, wait_s: float) -> None:
        """Nobody has it yet."""
        await crisis_events.later(self._database, user_id, event_id, wait_s)

    # jobs and upkeep
    async def decay_candidates(
        self, now: datetime, limit: int, after: tuple[UUID, UUID] | None, user_ids: Sequence[UUID] | None
    ) -> list[tuple[UUID, UUID, Relationship]]:
        """Relationships to consider for decay."""
        return await upkeep.decay_candidates(self._database, now, limit, after, user_ids)

    async def write_decay(self, user_id: UUID, ai_friend_id: UUID, before: Relationship, after: Relationship) -> bool:
        """Write a decayed relationship if it is still as it was."""
        return await upkeep.write_decay(self._database, user_id, ai_friend_id, before, after)

    async def expire_memories(self, now: datetime, user_ids: Sequence[UUID] | None) -> int:
        """Expire what has run out."""
        return await upkeep.expire_memories(self._database, now, user_ids)

    async def due_batches(
        self,
        now: datetime,
        triggers: Triggers,
        limit: int,
        after: UUID | None,
        user_ids: Sequence[UUID] | None,
    ) -> list[DueBatch]:
        """Conversations whose messages a model is to look at."""
        return await batches.due(self._database, now, triggers, limit, after, user_ids)

    async def unanalysed(self, user_id: UUID, conversation_id: UUID, limit: int) -> Unanalysed:
        """What no batch has looked at."""
        return await batches.unanalysed(self._database, user_id, conversation_id, limit)

    async def begin_extraction(self, run: ExtractionRun, triggers: Triggers) -> bool:
        """Claim the person's next batch."""
        return await batches.begin(self._database, run, triggers)

    async def end_extraction(self, user_id: UUID, call: RunCall | None, conclude: Conclude) -> ExtractionRun:
        """Write what a batch found, and that it is over."""
        return await batches.end(self._database, user_id, call, conclude)

    async def batch_quality(self, since: datetime) -> BatchQuality:
        """How good batches were."""
        return await batches.quality(self._database, since)

    async def users_without_after_turn(self, limit: int) -> list[UUID]:
        """Users whose after-turn job is owed and not queued."""
        return await upkeep.users_without_after_turn(self._database, limit)

    async def after_turn_mark(self, user_id: UUID) -> datetime | None:
        """Up to when this user's turns can be seen now."""
        return await upkeep.after_turn_mark(self._database, user_id)

    async def mark_after_turn_done(self, user_id: UUID, up_to: datetime) -> None:
        """Note what the after-turn job has looked at."""
        await upkeep.mark_after_turn_done(self._database, user_id, up_to)

    async def defer_after_turn(self, user_id: UUID) -> None:
        """Queue the after-turn job of a user, unless one is waiting (`ports.Jobs`)."""
        await upkeep.defer_after_turn(self._database, user_id)

    async def ping(self) -> None:
        """Raise DatabaseUnreachableError if the database is away."""
        await self._database.row(upkeep.PING, {})
