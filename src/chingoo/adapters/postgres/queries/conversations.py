"""Conversations read back: whose, what was said, what is remembered; and what holds a turn up (S-13, S-02)."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from chingoo.adapters.postgres import cursors
from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries.rows import Row
from chingoo.adapters.postgres.statements import Statement
from chingoo.errors import NotFoundError
from chingoo.model.enums import Mode, ReplyOrigin, Role, Source
from chingoo.model.people import Memory, StoredMessage
from chingoo.model.turn import TurnRequest

OWNER = Statement("select user_id from conversation_owners where conversation_id = %(conversation_id)s")

KNOWN = Statement("select 1 from conversations where user_id = %(user_id)s and conversation_id = %(conversation_id)s")

PAGE = Statement("""
select line.*
from unnest(enum_range(null::mode_word)) as modes (mode)
cross join lateral (
    select m.message_id, m.role, m.mode, case when m.is_forgotten then null else m.text end as text, m.created_at,
        m.origin, m.surfaced_memory_ids, m.extracted_memory_candidate_ids, m.is_forgotten, m.seq
    from messages m
    where m.user_id = %(user_id)s and m.conversation_id = %(conversation_id)s and m.mode = modes.mode
        and m.seq < %(before)s and m.status = 'COMPLETED' and not (m.role = 'user' and m.source = 'retention')
    order by m.seq desc limit %(limit)s
) as line
order by line.seq desc limit %(limit)s
""")
"""What was said and answered. A message still being answered comes with its answer (`GET /v1/turns/…` has it)."""

MEMORIES = Statement("""
select json_agg(memory order by memory.created_at, memory.memory_id) as memories
from (
    select e.memory_id, e.user_id, e.ai_friend_id, e.type, e.memory_key, e.memory_value, e.confidence, e.status,
        e.extracted_from, e.created_at, e.last_confirmed_at, e.evidence_message_ids, e.context_message_ids,
        e.superseded_by, e.invalid_reason, e.is_disputed, e.expires_at, e.forget_at
    from memories e
    where e.user_id = %(user_id)s and (%(include_inactive)s or e.status = 'ACTIVE')
) as memory
having exists (select from users where user_id = %(user_id)s)
""")

EVIDENCE = Statement("""
select m.message_id, m.role, m.mode, m.text, m.created_at, m.origin, m.surfaced_memory_ids,
    m.extracted_memory_candidate_ids, m.is_forgotten
from memories e
left join messages m on m.user_id = e.user_id and m.message_id = any(e.evidence_message_ids) and not m.is_forgotten
where e.user_id = %(user_id)s and e.memory_id = %(memory_id)s
order by m.created_at, m.seq
""")
"""A memory without evidence is one row of nothing."""

RELEASE = Statement("""
update conversations set lease = null, lease_message_id = null, lease_until = null
where user_id = %(user_id)s and conversation_id = %(conversation_id)s and lease = %(lease)s
returning 1
""")

STUCK = Statement("""
select m.user_id, m.message_id, c.ai_friend_id, m.conversation_id, m.text, m.created_at, m.mode, m.source,
    m.client_locale, m.client_timezone
from messages m
join conversations c on c.user_id = m.user_id and c.conversation_id = m.conversation_id
where m.role = 'user' and m.answer is null and m.admitted_at < now() - make_interval(secs => %(older_than_s)s)
    and (c.lease is null or c.lease_until <= clock_timestamp())
    and (%(all_users)s or m.user_id = any(%(user_ids)s::uuid[]))
order by m.admitted_at, m.user_id, m.message_id
limit %(limit)s
""")

_END = 2**63 - 1
_memories = msgspec.json.Decoder(list[Memory])


async def owner_of_conversation(database: Database, conversation_id: UUID) -> UUID:
    """See `Store.owner_of_conversation`."""
    row = await database.row(OWNER, {"conversation_id": conversation_id})
    if row is None:
        raise NotFoundError("no such conversation")
    owner: UUID = row["user_id"]
    return owner


async def messages(
    database: Database, user_id: UUID, conversation_id: UUID, limit: int, before: str | None
) -> tuple[list[StoredMessage], str | None]:
    """See `Store.messages`."""
    key = {"user_id": user_id, "conversation_id": conversation_id}
    seq = _END if before is None else cursors.read(before, tuple[int])[0]
    found = await database.rows(PAGE, key | {"before": min(seq, _END), "limit": limit + 1})
    if not found and await database.row(KNOWN, key) is None:
        raise NotFoundError("no such conversation")
    page = found[:limit]
    following = cursors.write(page[-1]["seq"]) if len(found) > limit else None
    return [_message(row) for row in reversed(page)], following


async def memories(database: Database, user_id: UUID, include_inactive: bool) -> list[Memory]:
    """See `Store.memories`."""
    row = await database.row(MEMORIES, {"user_id": user_id, "include_inactive": include_inactive})
    if row is None:
        raise NotFoundError("no such user")
    return [database.vault.open_memory(memory) for memory in _memories.decode(row["memories"] or "[]")]


async def evidence(database: Database, user_id: UUID, memory_id: UUID) -> list[StoredMessage]:
    """See `Store.evidence`."""
    found = await database.rows(EVIDENCE, {"user_id": user_id, "memory_id": memory_id})
    if not found:
        raise NotFoundError("no such memory")
    return [_message(row) for row in found if row["message_id"] is not None]


async def release(database: Database, request: TurnRequest, lease: UUID) -> None:
    """See `Store.release`."""
    named = {"user_id": request.user_id, "conversation_id": request.conversation_id, "lease": lease}
    await database.rows(RELEASE, named)


async def stuck_turns(
    database: Database, older_than_s: float, limit: int, user_ids: Sequence[UUID] | None
) -> list[TurnRequest]:
    """See `Store.stuck_turns`."""
    named = {
        "older_than_s": float(older_than_s),
        "limit": limit,
        "all_users": user_ids is None,
        "user_ids": list(user_ids or ()),
    }
    return [
        TurnRequest(
            message_id=row["message_id"],
            user_id=row["user_id"],
            ai_friend_id=row["ai_friend_id"],
            conversation_id=row["conversation_id"],
            text=row["text"] or "",
            received_at=row["created_at"],
            mode=Mode(row["mode"]),
            source=Source(row["source"]),
            client_locale=row["client_locale"],
            client_timezone=row["client_timezone"],
        )
        for row in await database.rows(STUCK, named)
    ]


def _message(row: Row) -> StoredMessage:
    origin = row["origin"]
    return StoredMessage(
        message_id=row["message_id"],
        role=Role(row["role"]),
        mode=Mode(row["mode"]),
        text=row["text"],
        created_at=row["created_at"],
        origin=None if origin is None else ReplyOrigin(origin),
        surfaced_memory_ids=tuple(row["surfaced_memory_ids"]),
        extracted_memory_candidate_ids=tuple(row["extracted_memory_candidate_ids"]),
        is_forgotten=row["is_forgotten"],
    )
