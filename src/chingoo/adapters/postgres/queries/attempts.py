"""Turns of those who may not chat yet, kept out of the conversation, and the stored answers (C-12, C-19)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries.admit import text_sha256
from chingoo.adapters.postgres.queries.safety_logs import LOGS, log_parameters
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.turn import Attempt, TurnRequest

ATTEMPT = Statement(
    """
with heard as materialized (
    select u.user_id, %(message_id)s::uuid as message_id from users u where u.user_id = %(user_id)s for key share
),
kept as (
    insert into attempts (user_id, message_id, conversation_id, ai_friend_id, mode, source, text_sha256, created_at,
        answer)
    select h.user_id, h.message_id, %(conversation_id)s, %(ai_friend_id)s, %(mode)s, %(source)s, %(text_sha256)s,
        %(received_at)s, %(answer)s
    from heard h where %(keep)s
    on conflict (user_id, message_id) do nothing
)"""
    + LOGS
    + """
select 1
"""
)
"""Nothing of a person who is being erased: the erasure waits for `heard`, or leaves none (C-68)."""

ANSWER_OF = Statement("""
select m.status, m.answer from messages m
where m.user_id = %(user_id)s and m.message_id = %(message_id)s and m.role = 'user'
union all
select 'COMPLETED', a.answer from attempts a where a.user_id = %(user_id)s and a.message_id = %(message_id)s
""")

_encode = msgspec.json.encode


async def attempt(database: Database, made: Attempt) -> None:
    """See `Store.attempt`."""
    answer = _encode(made.answer).decode()
    kept = {"answer": answer, "keep": made.keep_answer}
    await database.rows(ATTEMPT, _request(made.request) | log_parameters(made) | kept)


async def answer_of(database: Database, user_id: UUID, message_id: UUID) -> tuple[str, Mapping[str, Any] | None] | None:
    """See `Store.answer_of`."""
    row = await database.row(ANSWER_OF, {"user_id": user_id, "message_id": message_id})
    if row is None:
        return None
    if row["answer"] is None:
        return row["status"], None
    return row["status"], database.vault.open_answer(user_id, msgspec.json.decode(row["answer"]))


def _request(request: TurnRequest) -> dict[str, Any]:
    return {
        "user_id": request.user_id,
        "message_id": request.message_id,
        "conversation_id": request.conversation_id,
        "ai_friend_id": request.ai_friend_id,
        "mode": request.mode.value,
        "source": request.source.value,
        "text_sha256": text_sha256(request.text),
        "received_at": request.received_at,
    }
