"""The part of the store that reviewers stand on (`ports.ReviewStore`), on PostgreSQL."""

from uuid import UUID

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries import reviews
from chingoo.model.reviews import JudgedSample, Review, SampleRow


class ReviewRows:
    """Samples of what batches made, and verdicts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def judged_samples(self, revision: str) -> list[JudgedSample]:
        """The verdicts on what was made under a revision, the newest first."""
        return await reviews.judged_samples(self._database, revision)

    async def extraction_samples(self, judged: bool, limit: int) -> list[SampleRow]:
        """Samples that wait for a verdict, or that have one."""
        return await reviews.extraction_samples(self._database, judged, limit)

    async def review_sample(self, memory_id: UUID, review: Review) -> tuple[SampleRow, bool] | None:
        """Note what somebody says of a sample."""
        return await reviews.review_sample(self._database, memory_id, review)
