"""All that is remembered of a person, read under the person's lock: what an edit begins with (FORGET-01)."""

from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, fetch
from chingoo.adapters.postgres.queries.conversations import MEMORIES
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.vault import Vault
from chingoo.errors import ConflictError, NotFoundError
from chingoo.model.forgetting import DroppedEvidence, ForgottenMessage, Line, Remembered
from chingoo.model.people import Memory

LOCK = Statement("""
select k.suppressed_memory_keys
from users u join controls k on k.user_id = u.user_id
where u.user_id = %(user_id)s for no key update of u
""")
"""The first lock, as in settle: users, then conversations."""

ASKED = Statement("""
select m.conversation_id, m.status, m.is_forgotten from messages m
where m.user_id = %(user_id)s and m.message_id = %(asked)s
""")

LINES = Statement("""
select m.message_id, m.role, m.seq, coalesce(m.text, w.text) as text, m.reply_to_id, m.surfaced_memory_ids,
    m.is_forgotten as hidden
from messages m
left join kept_words w on w.user_id = m.user_id and w.message_id = m.message_id
where m.user_id = %(user_id)s and m.conversation_id = %(conversation_id)s and m.status = 'COMPLETED'
    and coalesce(m.text, w.text) is not null
order by m.seq
""")

DROPPED = Statement("select d.message_id, d.memory_id, d.core from dropped_evidence d where d.user_id = %(user_id)s")

FORGOTTEN = Statement("""
select f.message_id, f.because_of, f.undo_until, w.message_id is null as erased
from forgotten_messages f
left join kept_words w on w.user_id = f.user_id and w.message_id = f.message_id
where f.user_id = %(user_id)s
""")

_memories = msgspec.json.Decoder(tuple[Memory, ...])
_RETRY_S = 5.0


async def remembered(connection: Connection, vault: Vault, user_id: UUID, asked: UUID | None) -> Remembered:
    """Lock the person and read. NotFoundError: no such user or message. ConflictError: it is still being answered."""
    named = {"user_id": user_id, "asked": asked}
    locked = await fetch(connection, LOCK, named)
    if not locked:
        raise NotFoundError("no such user")
    return Remembered(
        user_id=user_id,
        memories=await memories_of(connection, vault, user_id),
        suppressed_memory_keys=tuple(vault.open_key(user_id, key) for key in locked[0]["suppressed_memory_keys"]),
        dropped=tuple(DroppedEvidence(**row) for row in await fetch(connection, DROPPED, named)),
        forgotten=tuple(ForgottenMessage(**row) for row in await fetch(connection, FORGOTTEN, named)),
        asked=asked,
        lines=() if asked is None else await _lines(connection, user_id, asked),
    )


async def memories_of(connection: Connection, vault: Vault, user_id: UUID) -> tuple[Memory, ...]:
    """All memories of a person, of every status, oldest first."""
    found = await fetch(connection, MEMORIES, {"user_id": user_id, "include_inactive": True})
    return tuple(map(vault.open_memory, _memories.decode((found[0]["memories"] if found else None) or "[]")))


async def _lines(connection: Connection, user_id: UUID, asked: UUID) -> tuple[Line, ...]:
    named = {"user_id": user_id, "asked": asked}
    found = await fetch(connection, ASKED, named)
    if not found:
        raise NotFoundError("no such message")
    if found[0]["status"] != "COMPLETED":
        raise ConflictError("this message is still being answered; ask again when it is", retry_after_s=_RETRY_S)
    rows = await fetch(connection, LINES, named | {"conversation_id": found[0]["conversation_id"]})
    return tuple(
        msgspec.convert({**row, "surfaced_memory_ids": tuple(row["surfaced_memory_ids"])}, Line) for row in rows
    )
