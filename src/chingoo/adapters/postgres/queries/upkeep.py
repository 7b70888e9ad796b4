"""What the jobs read and write: decay, expiry, what the after-turn job owes (JOB-02, JOB-03)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.faults import StatementRefusedError
from chingoo.adapters.postgres.queries.rows import RELATIONSHIP, relationship_of
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.people import Relationship

DECAY_CANDIDATES = Statement(f"""
select r.user_id, r.ai_friend_id, {RELATIONSHIP}
from relationships r
where (r.user_id, r.ai_friend_id) > (%(after_user)s, %(after_friend)s) and r.rapport_score > 0
    and r.last_interaction_at < %(now)s and (%(all_users)s or r.user_id = any(%(user_ids)s::uuid[]))
order by r.user_id, r.ai_friend_id limit %(limit)s
""")

WRITE_DECAY = Statement("""
with own as (
    update users set mem_version = mem_version + 1 where user_id = %(user_id)s returning user_id
),
decayed as (
    update relationships r set rapport_score = x.rapport_score, last_decay_at = x.last_decay_at
    from own, jsonb_to_record(%(after)s::jsonb) as x (rapport_score int, last_decay_at timestamptz)
    where r.user_id = own.user_id and r.ai_friend_id = %(ai_friend_id)s
        and r = jsonb_populate_record(r, %(before)s::jsonb)
    returning 1
)
select case when exists (select from decayed) then 'WRITTEN' else chingoo_refuse('CHANGED') end as outcome
""")
"""The user's row first, as settle does; undone as a whole where the relationship has moved on meanwhile: a row
is still as it was if writing the earlier values over it changes nothing."""

EXPIRE = Statement("""
with due as (
    select distinct e.user_id from memories e
    where e.status = 'ACTIVE' and e.expires_at <= %(now)s and (%(all_users)s or e.user_id = any(%(user_ids)s::uuid[]))
),
locked as materialized (
    select u.user_id from users u where u.user_id in (select user_id from due) order by u.user_id for no key update
),
own as (
    update users u set mem_version = u.mem_version + 1 from locked where u.user_id = locked.user_id returning u.user_id
),
expired as (
    update memories e set status = 'EXPIRED', updated_at = now()
    from own
    where e.user_id = own.user_id and e.status = 'ACTIVE' and e.expires_at <= %(now)s
    returning 1
)
select count(*) as expired from expired
""")
"""The users' rows first and in order, so that two runs, or a run and a turn, cannot lock each other out."""

UNATTENDED = Statement("""
select d.user_id from after_turn_due d
where not exists (
        select from procrastinate_jobs j where j.queueing_lock = 'after_turn:' || d.user_id and j.status = 'todo'
    )
    and not exists (select from procrastinate_jobs j where j.lock = 'after_turn:' || d.user_id and j.status = 'doing')
order by d.settled_at limit %(limit)s
""")

MARK = Statement("select settled_at from after_turn_due where user_id = %(user_id)s")

DONE = Statement("delete from after_turn_due where user_id = %(user_id)s and settled_at <= %(up_to)s returning 1")

DEFER = Statement("select chingoo_defer_after_turn(%(user_id)s)")

PING = Statement("select 1")

_FIRST = UUID(int=0)


async def decay_candidates(
    database: Database, now: datetime, limit: int, after: tuple[UUID, UUID] | None, user_ids: Sequence[UUID] | None
) -> list[tuple[UUID, UUID, Relationship]]:
    """See `Store.decay_candidates`."""
    user, friend = after or (_FIRST, _FIRST)
    named = _only(user_ids) | {"now": now, "limit": limit, "after_user": user, "after_friend": friend}
    found = await database.rows(DECAY_CANDIDATES, named)
    return [(row["user_id"], row["ai_friend_id"], relationship_of(row)) for row in found]


async def write_decay(
    database: Database, user_id: UUID, ai_friend_id: UUID, before: Relationship, after: Relationship
) -> bool:
    """See `Store.write_decay`."""
    named = {
        "user_id": user_id,
        "ai_friend_id": ai_friend_id,
        "before": msgspec.json.encode(before).decode(),
        "after": msgspec.json.encode(after).decode(),
    }
    try:
        return await database.row(WRITE_DECAY, named) is not None
    except StatementRefusedError:
        return False


async def expire_memories(database: Database, now: datetime, user_ids: Sequence[UUID] | None) -> int:
    """See `Store.expire_memories`."""
    row = await database.row(EXPIRE, _only(user_ids) | {"now": now})
    return int(row["expired"]) if row else 0


async def users_without_after_turn(database: Database, limit: int) -> list[UUID]:
    """See `Store.users_without_after_turn`."""
    return [row["user_id"] for row in await database.rows(UNATTENDED, {"limit": limit})]


async def after_turn_mark(database: Database, user_id: UUID) -> datetime | None:
    """See `Store.after_turn_mark`."""
    row = await database.row(MARK, {"user_id": user_id})
    return row["settled_at"] if row else None


async def mark_after_turn_done(database: Database, user_id: UUID, up_to: datetime) -> None:
    """See `Store.mark_after_turn_done`."""
    await database.rows(DONE, {"user_id": user_id, "up_to": up_to})


async def defer_after_turn(database: Database, user_id: UUID) -> None:
    """See `Jobs.defer_after_turn`."""
    await database.rows(DEFER, {"user_id": user_id})


def _only(user_ids: Sequence[UUID] | None) -> dict[str, Any]:
    return {"all_users": user_ids is None, "user_ids": list(user_ids or ())}
