"""The database of the settings: started if it is the embedded one, migrated, opened."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager

from chingoo.adapters.background import beside
from chingoo.adapters.cipher import AesCipher
from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.migrations import upgrade
from chingoo.adapters.postgres.vault import Vault
from chingoo.policy.bundle import Bundle
from chingoo.settings.values import Settings

Progress = Callable[[str], AbstractContextManager[None]]
"""What is under way is said for as long as the block lasts."""

WAIT_S = 5.0
"""How long a call waits for a connection before the database counts as away."""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def database_for_a_command(
    settings: Settings, progress: Progress, vault: Vault | None = None
) -> AsyncIterator[Database]:
    """The migrated database by one connection, for the length of one command."""
    async with AsyncExitStack() as stack:
        url = await migrated_address(settings, progress, stack)
        database = await Database.open(url, connections=1, wait_s=WAIT_S, vault=vault)
        stack.push_async_callback(database.close)
        yield database


async def migrated_address(settings: Settings, progress: Progress, stack: AsyncExitStack) -> str:
    """Where the database is, at this release's schema; an embedded one runs until the stack is closed."""
    url = await _address(settings, progress, stack)
    with progress("migrating the database"):
        await asyncio.to_thread(upgrade, url)
    return url


def vault_of(settings: Settings, guaranteed: Callable[[], frozenset[str]]) -> Vault:
    """What seals guaranteed facts, where there is a data key."""
    return Vault(AesCipher(settings.data_key) if settings.data_key else None, guaranteed)


def guaranteed(bundle: Bundle) -> frozenset[str]:
    """The first parts of the keys of guaranteed families: what is sealed where there is a data key."""
    return frozenset(family.key for family in bundle.memory.families.values() if family.guaranteed)


async def _address(settings: Settings, progress: Progress, stack: AsyncExitStack) -> str:
    if settings.database_url is not None:
        return settings.database_url
    with progress("starting the embedded database"):
        server = await asyncio.to_thread(EmbeddedPostgres.attach, settings.data_dir, progress=_log.info)
    stack.callback(server.detach)
    await stack.enter_async_context(beside("watching the embedded database", server.keep_alive))
    return server.url
