"""The part of the store in which people look at what batches made (BATCH-13)."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from chingoo.model.reviews import JudgedSample, Review, SampleRow


class ReviewStore(Protocol):
    """Samples of what batches made; they leave with the memories they are of."""

    async def judged_samples(self, revision: str) -> Sequence[JudgedSample]:
        """The verdicts on what was made under a revision, the newest first."""
        ...

    async def extraction_samples(self, judged: bool, limit: int) -> Sequence[SampleRow]:
        """Samples that wait for a verdict, the oldest first, or that have one, the newest first; none forgotten."""
        ...

    async def review_sample(self, memory_id: UUID, review: Review) -> tuple[SampleRow, bool] | None:
        """Note a verdict in the place of an earlier one: the sample, and whether it was the first. None: no sample."""
        ...
