"""The part of the store that a turn stands on: lease, what is known, what it leaves."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from chingoo.model.people import Spending
from chingoo.model.turn import Admission, Admitted, Attempt, Known, LogPart, Settlement, SettleOutcome, TurnRequest


class TurnStore(Protocol):
    """Turns in the store, each written once (see `Store` for what its methods raise)."""

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

    async def write_log(self, part: LogPart, made: Settlement | Attempt) -> None:
        """Write one part of what a turn logs by itself, after the turn was written without it. Once for each part."""
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
