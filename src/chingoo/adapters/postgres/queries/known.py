"""What a turn is told when it starts: the columns that gather it, and `Known` made of them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries import rows
from chingoo.adapters.postgres.queries.rows import Row
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.vault import Vault
from chingoo.errors import NotFoundError
from chingoo.model.enums import ExtractedFrom, MemoryStatus, Mode, ReplyOrigin, Role, UserState
from chingoo.model.people import DisclosureState, Memory, StoredMessage
from chingoo.model.turn import Known, TurnRequest

HISTORY = """(
        select json_agg(json_build_array(line.message_id, line.role, line.mode, line.text, line.created_at, line.origin,
            line.surfaced_memory_ids, line.extracted_memory_candidate_ids) order by line.seq)
        from unnest(enum_range(null::mode_word)) as modes (mode)
        cross join lateral (
            select m.*
            from messages m
            where m.user_id = s.user_id and m.conversation_id = s.conversation_id and m.mode = modes.mode
                and m.status = 'COMPLETED' and not m.is_forgotten and not (m.role = 'user' and m.source = 'retention')
            order by m.seq desc limit %(history_limit)s
        ) as line)"""
"""The last messages of each mode. The empty message that stands for a proactive turn is no line of a talk (C-79)."""

RECENT_REPLIES = """(
        select array_agg(reply.text order by reply.seq)
        from (
            select m.text, m.seq from messages m
            where m.user_id = s.user_id and m.conversation_id = s.conversation_id and m.mode = %(mode)s
                and m.role = 'assistant' and m.origin in ('llm', 'offline') and not m.is_forgotten
            order by m.seq desc limit %(reply_window)s
        ) as reply)"""

MEMORIES = """(
        select json_agg(json_build_array(e.memory_id, e.type, e.memory_key, e.memory_value, e.confidence,
            e.extracted_from, e.created_at, e.last_confirmed_at, e.evidence_message_ids, e.context_message_ids,
            e.superseded_by, e.invalid_reason, e.is_disputed, e.expires_at) order by e.created_at, e.memory_id)
        from memories e
        where e.user_id = s.user_id and e.ai_friend_id = s.ai_friend_id and e.status = 'ACTIVE')"""
"""Rows as arrays: with three hundred memories, the names of the columns would cost as much as what they hold."""

LAST_CRISIS = "(select max(c.created_at) from crisis_log c where c.user_id = s.user_id)"

REREAD = Statement(f"""
with standing as (
    select {rows.USER}, {rows.CONTROLS}, {rows.FRIEND}, {rows.RELATIONSHIP}, c.turn_seq, c.pending_extraction_count,
        m.created_at as received_at, m.activates
    from conversations c
    join users u on u.user_id = c.user_id
    join controls k on k.user_id = c.user_id
    join friends f on f.user_id = c.user_id and f.ai_friend_id = c.ai_friend_id
    join relationships r on r.user_id = c.user_id and r.ai_friend_id = c.ai_friend_id
    join messages m on m.user_id = c.user_id and m.message_id = %(message_id)s and m.status = 'PROCESSING'
    where c.user_id = %(user_id)s and c.conversation_id = %(conversation_id)s and c.lease = %(lease)s
)
select s.*, '{{}}'::text[] as missing,
    {HISTORY} as history,
    {RECENT_REPLIES} as recent_replies,
    {MEMORIES} as memories,
    {LAST_CRISIS} as last_crisis_at
from standing s
""")

FORESEE = Statement(f"""
with standing as (
    select {rows.USER}, {rows.CONTROLS}, {rows.FRIEND}, {rows.RELATIONSHIP}, c.turn_seq, c.pending_extraction_count,
        missing.names as missing, greatest(c.last_received_at, %(at)s::timestamptz) as received_at,
        u.state = 'ONBOARDING' and missing.names = '{{}}' as activates
    from users u
    join controls k on k.user_id = u.user_id
    join friends f on f.user_id = u.user_id and f.ai_friend_id = %(ai_friend_id)s
    join relationships r on r.user_id = f.user_id and r.ai_friend_id = f.ai_friend_id
    join conversations c on c.user_id = f.user_id and c.conversation_id = f.conversation_id
    cross join lateral (
        select case when u.state = 'ACTIVE' then '{{}}' else {rows.MISSING} end as names
    ) as missing
    where u.user_id = %(user_id)s
)
select s.*,
    {HISTORY} as history,
    {RECENT_REPLIES} as recent_replies,
    {MEMORIES} as memories,
    {LAST_CRISIS} as last_crisis_at
from standing s
""")

_Ids = tuple[UUID, ...]
_Line = tuple[UUID, Role, Mode, str | None, datetime, ReplyOrigin | None, _Ids, _Ids]
_Remembered = tuple[
    UUID, str, str, str, float, ExtractedFrom, datetime, datetime, _Ids, _Ids, UUID | None, str | None, bool,
    datetime | None,
]  # fmt: skip
_lines = msgspec.json.Decoder(tuple[_Line, ...])
_remembered = msgspec.json.Decoder(tuple[_Remembered, ...])


async def reread(
    database: Database, request: TurnRequest, lease: UUID, history_limit: int, reply_window: int
) -> Known | None:
    """Gather again for the holder of a lease; None if the lease is lost."""
    row = await database.row(REREAD, gathering(request, lease, history_limit, reply_window))
    return None if row is None else known_of(row, database.vault, gathered=True)


async def foresee(
    database: Database,
    user_id: UUID,
    ai_friend_id: UUID,
    at: datetime,
    required: Sequence[str],
    history_limit: int,
    reply_window: int,
) -> Known:
    """See `Store.foresee`."""
    row = await database.row(
        FORESEE,
        {
            "user_id": user_id,
            "ai_friend_id": ai_friend_id,
            "at": at,
            "required": list(required),
            "mode": Mode.FRIEND.value,
            "history_limit": history_limit,
            "reply_window": reply_window,
        },
    )
    if row is None:
        raise NotFoundError("no such user or friend")
    return known_of(row, database.vault, gathered=True)


def gathering(request: TurnRequest, lease: UUID, history_limit: int, reply_window: int) -> dict[str, Any]:
    """The parameters of the gathering columns."""
    return {
        "user_id": request.user_id,
        "ai_friend_id": request.ai_friend_id,
        "conversation_id": request.conversation_id,
        "message_id": request.message_id,
        "mode": request.mode.value,
        "lease": lease,
        "history_limit": history_limit,
        "reply_window": reply_window,
    }


def known_of(row: Row, vault: Vault, *, gathered: bool) -> Known:
    """From a row of admit, REREAD or FORESEE; without friend, history and memories where they were not gathered."""
    user = rows.user_of(row)
    if row["activates"]:  # the turn runs as that of an ONBOARDING user, however often it is taken up (C-10)
        user = replace(user, state=UserState.ONBOARDING)
    controls = rows.controls_of(row, vault)
    if not gathered:
        return Known(user=user, controls=controls, missing=tuple(row["missing"]), received_at=row["received_at"])
    return Known(
        user=user,
        controls=controls,
        missing=tuple(row["missing"]),
        received_at=row["received_at"],
        friend=rows.friend_of(row),
        relationship=rows.relationship_of(row),
        history=tuple([StoredMessage(*line) for line in _lines.decode(row["history"] or "[]")]),
        recent_replies=tuple(row["recent_replies"] or ()),
        memories=_memories(user.user_id, row["ai_friend_id"], row["memories"] or "[]", vault),
        disclosure=DisclosureState(last_disclosed_at=row["last_disclosed_at"]),
        last_crisis_at=row["last_crisis_at"],
        turn_seq=row["turn_seq"],
        pending_extraction_count=row["pending_extraction_count"],
        activated=bool(row["activates"]),
    )


def _memories(user_id: UUID, ai_friend_id: UUID, text: str, vault: Vault) -> tuple[Memory, ...]:
    return tuple([vault.open_memory(_memory(user_id, ai_friend_id, row)) for row in _remembered.decode(text)])


def _memory(user_id: UUID, ai_friend_id: UUID, row: _Remembered) -> Memory:
    active = MemoryStatus.ACTIVE
    return Memory(row[0], user_id, ai_friend_id, row[1], row[2], row[3], row[4], active, *row[5:])
