"""`ports.store.Store` on PostgreSQL: every method one transaction, its statements in `queries`."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Self
from uuid import UUID

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries import (
    admit,
    attempts,
    conversations,
    edits,
    erasure,
    friends,
    known,
    logs,
    people,
    safety_logs,
    settle,
    spending,
    upkeep,
)
from chingoo.adapters.postgres.review_rows import ReviewRows
from chingoo.adapters.postgres.upkeep_rows import UpkeepRows
from chingoo.adapters.postgres.vault import Vault
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import Controls, Friend, Memory, Relationship, Spending, StoredMessage, User
from chingoo.model.turn import (
    Admission,
    Admitted,
    Attempt,
    Known,
    LogPart,
    SafetyCount,
    Settlement,
    SettleOutcome,
    TurnRequest,
)
from chingoo.ports.logs import Page
from chingoo.ports.people import AnswersPatch, ChooseAssignment


class PostgresStore(UpkeepRows, ReviewRows):
    """The truth: turns, people, conversations, memories and logs.

    What jobs need of it is in `UpkeepRows`, what reviewers need in `ReviewRows`.
    """

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

    # conversations and memories
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

    async def ping(self) -> None:
        """Raise DatabaseUnreachableError if the database is away."""
        await self._database.row(upkeep.PING, {})
