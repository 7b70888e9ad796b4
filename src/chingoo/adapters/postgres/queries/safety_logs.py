"""What is logged of a guarded turn: in its own statement, and each part by itself where that failed (GUARD-10)."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.turn import Attempt, LogPart, SafetyCount, Settlement

_SLOTS = 16
"""Over how many rows a count is spread."""

_EVENT = """
    insert into crisis_events (user_id, event_id, message_id, level, language, country, created_at)
    select h.user_id, x.event_id, h.message_id, x.level, x.language, x.country, x.created_at
    from heard h
    cross join jsonb_to_recordset(%(event)s::jsonb) as x (event_id uuid, level crisis_level_word, language text,
        country text, created_at timestamptz)
    on conflict (user_id, event_id) do nothing
    returning 1
"""

_CRISIS = """
    insert into crisis_log (user_id, message_id, level, phrases, language, created_at)
    select h.user_id, h.message_id, x.level, x.phrases, x.language, %(received_at)s
    from heard h
    cross join jsonb_to_recordset(%(crisis)s::jsonb) as x (level crisis_level_word, phrases text[], language text)
    on conflict (user_id, message_id) do nothing
    returning level, language
"""

_GUARDRAIL = """
    insert into guard_log (user_id, message_id, category, language, created_at)
    select h.user_id, h.message_id, x.category, x.language, %(received_at)s
    from heard h cross join jsonb_to_recordset(%(guard)s::jsonb) as x (category text, language text)
    on conflict (user_id, message_id) do nothing
    returning category, language
"""

_COUNTS = f"""
    insert into safety_counts (month, log, category, level, language, slot, events)
    select date_trunc('month', %(received_at)s::timestamptz at time zone 'UTC')::date, x.log, x.category, x.level,
        x.language, floor(random() * {_SLOTS})::smallint, 1
    from (
        select 'crisis' as log, '' as category, a.level::text as level, a.language from alarmed a
        union all
        select 'guardrail', g.category, '', g.language from guarded g
    ) as x
    on conflict (month, log, category, level, language, slot) do update set events = safety_counts.events + 1
    returning 1
"""

LOGS = f""",
reported as ({_EVENT}),
alarmed as ({_CRISIS}),
guarded as ({_GUARDRAIL}),
counted as ({_COUNTS})"""
"""Parts of a statement that has `heard`, the message in question. Only what is logged anew is counted."""

_HEARD = """
with heard as materialized (
    select u.user_id, %(message_id)s::uuid as message_id from users u where u.user_id = %(user_id)s for key share
)"""
"""The message, if its person is still there: nothing is logged of one who was erased meanwhile (C-68)."""

APART: Mapping[LogPart, Statement] = {
    LogPart.EVENT: Statement(f"{_HEARD}{_EVENT}"),
    LogPart.CRISIS: Statement(f"{_HEARD}{_CRISIS}"),
    LogPart.GUARDRAIL: Statement(f"{_HEARD}{_GUARDRAIL}"),
    LogPart.COUNTS: Statement(f"""
with alarmed as (
    select x.level, x.language from jsonb_to_recordset(%(crisis)s::jsonb) as x (level text, language text)
),
guarded as (
    select x.category, x.language from jsonb_to_recordset(%(guard)s::jsonb) as x (category text, language text)
)
{_COUNTS}"""),
}

COUNTS = Statement("""
select c.month, c.log, nullif(c.category, '') as category, nullif(c.level, '') as level, c.language,
    sum(c.events)::bigint as events
from safety_counts c
where c.month between %(first)s and %(last)s
group by c.month, c.log, c.category, c.level, c.language
order by c.month, c.log, c.category, c.level, c.language
""")

_encode = msgspec.json.encode


def log_parameters(made: Settlement | Attempt) -> dict[str, Any]:
    """The rows that a turn leaves in the logs, as lists of one or none."""
    rows = {"crisis": made.crisis, "guard": made.guard, "event": made.event}
    return {name: _encode(() if row is None else (row,)).decode() for name, row in rows.items()}


async def write_log(database: Database, part: LogPart, made: Settlement | Attempt) -> None:
    """See `Store.write_log`."""
    whose = {"user_id": made.request.user_id, "message_id": made.request.message_id, "received_at": made.received_at}
    await database.rows(APART[part], whose | log_parameters(made))


async def safety_counts(database: Database, first: date, last: date) -> list[SafetyCount]:
    """See `Store.safety_counts`."""
    rows = await database.rows(COUNTS, {"first": first, "last": last})
    return [msgspec.convert(dict(row), SafetyCount) for row in rows]
