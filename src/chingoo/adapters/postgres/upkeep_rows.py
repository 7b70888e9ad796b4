"""What jobs need of the store on PostgreSQL: upkeep, batches of extraction, and events that are still to be told."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries import batches, crisis_events, purge, upkeep
from chingoo.model.extraction import (
    BatchQuality,
    Conclude,
    DueBatch,
    ExtractionRun,
    RunCall,
    Triggers,
    Unanalysed,
)
from chingoo.model.forgetting import Purged
from chingoo.model.people import Relationship
from chingoo.model.turn import CrisisEvent


class UpkeepRows:
    """The ports UpkeepStore, BatchStore, CrisisEvents, and Jobs, since a queued job is a row of the same database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # crisis events
    async def take_crisis_events(self, limit: int, held_s: float) -> list[tuple[CrisisEvent, int]]:
        """Take what is due."""
        return await crisis_events.take(self._database, limit, held_s)

    async def crisis_event_delivered(self, user_id: UUID, event_id: UUID) -> None:
        """Somebody has it."""
        await crisis_events.delivered(self._database, user_id, event_id)

    async def crisis_event_later(self, user_id: UUID, event_id: UUID, wait_s: float) -> None:
        """Nobody has it yet."""
        await crisis_events.later(self._database, user_id, event_id, wait_s)

    # upkeep
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

    async def purge_forgotten(self, now: datetime, user_ids: Sequence[UUID] | None) -> Purged:
        """Erase what was forgotten for good."""
        return await purge.purge_forgotten(self._database, now, user_ids)

    # batches
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

    # the queue
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
        """Queue the after-turn job of a user, unless one is waiting (`ports.upkeep.Jobs`)."""
        await upkeep.defer_after_turn(self._database, user_id)
