"""People look at a sample of what batches made, and say what is right (BATCH-13, TEL-12)."""

from typing import Any, Final
from uuid import UUID

from chingoo.errors import NotFoundError
from chingoo.flow.answers import instant
from chingoo.model.reviews import Review, ReviewVerdict, SampleRow
from chingoo.ports.machine import Clock, Metrics
from chingoo.ports.reviews import ReviewStore

REVIEWS: Final = "chingoo_extraction_reviews_total"


class ReviewService:
    """The samples and the verdicts. No sample holds a person's words: those are read where they are kept."""

    def __init__(self, store: ReviewStore, clock: Clock, metrics: Metrics) -> None:
        self._store, self._clock, self._metrics = store, clock, metrics

    async def samples(self, judged: bool, limit: int) -> dict[str, Any]:
        """Those that wait, the oldest first, or those with a verdict, the newest first."""
        return {"items": [_shown(one) for one in await self._store.extraction_samples(judged, limit)]}

    async def review(
        self, memory_id: UUID, verdict: ReviewVerdict, note: str | None, example: str | None, who: str
    ) -> dict[str, Any]:
        """Note a verdict. Another one takes its place, and only the first is counted."""
        given = await self._store.review_sample(memory_id, Review(verdict, note, example, who, self._clock.now()))
        if given is None:
            raise NotFoundError("no sample of that memory, or it is forgotten by now")
        sample, is_first = given
        if is_first:
            self._metrics.count(REVIEWS, {"verdict": verdict.value, "language": sample.language})
        return _shown(sample)


def _shown(sample: SampleRow) -> dict[str, Any]:
    review = sample.review
    return {
        "memory_id": str(sample.memory_id),
        "user_id": str(sample.user_id),
        "type": sample.type,
        "language": sample.language,
        "sampled_at": instant(sample.sampled_at),
        "review": None
        if review is None
        else {
            "verdict": review.verdict.value,
            "note": review.note,
            "example": review.example,
            "who": review.who,
            "given_at": instant(review.given_at),
        },
    }
