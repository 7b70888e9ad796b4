"""Which data keys memories are sealed under, and sealing all of them anew under the current one (UK-17)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, Database, execute, fetch
from chingoo.adapters.postgres.queries.remembered import memories_of
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.vault import Vault
from chingoo.errors import SettingsError
from chingoo.model.people import Memory

KNOWN = Statement("select key_id, proof from data_keys order by first_used_at")

USE = Statement("""
insert into data_keys (key_id, proof, first_used_at) values (%(key_id)s, %(proof)s, %(now)s)
on conflict (key_id) do nothing
""")

ONLY = Statement("delete from data_keys where key_id <> %(key_id)s")

PEOPLE = Statement("select user_id from users where user_id > %(after)s order by user_id limit %(limit)s")

LOCK = Statement("""
select k.suppressed_memory_keys
from users u join controls k on k.user_id = u.user_id
where u.user_id = %(user_id)s for no key update of u, k
""")

RESEAL = Statement("""
update memories e set memory_key = x.memory_key, memory_value = x.memory_value
from jsonb_to_recordset(%(memories)s::jsonb) as x (memory_id uuid, memory_key text, memory_value text)
where e.user_id = %(user_id)s and e.memory_id = x.memory_id
""")

SUPPRESSED = Statement("""
update controls set suppressed_memory_keys = %(keys)s::text[] where user_id = %(user_id)s
""")

TELLING = Statement("""
select m.message_id, m.answer, 'messages' as place from messages m
where m.user_id = %(user_id)s and m.role = 'user' and m.answer is not null and m.answer::text like '%"memory_key":%'
union all
select w.message_id, w.answer, 'kept_words' from kept_words w
where w.user_id = %(user_id)s and w.answer::text like '%"memory_key":%'
""")

ANSWERS: Mapping[str, Statement] = {
    table: Statement(f"""
update {table} t set answer = x.answer
from jsonb_to_recordset(%(answers)s::jsonb) as x (message_id uuid, answer json)
where t.user_id = %(user_id)s and t.message_id = x.message_id
""")
    for table in ("messages", "kept_words")
}

_BATCH = 500


async def check_keys(database: Database, now: datetime) -> None:
    """Note the current key as one in use. SettingsError: something is sealed under a key that is not given."""
    cipher = database.vault.cipher
    given = () if cipher is None else cipher.key_ids
    for row in await database.rows(KNOWN, {}):
        proven = None if cipher is None else cipher.open(row["proof"], _about(row["key_id"]))
        if proven is None:
            raise SettingsError(
                f"CHINGOO_DATA_KEY: memories in this database are sealed under the key {row['key_id']}, which is not "
                f"among those given ({', '.join(given) or 'none'}); add it after the others, or restore it"
            )
    if cipher is not None:
        current = given[0]
        named = {"key_id": current, "proof": cipher.seal(current, _about(current)), "now": now}

        async def work(connection: Connection) -> None:
            await execute(connection, USE, named)

        await database.run(work)


async def rotate(database: Database, now: datetime) -> dict[str, int]:
    """Write everything that is, or is to be, sealed anew under the current key, person by person; how many rows."""
    cipher = database.vault.cipher
    if cipher is None:
        raise SettingsError("CHINGOO_DATA_KEY is unset; set the new key first, with the old ones after it")
    await check_keys(database, now)
    done = {"memories": 0, "suppressed keys": 0, "answers": 0}
    after = UUID(int=0)
    while found := await database.rows(PEOPLE, {"after": after, "limit": _BATCH}):
        for row in found:
            for name, count in (await _reseal(database, row["user_id"])).items():
                done[name] += count
        after = found[-1]["user_id"]

    async def work(connection: Connection) -> None:
        await execute(connection, ONLY, {"key_id": cipher.key_ids[0]})

    await database.run(work)
    return done


async def _reseal(database: Database, user_id: UUID) -> dict[str, int]:
    vault = database.vault

    async def work(connection: Connection) -> dict[str, int]:
        async with connection.transaction():
            locked = await fetch(connection, LOCK, {"user_id": user_id})
            if not locked:
                return {}
            return {
                "memories": await _memories(connection, vault, user_id),
                "suppressed keys": await _suppressed(connection, vault, user_id, locked[0]["suppressed_memory_keys"]),
                "answers": await _answers(connection, vault, user_id),
            }

    return await database.run(work)


async def _memories(connection: Connection, vault: Vault, user_id: UUID) -> int:
    stored = {one.memory_id: one for one in await memories_of(connection, Vault(), user_id)}
    sealed = [vault.seal_memory(vault.open_memory(one)) for one in stored.values()]
    changed = [one for one in sealed if not _same(stored[one.memory_id], one)]
    rows = [{"memory_id": o.memory_id, "memory_key": o.memory_key, "memory_value": o.memory_value} for o in changed]
    if rows:
        await execute(connection, RESEAL, {"user_id": user_id, "memories": msgspec.json.encode(rows).decode()})
    return len(rows)


def _same(stored: Memory, sealed: Memory) -> bool:
    """Whether the row is sealed under the current key already: values differ each time, sealed keys do not."""
    return replace(stored, memory_value="") == replace(sealed, memory_value="")


async def _suppressed(connection: Connection, vault: Vault, user_id: UUID, stored: list[str]) -> int:
    keys = vault.seal_keys(user_id, [vault.open_key(user_id, key) for key in stored])
    if keys == stored:
        return 0
    await execute(connection, SUPPRESSED, {"user_id": user_id, "keys": keys})
    return len(keys)


async def _answers(connection: Connection, vault: Vault, user_id: UUID) -> int:
    written: dict[str, list[dict[str, Any]]] = {"messages": [], "kept_words": []}
    for row in await fetch(connection, TELLING, {"user_id": user_id}):
        stored = msgspec.json.decode(row["answer"])
        sealed = vault.seal_answer(user_id, vault.open_answer(user_id, stored))
        if sealed != stored:
            written[row["place"]].append({"message_id": row["message_id"], "answer": sealed})
    for table, answers in written.items():
        if answers:
            named = {"user_id": user_id, "answers": msgspec.json.encode(answers).decode()}
            await execute(connection, ANSWERS[table], named)
    return sum(map(len, written.values()))


def _about(key_id: str) -> str:
    return f"proof of {key_id}"
