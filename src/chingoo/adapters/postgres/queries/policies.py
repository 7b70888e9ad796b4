"""Stored policy sets, switches between them, and which process decides by which (S-20, JOB-07)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.policies import Process, Switch

STORE = Statement("""
with stored as (
    insert into policy_bundles (digest, packed) values (%(digest)s, %(packed)s) on conflict (digest) do nothing
)
select pg_notify('chingoo_policy', 'prepare ' || %(digest)s::text || ' ' || %(process)s::text)
""")
"""The other processes are told what will come: building takes a second or two, and so all take them together."""

BUNDLE = Statement("select packed from policy_bundles where digest = %(digest)s")

_SWITCH = "switch_id, digest, who, reason, switched_at as at"

NEWEST = Statement(f"select {_SWITCH} from policy_switches order by switch_id desc limit 1")

SWITCH = Statement(f"""
with newest as (select {_SWITCH} from policy_switches order by switch_id desc limit 1),
switched as (
    insert into policy_switches (digest, who, reason, switched_at)
    select %(digest)s, %(who)s, %(reason)s, %(now)s
    where not exists (select from newest n where n.digest = %(digest)s)
    returning {_SWITCH}
),
told as (select pg_notify('chingoo_policy', 'switch ' || digest) from switched)
select s.* from switched s, told
union all
select n.* from newest n where n.digest = %(digest)s
""")
"""What is in force already is not switched to again."""

SWITCHES = Statement("""
select digest, who, reason, switched_at as at from policy_switches order by switch_id desc limit %(limit)s
""")

KNOWN = Statement("select 1 from policy_switches where digest = %(digest)s limit 1")

BEAT = Statement(f"""
with seen as (
    insert into policy_processes as p (process_id, kind, digest, seen_at)
    values (%(process)s, %(kind)s, %(digest)s, clock_timestamp())
    on conflict (process_id) do update set kind = excluded.kind, digest = excluded.digest, seen_at = excluded.seen_at
    where p.digest <> excluded.digest or p.seen_at < excluded.seen_at - interval '5 seconds'
),
gone as (
    delete from policy_processes where process_id <> %(process)s and seen_at < now() - interval '1 minute'
)
select {_SWITCH} from policy_switches order by switch_id desc limit 1
""")
"""A sign of life and the newest switch, in one: what every process asks each second."""

LEAVE = Statement("delete from policy_processes where process_id = %(process)s returning 1")

PROCESSES = Statement("""
select process_id as id, kind, digest from policy_processes
where seen_at > now() - interval '20 seconds' order by process_id
""")


async def store(database: Database, digest: str, packed: bytes, process_id: str) -> None:
    """See `PolicyRecords.store`."""
    await database.rows(STORE, {"digest": digest, "packed": packed, "process": process_id})


async def bundle(database: Database, digest: str) -> bytes | None:
    """See `PolicyRecords.bundle`."""
    row = await database.row(BUNDLE, {"digest": digest})
    return None if row is None else bytes(row["packed"])


async def newest(database: Database) -> Switch | None:
    """See `PolicyRecords.newest`."""
    return _switch(await database.row(NEWEST, {}))


async def switch(database: Database, digest: str, who: str, reason: str, now: datetime) -> Switch:
    """See `PolicyRecords.switch`."""
    found = _switch(await database.row(SWITCH, {"digest": digest, "who": who, "reason": reason, "now": now}))
    if found is None:
        raise AssertionError("a switch is recorded, or is there already")
    return found


async def history(database: Database, limit: int) -> list[Mapping[str, Any]]:
    """See `PolicyRecords.history`."""
    return list(await database.rows(SWITCHES, {"limit": limit}))


async def was_in_force(database: Database, digest: str) -> bool:
    """See `PolicyRecords.was_in_force`."""
    return await database.row(KNOWN, {"digest": digest}) is not None


async def beat(database: Database, process: Process) -> Switch | None:
    """See `PolicyRecords.beat`."""
    named = {"process": process.id, "kind": process.kind, "digest": process.digest}
    return _switch(await database.row(BEAT, named))


async def leave(database: Database, process_id: str) -> None:
    """See `PolicyRecords.leave`."""
    await database.rows(LEAVE, {"process": process_id})


async def processes(database: Database) -> Sequence[Process]:
    """See `PolicyRecords.processes`."""
    return [Process(**row) for row in await database.rows(PROCESSES, {})]


def _switch(row: Mapping[str, Any] | None) -> Switch | None:
    return None if row is None else Switch(**row)
