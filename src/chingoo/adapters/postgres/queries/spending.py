"""What a user's model calls cost of late (S-21)."""

from uuid import UUID

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.people import Spending

SPENT = Statement("""
select coalesce(sum(cost_usd), 0) as usd,
    coalesce(extract(epoch from min(created_at) + make_interval(hours => %(hours)s) - clock_timestamp()), 0)::float8
        as eases_in_s
from llm_calls
where user_id = %(user_id)s and created_at > clock_timestamp() - make_interval(hours => %(hours)s) and cost_usd > 0
""")


async def spending(database: Database, user_id: UUID, hours: int) -> Spending:
    """See `Store.spending`."""
    row = await database.row(SPENT, {"user_id": user_id, "hours": hours})
    return Spending(0.0, 0.0) if row is None else Spending(row["usd"], row["eases_in_s"])
