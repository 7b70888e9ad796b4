"""What jobs need of the store between turns, and the queue they wait in."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from chingoo.model.forgetting import Purged
from chingoo.model.people import Relationship


class UpkeepStore(Protocol):
    """What time does to relationships and memories, and which turns a job still owes something."""

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

    async def purge_forgotten(self, now: datetime, user_ids: Sequence[UUID] | None) -> Purged:
        """Erase what was forgotten and can no longer be taken back: words, and memories with the past of their key."""
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


class Jobs(Protocol):
    """The queue. A turn's own job is enqueued by settle itself; this port is for the rest."""

    async def defer_after_turn(self, user_id: UUID) -> None:
        """Enqueue the coalesced after-turn job of a user; a queued one suffices."""
        ...
