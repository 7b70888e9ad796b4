"""The part of the store that batches of extraction stand on (BATCH-01…09)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from chingoo.model.extraction import BatchQuality, Conclude, DueBatch, ExtractionRun, RunCall, Triggers, Unanalysed


class BatchStore(Protocol):
    """Messages that a model is to look at, and what it made of them (see `Store` for what its methods raise)."""

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
