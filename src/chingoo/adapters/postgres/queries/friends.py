"""Friends and their personas, assigned under one lock over all users (PERS-11…17)."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from chingoo.adapters.postgres.database import Connection, Database, execute, fetch
from chingoo.adapters.postgres.queries.rows import FRIEND, MISSING, RELATIONSHIP, friend_of, relationship_of
from chingoo.adapters.postgres.statements import Statement
from chingoo.errors import ConflictError, FieldError, NotFoundError
from chingoo.model.people import Assignment, Friend, LaterAssignment, Relationship, Window
from chingoo.ports import ChooseAssignment

FRIENDS = Statement(f"""
select f.user_id, {FRIEND}, {RELATIONSHIP}
from friends f join relationships r on r.user_id = f.user_id and r.ai_friend_id = f.ai_friend_id
where f.user_id = %(user_id)s
order by f.assigned_at, f.ai_friend_id
""")

READ = Statement(f"""
select f.user_id, {FRIEND}, {RELATIONSHIP}
from friends f join relationships r on r.user_id = f.user_id and r.ai_friend_id = f.ai_friend_id
where f.user_id = %(user_id)s and f.ai_friend_id = %(ai_friend_id)s
""")

KNOWN_USER = Statement("select 1 from users where user_id = %(user_id)s")

LACKING = Statement(f"select {MISSING} as missing from users u where u.user_id = %(user_id)s for no key update")

TAKE_TURNS = Statement("select pg_advisory_xact_lock(%(lock)s)")

WINDOW = Statement("""
with bounds as (
    select %(assigned_at)s::timestamptz - %(window)s::interval as since, %(assigned_at)s::timestamptz as until,
        date_trunc('minute', %(assigned_at)s::timestamptz - %(window)s::interval + interval '1 minute'
            - interval '1 microsecond', 'UTC') as first_minute,
        date_trunc('minute', %(assigned_at)s::timestamptz, 'UTC') as last_minute,
        date_trunc('hour', %(assigned_at)s::timestamptz - %(window)s::interval + interval '1 hour'
            - interval '1 microsecond', 'UTC') as first_hour,
        date_trunc('hour', %(assigned_at)s::timestamptz, 'UTC') as last_hour
)
select combo_key, sum(assignments)::bigint as assignments, null::bigint as total
from (
    select a.combo_key, 1 as assignments
    from persona_assignments a, bounds b
    where a.assigned_at >= b.since and a.assigned_at < least(b.first_minute, b.until)
    union all
    select m.combo_key, m.assignments
    from persona_assignment_minutes m, bounds b
    where m.minute >= b.first_minute and m.minute < least(b.first_hour, b.last_minute)
    union all
    select h.combo_key, h.assignments
    from persona_assignment_hours h, bounds b where h.hour >= b.first_hour and h.hour < b.last_hour
    union all
    select m.combo_key, m.assignments
    from persona_assignment_minutes m, bounds b
    where m.minute >= greatest(b.last_hour, b.first_hour) and m.minute < b.last_minute
    union all
    select a.combo_key, 1
    from persona_assignments a, bounds b
    where a.assigned_at >= greatest(b.last_minute, b.first_minute) and a.assigned_at < b.until
) as assigned
group by combo_key
union all
select combo_key, taken, min(total)
from (
    select combo_key, assigned_at, fallback,
        count(*) over (order by assigned_at
            range between %(window)s::interval preceding and interval '1 microsecond' preceding) as total,
        count(*) over (partition by combo_key order by assigned_at
            range between %(window)s::interval preceding and interval '1 microsecond' preceding) as taken
    from persona_assignments
    where assigned_at >= %(assigned_at)s::timestamptz - %(window)s::interval
        and assigned_at <= %(assigned_at)s::timestamptz + %(window)s::interval
        and exists (
            select from persona_assignments
            where assigned_at > %(assigned_at)s::timestamptz
                and assigned_at <= %(assigned_at)s::timestamptz + %(window)s::interval
        )
) as seen_late
where assigned_at > %(assigned_at)s::timestamptz and not fallback
group by combo_key, taken
""")
"""The assignments in [at − window, at), exactly: whole hours and the minutes beside them counted, the rest from rows.

Rows with a total are later assignments (taken, and how many stood before it at least); there are none, and nothing is
read for them, unless this one arrives late. The second part counts from the rows: late arrivals are rare.
"""

CREATE = Statement("""
with made as (
    insert into friends (user_id, ai_friend_id, conversation_id, name, persona_template_id, persona_seed,
        msg_length_pref, emoji_freq, humor_mode, directness_level, followup_question_rate, lexicon_bias,
        punctuation_quirks, combo_archetype, combo_humor_mode, combo_energy, fallback, assigned_at)
    values (%(user_id)s, %(ai_friend_id)s, %(conversation_id)s, %(name)s, %(persona_template_id)s, %(persona_seed)s,
        %(msg_length_pref)s, %(emoji_freq)s, %(humor_mode)s, %(directness_level)s, %(followup_question_rate)s,
        %(lexicon_bias)s, %(punctuation_quirks)s, %(combo_archetype)s, %(combo_humor_mode)s, %(combo_energy)s,
        %(fallback)s, %(assigned_at)s)
),
met as (
    insert into relationships (user_id, ai_friend_id) values (%(user_id)s, %(ai_friend_id)s)
),
owned as (
    insert into conversation_owners (conversation_id, user_id) values (%(conversation_id)s, %(user_id)s)
),
opened as (
    insert into conversations (user_id, conversation_id, ai_friend_id)
    values (%(user_id)s, %(conversation_id)s, %(ai_friend_id)s)
),
counted as (
    insert into persona_assignment_minutes as m (minute, combo_key, assignments)
    values (date_trunc('minute', %(assigned_at)s::timestamptz, 'UTC'), %(combo_key)s, 1)
    on conflict (minute, combo_key) do update set assignments = m.assignments + 1
),
summed as (
    insert into persona_assignment_hours as h (hour, combo_key, assignments)
    values (date_trunc('hour', %(assigned_at)s::timestamptz, 'UTC'), %(combo_key)s, 1)
    on conflict (hour, combo_key) do update set assignments = h.assignments + 1
)
insert into persona_assignments (assigned_at, combo_key, fallback)
values (%(assigned_at)s, %(combo_key)s, %(fallback)s)
""")

_ASSIGNMENT_LOCK = 0x6368696E_676F6F02  # "chingoo" and 2


async def create_friend(
    database: Database,
    user_id: UUID,
    ai_friend_id: UUID,
    conversation_id: UUID,
    name: str | None,
    assigned_at: datetime,
    required: tuple[str, ...],
    length: timedelta,
    choose: ChooseAssignment,
) -> tuple[Friend, bool]:
    """See `Store.create_friend`."""
    key = {"user_id": user_id, "ai_friend_id": ai_friend_id}

    async def work(connection: Connection) -> tuple[Friend, bool]:
        async with connection.transaction():
            lacking = await fetch(connection, LACKING, key | {"required": list(required)})
            if not lacking:
                raise NotFoundError("no such user")
            if known := await fetch(connection, READ, key):
                return friend_of(known[0]), False
            if missing := lacking[0]["missing"]:
                raise answers_missing(missing)
            await fetch(connection, TAKE_TURNS, {"lock": _ASSIGNMENT_LOCK})
            window = await _window(connection, assigned_at, length)
            friend = Friend(user_id, ai_friend_id, conversation_id, name, choose(window), assigned_at)
            await execute(connection, CREATE, _columns(friend))
            return friend, True

    return await database.run(work)


def answers_missing(missing: list[str]) -> ConflictError:
    """The error for a friend before the answers are complete (ONB-12)."""
    return ConflictError(
        f"onboarding is not complete; missing: {', '.join(missing)}",
        [FieldError(f"/{name}", "not answered yet") for name in missing],
    )


async def friends(database: Database, user_id: UUID) -> list[tuple[Friend, Relationship]]:
    """See `Store.friends`."""
    found = await database.rows(FRIENDS, {"user_id": user_id})
    if not found and await database.row(KNOWN_USER, {"user_id": user_id}) is None:
        raise NotFoundError("no such user")
    return [(friend_of(row), relationship_of(row)) for row in found]


async def friend(database: Database, user_id: UUID, ai_friend_id: UUID) -> tuple[Friend, Relationship]:
    """See `Store.friend`."""
    row = await database.row(READ, {"user_id": user_id, "ai_friend_id": ai_friend_id})
    if row is None:
        raise NotFoundError("no such friend")
    return friend_of(row), relationship_of(row)


async def _window(connection: Connection, assigned_at: datetime, length: timedelta) -> Window:
    found = await fetch(connection, WINDOW, {"assigned_at": assigned_at, "window": length})
    by_combo = {row["combo_key"]: int(row["assignments"]) for row in found if row["total"] is None}
    later = tuple(
        LaterAssignment(row["combo_key"], int(row["total"]), int(row["assignments"]))
        for row in found
        if row["total"] is not None
    )
    return Window(total=sum(by_combo.values()), by_combo=by_combo, later=later)


def _columns(friend: Friend) -> dict[str, Any]:
    assignment: Assignment = friend.assignment
    style, combo = assignment.stable_style_params, assignment.combo_key
    return {
        "user_id": friend.user_id,
        "ai_friend_id": friend.ai_friend_id,
        "conversation_id": friend.conversation_id,
        "name": friend.name,
        "persona_template_id": assignment.persona_template_id,
        "persona_seed": assignment.persona_seed,
        "msg_length_pref": style.msg_length_pref.value,
        "emoji_freq": style.emoji_freq.value,
        "humor_mode": style.humor_mode.value,
        "directness_level": style.directness_level.value,
        "followup_question_rate": style.followup_question_rate.value,
        "lexicon_bias": style.lexicon_bias.value,
        "punctuation_quirks": style.punctuation_quirks,
        "combo_archetype": combo.core_archetype.value,
        "combo_humor_mode": combo.humor_mode.value,
        "combo_energy": combo.friend_energy.value,
        "combo_key": str(combo),
        "fallback": assignment.fallback,
        "assigned_at": friend.assigned_at,
    }
