"""Batches of messages for a model to look at: which are due, what they hold, how they end (BATCH-02…04, BATCH-15)."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, Database, execute, fetch
from chingoo.adapters.postgres.queries import reviews
from chingoo.adapters.postgres.queries.edits import write_edit
from chingoo.adapters.postgres.queries.remembered import LOCK, remembered
from chingoo.adapters.postgres.statements import Statement
from chingoo.errors import NotFoundError
from chingoo.model.enums import Mode, Role
from chingoo.model.extraction import (
    SPOILT,
    BatchQuality,
    Conclude,
    DueBatch,
    ExtractionRun,
    RunCall,
    Trigger,
    Triggers,
    Unanalysed,
)
from chingoo.model.people import StoredMessage

DUE = Statement("""
select distinct on (c.user_id) c.user_id, c.ai_friend_id, c.conversation_id,
    case when c.last_received_at <= %(quiet_before)s then 'session_closed'
        when c.pending_extraction_count >= %(messages)s then 'messages' else 'cron' end as triggered_by,
    (select count(*) from extraction_runs r
        where r.user_id = c.user_id and r.conversation_id = c.conversation_id and r.error = any(%(spoilt)s)
            and r.created_at > coalesce((
                select max(g.created_at) from extraction_runs g
                where g.user_id = c.user_id and g.conversation_id = c.conversation_id and g.error is null
                    and g.llm_model is not null), '-infinity')) as spoilt
from conversations c
where c.user_id > %(after)s and c.pending_extraction_count > 0
    and (%(all_users)s or c.user_id = any(%(user_ids)s::uuid[]))
    and not exists (
        select from extraction_runs r where r.user_id = c.user_id and r.created_at > %(ran_before)s)
    and (c.last_received_at <= %(quiet_before)s or c.pending_extraction_count >= %(messages)s or exists (
        select from messages m
        where m.user_id = c.user_id and m.conversation_id = c.conversation_id and m.mode = 'friend'
            and m.seq > c.extracted_seq and m.role = 'user' and m.created_at <= %(waited_before)s))
order by c.user_id, c.last_received_at, c.conversation_id limit %(limit)s
""")
"""One conversation of a person, the one that has been quiet longest."""

UNANALYSED = Statement("""
select m.message_id, m.role, m.seq, m.text, m.created_at, m.is_forgotten
from conversations c
join messages m on m.user_id = c.user_id and m.conversation_id = c.conversation_id and m.mode = 'friend'
    and m.seq > c.extracted_seq
where c.user_id = %(user_id)s and c.conversation_id = %(conversation_id)s and m.seq < coalesce((
    select min(p.seq) from messages p
    where p.user_id = c.user_id and p.conversation_id = c.conversation_id and p.mode = 'friend'
        and p.seq > c.extracted_seq and p.status = 'PROCESSING'), 9223372036854775807)
order by m.seq limit %(limit)s
""")
"""Up to a message that is still being answered: it and what follows is for the next batch."""

BEGIN = Statement("""
insert into extraction_runs (user_id, run_id, conversation_id, triggered_by, up_to, messages_analyzed, deltas_applied,
    counts, input_tokens, output_tokens, duration_ms, error, created_at)
select %(user_id)s, %(run_id)s, %(conversation_id)s, %(triggered_by)s, %(up_to)s, %(messages_analyzed)s, 0, '{}', 0, 0,
    0, %(error)s, %(created_at)s
where not exists (
    select from extraction_runs r where r.user_id = %(user_id)s and r.created_at > %(ran_before)s)
returning 1
""")

END = Statement("""
update extraction_runs r
set deltas_applied = %(deltas_applied)s, counts = %(counts)s::jsonb, llm_model = %(llm_model)s,
    input_tokens = %(input_tokens)s, output_tokens = %(output_tokens)s, duration_ms = %(duration_ms)s, error = %(error)s
where r.user_id = %(user_id)s and r.run_id = %(run_id)s
""")

LOOKED_AT = Statement("""
update conversations c
set extracted_seq = greatest(c.extracted_seq, %(up_to)s), last_extraction_at = %(created_at)s,
    pending_extraction_count = (
        select count(*) from messages m
        where m.user_id = c.user_id and m.conversation_id = c.conversation_id and m.mode = 'friend'
            and m.seq > greatest(c.extracted_seq, %(up_to)s) and m.role = 'user' and m.source = 'chat'
            and m.status = 'COMPLETED')
where c.user_id = %(user_id)s and c.conversation_id = %(conversation_id)s
""")

CALLED = Statement("""
insert into llm_calls (user_id, call_id, message_id, operation, provider, model, input_tokens, output_tokens,
    duration_ms, cost_usd, error)
select %(user_id)s, x.call_id, %(message_id)s, x.operation, x.provider, x.model, x.input_tokens, x.output_tokens,
    x.duration_ms, x.cost_usd, x.error
from jsonb_to_record(%(call)s::jsonb) as x (call_id uuid, operation text, provider text, model text, input_tokens int,
    output_tokens int, duration_ms float8, cost_usd float8, error text)
""")

QUALITY = Statement("""
select count(*) as made, count(*) filter (where exists (
    select from corrections k where k.user_id = e.user_id and k.deactivated_memory_id = e.memory_id)) as wrong
from memories e
where e.extracted_from = 'batch' and e.created_at > %(since)s
""")

_FIRST = UUID(int=0)


async def due(
    database: Database,
    now: datetime,
    triggers: Triggers,
    limit: int,
    after: UUID | None,
    user_ids: Sequence[UUID] | None,
) -> list[DueBatch]:
    """See `Store.due_batches`."""
    named = {
        "quiet_before": now - triggers.gap,
        "messages": triggers.messages,
        "waited_before": now - triggers.wait,
        "ran_before": now - triggers.apart,
        "spoilt": list(SPOILT),
        "after": after or _FIRST,
        "limit": limit,
        "all_users": user_ids is None,
        "user_ids": list(user_ids or ()),
    }
    return [
        DueBatch(
            row["user_id"],
            row["ai_friend_id"],
            row["conversation_id"],
            Trigger(row["triggered_by"]),
            row["spoilt"],
        )
        for row in await database.rows(DUE, named)
    ]


async def unanalysed(database: Database, user_id: UUID, conversation_id: UUID, limit: int) -> Unanalysed:
    """See `Store.unanalysed`."""
    named = {"user_id": user_id, "conversation_id": conversation_id, "limit": limit}
    rows = await database.rows(UNANALYSED, named)
    shown = (row for row in rows if not row["is_forgotten"] and row["text"] is not None)
    messages = tuple(
        StoredMessage(row["message_id"], Role(row["role"]), Mode.FRIEND, row["text"], row["created_at"])
        for row in shown
    )
    return Unanalysed(messages, max((row["seq"] for row in rows), default=0))


async def begin(database: Database, run: ExtractionRun, triggers: Triggers) -> bool:
    """See `Store.begin_extraction`."""

    async def work(connection: Connection) -> bool:
        async with connection.transaction():
            if not await fetch(connection, LOCK, {"user_id": run.user_id}):
                raise NotFoundError("no such user")
            named = _named(run) | {"ran_before": run.created_at - triggers.apart}
            return bool(await fetch(connection, BEGIN, named))

    return await database.run(work)


async def end(database: Database, user_id: UUID, call: RunCall | None, conclude: Conclude) -> ExtractionRun:
    """See `Store.end_extraction`."""

    async def work(connection: Connection) -> ExtractionRun:
        async with connection.transaction():
            before = await remembered(connection, database.vault, user_id, None)
            edit, run = conclude(before)
            if not edit.is_empty:
                await write_edit(connection, database.vault, user_id, None, edit)
            named = _named(run)
            await execute(connection, END, named)
            if run.samples:
                await reviews.draw(connection, user_id, run.samples, run.created_at)
            if run.error is None:
                await execute(connection, LOOKED_AT, named)
            if call is not None:
                written = msgspec.json.encode(call.call).decode()
                await execute(connection, CALLED, {"user_id": user_id, "message_id": call.message_id, "call": written})
            return run

    return await database.run(work)


async def quality(database: Database, since: datetime) -> BatchQuality:
    """See `Store.batch_quality`."""
    row = await database.row(QUALITY, {"since": since})
    return BatchQuality(0, 0) if row is None else BatchQuality(row["made"], row["wrong"])


def _named(run: ExtractionRun) -> dict[str, object]:
    named: dict[str, object] = {name: getattr(run, name) for name in ExtractionRun.__slots__ if name != "samples"}
    return named | {"triggered_by": run.triggered_by.value, "counts": msgspec.json.encode(run.counts).decode()}
