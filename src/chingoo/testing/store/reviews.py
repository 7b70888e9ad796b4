"""The fake store's samples for people to look at: the same rules as the SQL."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from chingoo.model.corrections import InvalidReason
from chingoo.model.reviews import JudgedSample, Review, ReviewVerdict, SampleRow
from chingoo.testing.store.state import State

_FORGOTTEN = {InvalidReason.MESSAGE_FORGOTTEN, InvalidReason.FORGOTTEN, InvalidReason.DELETED}


class FakeReviews:
    """The part of the fake store that is `ReviewStore`."""

    def _rows(self) -> State:
        raise NotImplementedError

    async def judged_samples(self, revision: str) -> list[JudgedSample]:
        """The verdicts on what was made under a revision, the newest first."""
        kept = self._rows().samples.values()
        given = [review for one, _, review in kept if review is not None and one.revision == revision]
        given.sort(key=lambda review: review.given_at, reverse=True)
        return [JudgedSample(review.given_at, review.verdict is not ReviewVerdict.CORRECT) for review in given]

    async def extraction_samples(self, judged: bool, limit: int) -> list[SampleRow]:
        """Samples that wait for a verdict, or that have one."""
        state = self._rows()
        rows = [row for key in state.samples if (row := _row(state, key)) is not None]
        rows = [row for row in rows if (row.review is not None) == judged]
        rows.sort(key=lambda row: row.memory_id)
        rows.sort(key=lambda row: _order(row, judged), reverse=judged)
        return rows[:limit]

    async def review_sample(self, memory_id: UUID, review: Review) -> tuple[SampleRow, bool] | None:
        """Note what somebody says of a sample."""
        state = self._rows()
        for key in state.samples:
            before = _row(state, key) if key[1] == memory_id else None
            if before is not None:
                state.samples[key] = (*state.samples[key][:2], review)
                return replace(before, review=review), before.review is None
        return None


def _order(row: SampleRow, judged: bool) -> datetime:
    return row.review.given_at if judged and row.review is not None else row.sampled_at


def _row(state: State, key: tuple[UUID, UUID]) -> SampleRow | None:
    sample, at, review = state.samples[key]
    memory = state.memories.get(key)
    if memory is None or memory.forget_at is not None or memory.invalid_reason in _FORGOTTEN:
        return None
    return SampleRow(key[0], key[1], memory.type, sample.language, at, review)
