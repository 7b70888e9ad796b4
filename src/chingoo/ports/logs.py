"""The part of the store that holds the decision records and the two safety logs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol
from uuid import UUID

from chingoo.model.turn import SafetyCount


@dataclass(frozen=True, slots=True)
class Page:
    """A page of rows, newest first or as the method says, and the cursor of the next, or None."""

    items: tuple[Mapping[str, Any], ...]
    next: str | None


class LogStore(Protocol):
    """Records of what was decided, without what was said (see `Store` for what its methods raise)."""

    async def decisions(
        self, user_id: UUID | None, pipeline: str | None, since: datetime | None, limit: int, before: str | None
    ) -> Page:
        """Decision records, newest first."""
        ...

    async def audit(
        self, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
    ) -> Page:
        """Rows of one of the two logs, `guardrail` or `crisis`, newest first."""
        ...

    async def safety_counts(self, first: date, last: date) -> list[SafetyCount]:
        """Guard hits and crises by month, for the months from `first` to `last`, in order."""
        ...
