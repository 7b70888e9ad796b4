"""The events that tell a human of a crisis: taken by one process at a time, and kept until somebody has them."""

from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.turn import CrisisEvent

TAKE = Statement("""
with due as (
    select e.user_id, e.event_id from crisis_events e
    where e.delivered_at is null and e.due_at <= now()
    order by e.due_at limit %(limit)s for update skip locked
)
update crisis_events e
set due_at = now() + make_interval(secs => %(held_s)s), tries = e.tries + 1
from due
where e.user_id = due.user_id and e.event_id = due.event_id
returning e.event_id, e.user_id, e.message_id, e.level, e.language, e.country, e.created_at, e.tries
""")
"""Whoever takes an event has it for a while: if they die with it, it falls due again."""

DELIVERED = Statement("""
update crisis_events e set delivered_at = now()
where e.user_id = %(user_id)s and e.event_id = %(event_id)s and e.delivered_at is null
returning 1
""")

LATER = Statement("""
update crisis_events e set due_at = now() + make_interval(secs => %(wait_s)s)
where e.user_id = %(user_id)s and e.event_id = %(event_id)s and e.delivered_at is null
returning 1
""")


async def take(database: Database, limit: int, held_s: float) -> list[tuple[CrisisEvent, int]]:
    """See `CrisisEvents.take_crisis_events`."""
    rows = [dict(row) for row in await database.rows(TAKE, {"limit": limit, "held_s": held_s})]
    return [(msgspec.convert(row, CrisisEvent), row["tries"]) for row in rows]


async def delivered(database: Database, user_id: UUID, event_id: UUID) -> None:
    """See `CrisisEvents.crisis_event_delivered`."""
    await database.rows(DELIVERED, {"user_id": user_id, "event_id": event_id})


async def later(database: Database, user_id: UUID, event_id: UUID, wait_s: float) -> None:
    """See `CrisisEvents.crisis_event_later`."""
    await database.rows(LATER, {"user_id": user_id, "event_id": event_id, "wait_s": wait_s})
