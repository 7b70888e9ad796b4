"""What clients ask in a query string: strict structs like those of bodies, each parameter given once."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from chingoo.model.enums import (
    MemoryStatus,
    Pipeline,
)
from chingoo.web.bodies import Body
from chingoo.web.choices import Instant, Month
from chingoo.web.texts import (
    Cursor,
    MessageText,
    PlainText,
)

Limit = Annotated[int, Meta(ge=1, le=200, description="items on a page")]


class AuditKind(StrEnum):
    """The two separate logs (GUARD-10, CRISIS-09)."""

    GUARDRAIL = "guardrail"
    CRISIS = "crisis"


class SamplesQuery(Body):
    """Samples that wait for a verdict, the oldest first, or those that have one, the newest first."""

    judged: bool = False
    limit: Limit = 50


class StoredTurnQuery(Body):
    """Whose message it is; with a user's token it may be left out."""

    user_id: UUID | None = None


class MessagesQuery(Body):
    """A page of the history, the newest first when `before` is left out."""

    limit: Limit = 50
    before: Cursor | None = None


class MemoriesQuery(Body):
    """Which memories; the ACTIVE ones by default."""

    status: MemoryStatus | None = None
    type: PlainText | None = None
    include_inactive: bool = False


class ContextQuery(Body):
    """A message, as of which instant (default: now), and to whom (default: the only friend)."""

    text: MessageText
    at: Instant | None = None
    ai_friend_id: UUID | None = None


class AsOfQuery(Body):
    """As of which instant (default: now)."""

    now: Instant | None = None


class DecisionsQuery(Body):
    """Which decision records, newest first."""

    user_id: UUID | None = None
    pipeline: Pipeline | None = None
    since: Instant | None = None
    limit: Limit = 50
    before: Cursor | None = None


class AuditQuery(Body):
    """Which log, and which of its rows, newest first."""

    kind: AuditKind
    user_id: UUID | None = None
    since: Instant | None = None
    limit: Limit = 50
    before: Cursor | None = None


class CountsQuery(Body):
    """Which months; all of them unless bounded."""

    since: Month | None = None
    until: Month | None = None


class HistoryQuery(Body):
    """How many switches."""

    limit: Limit = 50
