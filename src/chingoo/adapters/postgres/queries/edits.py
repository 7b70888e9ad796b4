"""Edits of what is remembered, outside a turn: decided under the person's lock, and written as a whole (FORGET-*)."""

from collections.abc import Callable
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, Database, execute
from chingoo.adapters.postgres.queries import words
from chingoo.adapters.postgres.queries.remembered import remembered
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.vault import Vault
from chingoo.model.enums import MemoryStatus
from chingoo.model.forgetting import MemoryEdit, Remembered

UPDATE = Statement("""
update memories e
set memory_key = x.memory_key, memory_value = x.memory_value, confidence = x.confidence, status = x.status,
    extracted_from = x.extracted_from, last_confirmed_at = x.last_confirmed_at,
    evidence_message_ids = x.evidence_message_ids, context_message_ids = x.context_message_ids,
    superseded_by = x.superseded_by, invalid_reason = x.invalid_reason, is_disputed = x.is_disputed,
    expires_at = x.expires_at, forget_at = x.forget_at, updated_at = now()
from jsonb_populate_recordset(null::memories, %(updates)s::jsonb) as x
where e.user_id = %(user_id)s and e.memory_id = x.memory_id
""")

INSERT = Statement("""
insert into memories (user_id, memory_id, ai_friend_id, type, memory_key, memory_value, confidence, status,
    extracted_from, created_at, last_confirmed_at, evidence_message_ids, context_message_ids, superseded_by,
    invalid_reason, is_disputed, expires_at, forget_at)
select %(user_id)s, x.memory_id, x.ai_friend_id, x.type, x.memory_key, x.memory_value, x.confidence, x.status,
    x.extracted_from, x.created_at, x.last_confirmed_at, x.evidence_message_ids, x.context_message_ids,
    x.superseded_by, x.invalid_reason, x.is_disputed, x.expires_at, x.forget_at
from jsonb_populate_recordset(null::memories, %(inserts)s::jsonb) as x
""")

DROP = Statement("""
insert into dropped_evidence (user_id, message_id, memory_id, core)
select %(user_id)s, x.message_id, x.memory_id, x.core
from jsonb_to_recordset(%(drop)s::jsonb) as x (message_id uuid, memory_id uuid, core boolean)
on conflict (user_id, message_id, memory_id, core) do nothing
""")

RESTORE = Statement("""
delete from dropped_evidence d
using jsonb_to_recordset(%(restore)s::jsonb) as x (message_id uuid, memory_id uuid, core boolean)
where d.user_id = %(user_id)s and d.message_id = x.message_id and d.memory_id = x.memory_id and d.core = x.core
""")

SUPPRESS = Statement("""
update controls k
set suppressed_memory_keys = array(
    select kept from unnest(k.suppressed_memory_keys) as kept
    where kept <> all (%(unsuppress)s::text[])
) || %(suppress)s::text[]
where k.user_id = %(user_id)s
""")

TOUCH = Statement("update users set mem_version = mem_version + 1 where user_id = %(user_id)s")

_encode = msgspec.json.encode


async def edit_memories(
    database: Database, user_id: UUID, asked: UUID | None, decide: Callable[[Remembered], MemoryEdit]
) -> tuple[Remembered, MemoryEdit]:
    """See `Store.edit_memories`."""

    async def work(connection: Connection) -> tuple[Remembered, MemoryEdit]:
        async with connection.transaction():
            before = await remembered(connection, database.vault, user_id, asked)
            edit = decide(before)
            if not edit.is_empty:
                await write_edit(connection, database.vault, user_id, asked, edit)
            return before, edit

    return await database.run(work)


async def write_edit(connection: Connection, vault: Vault, user_id: UUID, asked: UUID | None, edit: MemoryEdit) -> None:
    """Write an edit, within the transaction that holds the person's lock."""
    updates = [change.memory for change in edit.changes if change.op == "update"]
    rows = {
        "leaving": [vault.seal_memory(one) for one in updates if one.status is not MemoryStatus.ACTIVE],
        "updates": [vault.seal_memory(one) for one in updates if one.status is MemoryStatus.ACTIVE],
        "inserts": [vault.seal_memory(change.memory) for change in edit.changes if change.op == "insert"],
        "drop": edit.drop,
        "restore": edit.restore,
    }
    named = {"user_id": user_id} | {name: _encode(values).decode() for name, values in rows.items()}
    # What leaves its key first: the index of one ACTIVE record per key looks at every row at once.
    if rows["leaving"]:
        await execute(connection, UPDATE, named | {"updates": named["leaving"]})
    for name, statement in (("updates", UPDATE), ("inserts", INSERT), ("restore", RESTORE), ("drop", DROP)):
        if rows[name]:
            await execute(connection, statement, named)
    if edit.suppress or edit.unsuppress:
        keys = {
            "suppress": vault.seal_keys(user_id, edit.suppress),
            "unsuppress": vault.forms(user_id, (*edit.suppress, *edit.unsuppress)),
        }
        await execute(connection, SUPPRESS, named | keys)
    if edit.hide and asked is not None and edit.undo_until is not None:
        await words.hide(connection, user_id, asked, edit.hide, edit.undo_until)
    if edit.unhide and asked is not None:
        await words.unhide(connection, user_id, asked)
    await execute(connection, TOUCH, named)
