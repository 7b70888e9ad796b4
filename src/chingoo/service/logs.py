"""Reading the decision log and the two audit logs."""

from datetime import datetime
from typing import Any
from uuid import UUID

from chingoo.ports import Page, Store


def _body(page: Page) -> dict[str, Any]:
    return {"items": [dict(item) for item in page.items], "next": page.next}


class LogService:
    """Pages of the logs, newest first (S-28, CRISIS-09, GUARD-10)."""

    def __init__(self, store: Store) -> None:
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
