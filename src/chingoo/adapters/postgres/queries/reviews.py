"""Samples of what batches made, and what reviewers say of them (BATCH-13)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, Database, execute
from chingoo.adapters.postgres.queries.rows import Row
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.reviews import JudgedSample, Review, ReviewVerdict, Sample, SampleRow

DRAW = Statement("""
insert into extraction_samples (user_id, memory_id, language, revision, sampled_at)
select %(user_id)s, x.memory_id, x.language, x.revision, %(sampled_at)s
from jsonb_to_recordset(%(samples)s::jsonb) as x (memory_id uuid, language text, revision text)
on conflict (user_id, memory_id) do nothing
""")

JUDGED = Statement("""
select s.given_at, s.verdict <> 'correct' as wrong from extraction_samples s
where s.revision = %(revision)s and s.verdict is not null order by s.given_at desc limit 10000
""")

_SHOWN = """s.user_id, s.memory_id, e.type, s.language, s.sampled_at, s.verdict, s.note, s.example, s.who, s.given_at
from extraction_samples s join memories e on e.user_id = s.user_id and e.memory_id = s.memory_id
    and e.forget_at is null
    and (e.invalid_reason is null or e.invalid_reason not in ('message_forgotten', 'forgotten', 'deleted'))"""
"""A sample is there for reviewers as long as its memory is not forgotten, also while that can be taken back."""

OPEN = Statement(f"""
select {_SHOWN} where s.verdict is null order by s.sampled_at, s.memory_id limit %(limit)s
""")

DONE = Statement(f"""
select {_SHOWN} where s.verdict is not null order by s.given_at desc, s.memory_id limit %(limit)s
""")

REVIEW = Statement(f"""
with before as (
    select {_SHOWN} where s.memory_id = %(memory_id)s for update of s
), given as (
    update extraction_samples s
    set verdict = %(verdict)s::review_verdict_word, note = %(note)s, example = %(example)s, who = %(who)s,
        given_at = %(given_at)s
    from before b where s.user_id = b.user_id and s.memory_id = b.memory_id
    returning s.memory_id
)
select b.* from before b join given g on g.memory_id = b.memory_id
""")
"""The sample as it was before."""

UNSAMPLE = Statement("""
delete from extraction_samples s
where s.user_id = %(user_id)s and s.memory_id = any(%(memories)s::uuid[])
""")
"""With the memories that are erased."""


async def draw(connection: Connection, user_id: UUID, samples: Sequence[Sample], sampled_at: object) -> None:
    """Keep what was drawn, in the transaction that writes the memories."""
    named = {"user_id": user_id, "samples": msgspec.json.encode(samples).decode(), "sampled_at": sampled_at}
    await execute(connection, DRAW, named)


async def judged_samples(database: Database, revision: str) -> list[JudgedSample]:
    """See `ReviewStore.judged_samples`."""
    return [JudgedSample(**row) for row in await database.rows(JUDGED, {"revision": revision})]


async def extraction_samples(database: Database, judged: bool, limit: int) -> list[SampleRow]:
    """See `ReviewStore.extraction_samples`."""
    return [_row(row) for row in await database.rows(DONE if judged else OPEN, {"limit": limit})]


async def review_sample(database: Database, memory_id: UUID, review: Review) -> tuple[SampleRow, bool] | None:
    """See `ReviewStore.review_sample`."""
    named: dict[str, Any] = {name: getattr(review, name) for name in Review.__slots__}
    row = await database.row(REVIEW, named | {"memory_id": memory_id, "verdict": review.verdict.value})
    if row is None:
        return None
    before = _row(row)
    return replace(before, review=review), before.review is None


def _row(row: Row) -> SampleRow:
    review = None
    if row["verdict"] is not None:
        verdict = ReviewVerdict(row["verdict"])
        review = Review(verdict, row["note"], row["example"], row["who"], row["given_at"])
    return SampleRow(row["user_id"], row["memory_id"], row["type"], row["language"], row["sampled_at"], review)
