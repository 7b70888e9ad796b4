"""The daily ceiling of what models may cost for one person (S-21)."""

from typing import Final
from uuid import UUID

from chingoo.model.people import Spending
from chingoo.ports.turns import TurnStore

_HOURS: Final = 24  # a day, as the name says: `daily_ceiling_usd`


async def over_ceiling(store: TurnStore, user_id: UUID, ceiling_usd: float | None) -> Spending | None:
    """What the person's models have cost in a day if that is the ceiling or more; None below it, or without one."""
    if ceiling_usd is None:
        return None
    spent = await store.spending(user_id, _HOURS)
    return spent if spent.usd >= ceiling_usd else None
