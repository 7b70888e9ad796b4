"""Erasing for good what was forgotten once the time to take it back is over: words and the memories made of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, Database, execute, fetch
from chingoo.adapters.postgres.queries import words
from chingoo.adapters.postgres.queries.edits import TOUCH
from chingoo.adapters.postgres.queries.remembered import memories_of
from chingoo.adapters.postgres.queries.reviews import UNSAMPLE
from chingoo.adapters.postgres.statements import Statement
from chingoo.flow.redaction import without_memories
from chingoo.memory.forgetting import unfounded
from chingoo.model.forgetting import Purged

DUE = Statement("""
select w.user_id from kept_words w
where w.undo_until <= %(now)s and (%(all_users)s or w.user_id = any(%(user_ids)s::uuid[]))
union
select e.user_id from memories e
where e.forget_at <= %(now)s and (%(all_users)s or e.user_id = any(%(user_ids)s::uuid[]))
""")

LOCK = Statement("select u.user_id from users u where u.user_id = %(user_id)s for no key update")

OVER = Statement("""
delete from kept_words w where w.user_id = %(user_id)s and w.undo_until <= %(now)s returning w.message_id
""")

BLANK = Statement("""
update messages m set text = null, text_sha256 = case when m.role = 'user' then ''::bytea end
where m.user_id = %(user_id)s and m.message_id = any(%(messages)s::uuid[])
""")
"""Also the digest, from which short words could be guessed: the id is used up, and sent again it is refused."""

GONE = Statement("""
select f.message_id from forgotten_messages f
where f.user_id = %(user_id)s
    and not exists (select from kept_words w where w.user_id = f.user_id and w.message_id = f.message_id)
""")

LOOSE = Statement("""
update memories e set superseded_by = null
where e.user_id = %(user_id)s and e.superseded_by = any(%(memories)s::uuid[])
""")

DELETE = Statement("delete from memories e where e.user_id = %(user_id)s and e.memory_id = any(%(memories)s::uuid[])")

UNDROP = Statement("""
delete from dropped_evidence d
where d.user_id = %(user_id)s
    and (d.message_id = any(%(messages)s::uuid[]) or d.memory_id = any(%(memories)s::uuid[]))
""")

TELLING = Statement("""
select m.message_id, m.answer from messages m
where m.user_id = %(user_id)s and m.role = 'user' and m.answer is not null
    and m.answer::text like any(%(patterns)s::text[])
""")
"""The stored answers that name one of these memories: those of the turns that made, changed or denied it."""

_BATCH = 500


async def purge_forgotten(database: Database, now: datetime, user_ids: Sequence[UUID] | None) -> Purged:
    """See `Store.purge_forgotten`: person by person, each in a transaction of its own."""
    named = {"now": now, "all_users": user_ids is None, "user_ids": list(user_ids or ())}
    messages = memories = 0
    for row in await database.rows(DUE, named):
        purged = await _purge(database, row["user_id"], now)
        messages, memories = messages + purged[0], memories + purged[1]
    return Purged(messages, memories)


async def _purge(database: Database, user_id: UUID, now: datetime) -> tuple[int, int]:
    named: dict[str, Any] = {"user_id": user_id, "now": now}

    async def work(connection: Connection) -> tuple[int, int]:
        async with connection.transaction():
            if not await fetch(connection, LOCK, named):
                return 0, 0
            messages = [row["message_id"] for row in await fetch(connection, OVER, named)]
            await execute(connection, BLANK, named | {"messages": messages})
            gone = {row["message_id"] for row in await fetch(connection, GONE, named)}
            known = await memories_of(connection, database.vault, user_id)
            memories = [memory.memory_id for memory in unfounded(known, gone, now)]
            for statement in (LOOSE, DELETE, UNDROP, UNSAMPLE):
                await execute(connection, statement, named | {"messages": messages, "memories": memories})
            await _untell(connection, user_id, memories)
            await execute(connection, TOUCH, named)
            return len(messages), len(memories)

    return await database.run(work)


async def _untell(connection: Connection, user_id: UUID, memories: Sequence[UUID]) -> None:
    """Take deleted memories out of the stored answers."""
    for start in range(0, len(memories), _BATCH):
        gone = memories[start : start + _BATCH]
        named = {"user_id": user_id, "patterns": [f"%{memory_id}%" for memory_id in gone]}
        found = await fetch(connection, TELLING, named)
        answers = [
            {
                "message_id": row["message_id"],
                "answer": without_memories(msgspec.json.decode(row["answer"]), gone),
            }
            for row in found
        ]
        await words.rewrite(connection, user_id, answers)
