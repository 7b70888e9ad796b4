"""Connections to the database: a pool, one statement or one transaction at a time, and errors in our own words."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Self, TypeVar

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg.types.string import TextLoader
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from chingoo.adapters.postgres.address import checked, unreachable
from chingoo.adapters.postgres.faults import fault_of, unstorable
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.vault import Vault
from chingoo.errors import DatabaseUnreachableError

Connection = psycopg.AsyncConnection[DictRow]
Parameters = Mapping[str, Any]
Outcome = TypeVar("Outcome")

_TRIES = 5
_PAUSE_S = 0.01
_ASK_AGAIN_S = 0.5
_SESSION = b"""
set timezone = 'UTC';
set jit = off;
set plan_cache_mode = force_generic_plan;
set enable_seqscan = off;
set lock_timeout = '20s';
set statement_timeout = '60s';
set idle_in_transaction_session_timeout = '60s'
"""
"""What every session of ours sets.

Plans are made once per statement and session, and must be the right ones for large tables even where they are made
while the tables are still empty: hence generic plans, and indexes first. The time limits are far above any statement
of ours; they keep a mistake from holding locks for ever.
"""


class Database:
    """A pool of connections, each set up for our statements and in autocommit: one statement is one transaction."""

    def __init__(self, pool: AsyncConnectionPool[Connection], url: str, wait_s: float, vault: Vault) -> None:
        """Use `open`."""
        self._pool, self._url, self._wait_s, self.vault = pool, url, wait_s, vault

    @classmethod
    async def open(cls, url: str, *, connections: int, wait_s: float, vault: Vault | None = None) -> Self:
        """Connect; `wait_s` bounds how long anything waits for a connection, `vault` seals what is to be sealed.

        DatabaseUnreachableError: no answer. SettingsError: no address.
        """
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # it would log the address with every attempt
        pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            checked(url),
            min_size=min(2, connections),
            max_size=connections,
            timeout=wait_s,
            reconnect_timeout=0,  # no pauses that grow: whoever asks for a connection makes a new attempt
            open=False,
            configure=_configure,
            kwargs={
                "autocommit": True,
                "row_factory": dict_row,
                "prepare_threshold": 0,
                "connect_timeout": 5,
                "cursor_factory": psycopg.AsyncRawCursor,
            },
        )
        try:
            await pool.open(wait=True, timeout=wait_s)
        except PoolTimeout:
            await pool.close(timeout=0)
            raise await _why(url) from None
        return cls(pool, url, wait_s, vault or Vault())

    async def close(self) -> None:
        """Close all connections; those in use when they come back."""
        await self._pool.close()

    async def row(self, statement: Statement, parameters: Parameters) -> DictRow | None:
        """The first row of a statement that may be run again should the connection break, or None."""
        found = await self.rows(statement, parameters)
        return found[0] if found else None

    async def rows(self, statement: Statement, parameters: Parameters) -> Sequence[DictRow]:
        """The rows of a statement that may be run again should the connection break."""

        async def work(connection: Connection) -> Sequence[DictRow]:
            return await fetch(connection, statement, parameters)

        return await self.run(work)

    async def run(self, work: Callable[[Connection], Awaitable[Outcome]]) -> Outcome:
        """Run `work`, again after a deadlock, a serialization failure or a broken connection, a few times at most.

        So `work` must be one transaction, and safe to repeat where the connection broke after the commit.
        """
        tries = 0
        give_up = time.monotonic() + self._wait_s
        while True:
            tries += 1
            try:
                async with self._pool.connection(timeout=min(_ASK_AGAIN_S, self._wait_s)) as connection:
                    return await work(connection)
            except PoolTimeout as error:
                if time.monotonic() >= give_up:
                    raise fault_of(error, self._url).meaning from None
                tries -= 1
                continue
            except psycopg.Error as error:
                fault = fault_of(error, self._url)
                if not fault.again or tries == _TRIES:
                    raise fault.meaning from None
            except UnicodeEncodeError:
                raise unstorable() from None
            if fault.broken:
                await self._pool.check()
            await asyncio.sleep(_PAUSE_S * tries)


async def execute(connection: Connection, statement: Statement, parameters: Parameters) -> None:
    """Run a statement that gives no rows."""
    await connection.execute(statement.text, statement.bind(parameters))


async def send(connection: Connection, statement: Statement, parameters: Parameters) -> psycopg.AsyncCursor[DictRow]:
    """A statement whose rows are asked for later: in a pipeline it is on its way at once, and nobody waits."""
    return await connection.execute(statement.text, statement.bind(parameters))


async def fetch(connection: Connection, statement: Statement, parameters: Parameters) -> Sequence[DictRow]:
    """The rows of a statement."""
    return await (await send(connection, statement, parameters)).fetchall()


async def _configure(connection: Connection) -> None:
    await connection.execute(_SESSION, prepare=False)
    # JSON is decoded straight into our own types where it is used.
    connection.adapters.register_loader("json", TextLoader)
    connection.adapters.register_loader("jsonb", TextLoader)


async def _why(url: str) -> DatabaseUnreachableError:
    """The reason that the pool keeps to itself, from one more attempt."""
    try:
        async with await psycopg.AsyncConnection.connect(checked(url), connect_timeout=5):
            return unreachable(url, None)
    except psycopg.Error as error:
        return unreachable(url, error)
