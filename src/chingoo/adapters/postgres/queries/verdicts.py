"""What is learned of policies in use: how often entries are seen, and what editors say of decisions (S-28)."""

from collections.abc import Sequence
from datetime import date, datetime
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, Database, execute
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.policies import EntryCount, Verdict

ADD_HITS = Statement("""
insert into policy_hits as h (day, digest, entry, hits, refusals)
select x.day, x.digest, x.entry, x.hits, x.refusals
from jsonb_to_recordset(%(counts)s::jsonb) as x (day date, digest text, entry text, hits bigint, refusals bigint)
order by x.day, x.digest, x.entry
on conflict (day, digest, entry) do update
set hits = h.hits + excluded.hits, refusals = h.refusals + excluded.refusals
""")
"""In the order of the key, so that two processes cannot lock each other out."""

HITS = Statement("""
select digest, entry, day, hits, refusals from policy_hits where day >= %(since)s::date order by day, digest, entry
""")

VERDICT = Statement("""
with given as (
    insert into decision_verdicts (user_id, decision_id, verdict, note, who, given_at)
    select d.user_id, d.decision_id, %(verdict)s::verdict_word, %(note)s, %(who)s, %(now)s
    from decisions d join users u on u.user_id = d.user_id
    where d.decision_id = %(decision_id)s for key share of u
    on conflict (user_id, decision_id) do update
    set verdict = excluded.verdict, note = excluded.note, who = excluded.who, given_at = excluded.given_at
    returning 1
)
select count(*) as given from given
""")


async def add_hits(database: Database, counts: Sequence[EntryCount]) -> None:
    """See `PolicyRecords.add_hits`."""

    async def work(connection: Connection) -> None:
        await execute(connection, ADD_HITS, {"counts": msgspec.json.encode(counts).decode()})

    await database.run(work)


async def hits(database: Database, since: date) -> list[EntryCount]:
    """See `PolicyRecords.hits`."""
    return [EntryCount(**row) for row in await database.rows(HITS, {"since": since})]


async def give_verdict(
    database: Database, decision_id: UUID, verdict: Verdict, note: str | None, who: str, now: datetime
) -> bool:
    """See `PolicyRecords.give_verdict`."""
    named = {"decision_id": decision_id, "verdict": verdict.value, "note": note, "who": who, "now": now}
    row = await database.row(VERDICT, named)
    return row is not None and row["given"] > 0
