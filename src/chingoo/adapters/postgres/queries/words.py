"""The words of forgotten messages: out of sight at once, kept apart while it can be taken back, then erased (C-68)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, execute, fetch
from chingoo.adapters.postgres.statements import Statement
from chingoo.flow.redaction import with_reply, without_words

MARK = Statement("""
insert into forgotten_messages (user_id, message_id, because_of, undo_until)
select %(user_id)s, hidden.message_id, %(asked)s, %(undo_until)s from unnest(%(hide)s::uuid[]) as hidden (message_id)
on conflict (user_id, message_id, because_of) do nothing
""")

KEEP = Statement("""
insert into kept_words (user_id, message_id, text, answer, undo_until)
select m.user_id, m.message_id, m.text, m.answer, %(undo_until)s
from messages m
where m.user_id = %(user_id)s and m.message_id = any(%(hide)s::uuid[]) and m.text is not null and not m.is_forgotten
on conflict (user_id, message_id) do nothing
""")

HIDE = Statement("""
update messages m set text = null, is_forgotten = true
where m.user_id = %(user_id)s and m.message_id = any(%(hide)s::uuid[])
""")

TAKEN_BACK = Statement("""
delete from forgotten_messages f
using kept_words w
where f.user_id = %(user_id)s and f.because_of = %(asked)s and w.user_id = f.user_id and w.message_id = f.message_id
returning f.message_id
""")

"""What is erased already stays forgotten."""

STILL = Statement("""
update kept_words w set undo_until = f.undo_until
from (
    select message_id, min(undo_until) as undo_until from forgotten_messages
    where user_id = %(user_id)s and message_id = any(%(unhide)s::uuid[]) group by message_id
) as f
where w.user_id = %(user_id)s and w.message_id = f.message_id
returning w.message_id
""")
"""What something else keeps forgotten, for as long as that can be taken back."""

SHOW = Statement("""
update messages m set text = w.text, is_forgotten = false, answer = coalesce(w.answer, m.answer)
from kept_words w
where m.user_id = %(user_id)s and m.message_id = any(%(shown)s::uuid[])
    and w.user_id = m.user_id and w.message_id = m.message_id
""")

UNKEEP = Statement("delete from kept_words w where w.user_id = %(user_id)s and w.message_id = any(%(shown)s::uuid[])")

ANSWERS = Statement("""
select q.message_id, q.is_forgotten, q.answer, r.text as reply
from messages q
left join messages r on r.user_id = q.user_id and r.reply_to_id = q.message_id and r.role = 'assistant'
    and r.conversation_id = q.conversation_id
where q.user_id = %(user_id)s and q.role = 'user' and q.answer is not null and q.message_id in (
    select coalesce(m.reply_to_id, m.message_id) from messages m
    where m.user_id = %(user_id)s and m.message_id = any(%(changed)s::uuid[])
)
""")
"""The stored answers that the changed messages are or stand in, and the words that stand there now."""

ANSWER = Statement("""
update messages m set answer = x.answer
from jsonb_to_recordset(%(answers)s::jsonb) as x (message_id uuid, answer json)
where m.user_id = %(user_id)s and m.message_id = x.message_id
""")


async def hide(
    connection: Connection, user_id: UUID, asked: UUID, messages: Sequence[UUID], undo_until: datetime
) -> None:
    """Put the words of these messages away, and take them out of the stored answers."""
    named = {"user_id": user_id, "asked": asked, "hide": list(messages), "undo_until": undo_until}
    for statement in (MARK, KEEP, HIDE):
        await execute(connection, statement, named)
    await _settle_answers(connection, user_id, messages)


async def unhide(connection: Connection, user_id: UUID, asked: UUID) -> None:
    """Bring back the words that were put away with this message, but those that another message keeps away."""
    named = {"user_id": user_id, "asked": asked}
    freed = [row["message_id"] for row in await fetch(connection, TAKEN_BACK, named)]
    still = {row["message_id"] for row in await fetch(connection, STILL, named | {"unhide": freed})}
    shown = [message_id for message_id in freed if message_id not in still]
    await execute(connection, SHOW, named | {"shown": shown})
    await execute(connection, UNKEEP, named | {"shown": shown})
    await _settle_answers(connection, user_id, shown)


async def _settle_answers(connection: Connection, user_id: UUID, changed: Sequence[UUID]) -> None:
    """Make the stored answers say what their messages say now."""
    found = await fetch(connection, ANSWERS, {"user_id": user_id, "changed": list(changed)})
    answers = [{"message_id": row["message_id"], "answer": _answer(row)} for row in found]
    await rewrite(connection, user_id, answers)


async def rewrite(connection: Connection, user_id: UUID, answers: Sequence[Mapping[str, Any]]) -> None:
    """Write stored answers anew: rows of `message_id` and `answer`."""
    named = {"user_id": user_id, "answers": msgspec.json.encode(answers).decode()}
    await execute(connection, ANSWER, named)


def _answer(row: Mapping[str, Any]) -> dict[str, Any]:
    answer = msgspec.json.decode(row["answer"])
    return without_words(answer) if row["is_forgotten"] else with_reply(answer, row["reply"])
