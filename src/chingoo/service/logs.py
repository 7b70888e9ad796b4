"""Reading the decision log and the two audit logs."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from chingoo.ports.logs import LogStore, Page


def _body(page: Page) -> dict[str, Any]:
    return {"items": [dict(item) for item in page.items], "next": page.next}


class LogService:
    """Pages of the logs, newest first (S-28, CRISIS-09, GUARD-10)."""

    def __init__(self, store: LogStore) -> None:
        self._store = store

    async def decisions(
        self, user_id: UUID | None, pipeline: str | None, since: datetime | None, limit: int, before: str | None
    ) -> dict[str, Any]:
        """Decision records; they hold no message text."""
        return _body(await self._store.decisions(user_id, pipeline, since, limit, before))

    async def audit(
        self, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
    ) -> dict[str, Any]:
        """Rows of one log, `guardrail` or `crisis`."""
        return _body(await self._store.audit(kind, user_id, since, limit, before))

    async def counts(self, first: date | None, last: date | None) -> dict[str, Any]:
        """Guard hits and crises by month, kind and language, over all users; all months unless bounded."""
        found = await self._store.safety_counts(first or date.min, last or date.max)
        return {
            "items": [
                {
                    "month": one.month.strftime("%Y-%m"),
                    "log": one.log,
                    "category": one.category,
                    "level": one.level,
                    "language": one.language,
                    "events": one.events,
                }
                for one in found
            ]
        }
