"""A person's data as a whole: given to the person, or erased with nothing left but a digest of the id (C-68, S-17)."""

import hashlib
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, Database, execute, fetch
from chingoo.adapters.postgres.queries.register import REGISTER
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.vault import Vault
from chingoo.errors import NotFoundError

LOCK = Statement("select u.user_id from users u where u.user_id = %(user_id)s for update")

LOCK_TALKS = Statement("""
select c.conversation_id from conversations c where c.user_id = %(user_id)s order by c.conversation_id for update
""")
"""A turn at the door has locked its conversation: what it wrote is seen, and erased, once it is through."""

REMEMBER = Statement("""
insert into erased_users (user_digest, erased_at) values (%(digest)s, %(now)s)
on conflict (user_digest) do nothing
""")

KNOWN = Statement("select 1 from users where user_id = %(user_id)s")

SECTIONS = ("user", "controls", "friends", "messages", "memories", "corrections", "retention")
"""What an export always has; further sections are those of the register."""

_ONE_SNAPSHOT = "set transaction isolation level repeatable read, read only"
_SINGLE = ("user", "controls")


async def erase_user(database: Database, user_id: UUID, now: datetime) -> dict[str, int]:
    """See `Store.erase_user`."""
    named = {"user_id": user_id, "now": now, "digest": hashlib.sha256(user_id.bytes).digest()}

    async def work(connection: Connection) -> dict[str, int]:
        async with connection.transaction():
            if not await fetch(connection, LOCK, named):
                raise NotFoundError("no such user")
            await fetch(connection, LOCK_TALKS, named)
            erased = {}
            for holding in REGISTER:
                if holding.erase is not None:
                    done = await connection.execute(holding.erase.text, holding.erase.bind(named))
                    erased[holding.table] = done.rowcount
            await execute(connection, REMEMBER, named)
            return erased

    return await database.run(work)


def _opened(vault: Vault, user_id: UUID, item: dict[str, Any]) -> dict[str, Any]:
    """A row as it is, with what was sealed in it."""
    if "memory_key" in item:
        return vault.open_row(user_id, item)
    if "suppressed_memory_keys" in item:
        keys = [vault.open_key(user_id, key) for key in item["suppressed_memory_keys"]]
        return {**item, "suppressed_memory_keys": keys}
    return item


async def export_user(database: Database, user_id: UUID) -> dict[str, Any]:
    """See `Store.export_user`."""
    named = {"user_id": user_id}

    async def work(connection: Connection) -> dict[str, Any]:
        async with connection.transaction():
            await connection.execute(_ONE_SNAPSHOT)
            if not await fetch(connection, KNOWN, named):
                raise NotFoundError("no such user")
            exported: dict[str, Any] = {section: [] for section in SECTIONS}
            for holding in REGISTER:
                if holding.section is not None and holding.export is not None:
                    found = await fetch(connection, holding.export, named)
                    items = [_opened(database.vault, user_id, msgspec.json.decode(row["item"])) for row in found]
                    exported[holding.section] = items[0] if holding.section in _SINGLE else items
            return exported

    return await database.run(work)
