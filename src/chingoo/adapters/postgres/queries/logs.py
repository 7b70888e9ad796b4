"""Pages of the decision log and of the two audit logs, newest first (S-28, GUARD-10, CRISIS-09)."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres import cursors
from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries.rows import Row
from chingoo.adapters.postgres.statements import Statement
from chingoo.errors import FieldError, InvalidInputError
from chingoo.model.enums import Pipeline
from chingoo.ports.logs import Page

_DECISION = """d.decision_id, d.trace_id, d.message_id, d.user_id, d.received_at, d.pipeline, d.safety_policy, d.rules,
        d.digest, d.timings_ms"""
_VERDICT = "v.verdict, v.note, v.who, v.given_at"
_JUDGED = "left join decision_verdicts v on v.user_id = d.user_id and v.decision_id = d.decision_id"

_OLDER = "(d.received_at, d.decision_id) < (%(before_at)s::timestamptz, %(before_id)s::uuid)"

DECISIONS_OF_USER = Statement(f"""
select {_DECISION}, {_VERDICT}
from decisions d
{_JUDGED}
where d.user_id = %(user_id)s and {_OLDER} and d.received_at >= %(since)s::timestamptz
    and d.pipeline = any(%(pipelines)s::pipeline_word[])
order by d.received_at desc, d.decision_id desc limit %(limit)s
""")

DECISIONS = Statement(f"""
select d.*, {_VERDICT}
from unnest(%(pipelines)s::pipeline_word[]) as wanted (pipeline)
cross join lateral (
    select {_DECISION}
    from decisions d
    where d.pipeline = wanted.pipeline and {_OLDER} and d.received_at >= %(since)s::timestamptz
    order by d.received_at desc, d.decision_id desc limit %(limit)s
) as d
{_JUDGED}
order by d.received_at desc, d.decision_id desc limit %(limit)s
""")
"""One index, by pipeline and instant, serves one pipeline and all of them."""

_GUARDRAIL = """d.user_id, d.message_id, d.created_at, 'content_guardrail_triggered' as event_type,
    'moderation' as event_category, 'block' as action, 'message' as resource_type, d.category, 'blocked' as result"""
_CRISIS = "d.user_id, d.message_id, d.created_at, d.level, d.phrases"


def _audit(columns: str, table: str, of_user: bool) -> Statement:
    whose, key, last = (
        ("d.user_id = %(user_id)s and ", "d.created_at, d.message_id", "")
        if of_user
        else ("", "d.created_at, d.message_id, d.user_id", ", %(before_user)s::uuid")
    )
    order = ", ".join(f"{column} desc" for column in key.split(", "))
    return Statement(f"""
select {columns} from {table} d
where {whose}({key}) < (%(before_at)s::timestamptz, %(before_id)s::uuid{last})
    and d.created_at >= %(since)s::timestamptz
order by {order} limit %(limit)s
""")


AUDIT = {
    ("guardrail", True): _audit(_GUARDRAIL, "guard_log", of_user=True),
    ("guardrail", False): _audit(_GUARDRAIL, "guard_log", of_user=False),
    ("crisis", True): _audit(_CRISIS, "crisis_log", of_user=True),
    ("crisis", False): _audit(_CRISIS, "crisis_log", of_user=False),
}

_LAST = UUID(int=2**128 - 1)


async def decisions(
    database: Database,
    user_id: UUID | None,
    pipeline: str | None,
    since: datetime | None,
    limit: int,
    before: str | None,
) -> Page:
    """See `Store.decisions`."""
    at, decision_id = ("infinity", _LAST) if before is None else cursors.read(before, tuple[datetime, UUID])
    found = await database.rows(
        DECISIONS if user_id is None else DECISIONS_OF_USER,
        {
            "user_id": user_id,
            "pipelines": [pipeline] if pipeline is not None else [member.value for member in Pipeline],
            "since": str(since or "-infinity"),
            "before_at": str(at),
            "before_id": decision_id,
            "limit": limit + 1,
        },
    )
    return _page(found, limit, _decision, lambda row: cursors.write(row["received_at"], row["decision_id"]))


async def audit(
    database: Database, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
) -> Page:
    """See `Store.audit`."""
    if kind not in ("guardrail", "crisis"):
        raise InvalidInputError("no such log", [FieldError("/kind", "guardrail or crisis")])
    at, message_id, user = (
        ("infinity", _LAST, _LAST) if before is None else cursors.read(before, tuple[datetime, UUID, UUID])
    )
    found = await database.rows(
        AUDIT[kind, user_id is not None],
        {
            "user_id": user_id,
            "since": str(since or "-infinity"),
            "before_at": str(at),
            "before_id": message_id,
            "before_user": user,
            "limit": limit + 1,
        },
    )
    shown = _guardrail if kind == "guardrail" else dict
    return _page(found, limit, shown, lambda row: cursors.write(row["created_at"], row["message_id"], row["user_id"]))


def _page(
    found: Sequence[Row], limit: int, shown: Callable[[Row], dict[str, Any]], cursor: Callable[[Row], str]
) -> Page:
    page = found[:limit]
    return Page(tuple(shown(row) for row in page), cursor(page[-1]) if len(found) > limit else None)


def _decision(row: Row) -> dict[str, Any]:
    shown = dict(row) | {"timings_ms": msgspec.json.decode(row["timings_ms"])}
    verdict = {"verdict": shown.pop("verdict"), "note": shown.pop("note"), "who": shown.pop("who")}
    given_at = shown.pop("given_at")
    return shown | {"verdict": None if given_at is None else verdict | {"given_at": given_at}}


def _guardrail(row: Row) -> dict[str, Any]:
    event = dict(row)
    return event | {"event_data": {"category": event.pop("category")}}
