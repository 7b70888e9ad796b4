"""What one command does with the database of a service, and then is over."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import date
from typing import Any
from uuid import UUID

from chingoo.adapters import policy_bundles
from chingoo.adapters.clock import SystemClock
from chingoo.adapters.postgres.migrations import HEAD
from chingoo.adapters.postgres.policy_records import PostgresPolicyRecords
from chingoo.adapters.postgres.queries import data_keys, recorded
from chingoo.adapters.postgres.queries.recorded import RecordedDecision
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.proof.hits import EntryUse
from chingoo.service.logs import LogService
from chingoo.service.policy_hits import read_uses
from chingoo.settings.values import Settings
from chingoo.wiring.database import Progress, database_for_a_command, guaranteed, migrated_address, vault_of
from chingoo.wiring.policies import compiled_policies, loaded_bundle


async def upgrade_database(settings: Settings, progress: Progress) -> str:
    """Migrate the database to this release; the revision it is at now."""
    async with AsyncExitStack() as stack:
        await migrated_address(settings, progress, stack)
    return HEAD


async def rotate_keys(settings: Settings, progress: Progress) -> Mapping[str, int]:
    """Seal everything anew under the first data key; how many rows of each kind."""
    _, compiled = await asyncio.to_thread(compiled_policies, settings.policy_dir)
    heads = guaranteed(compiled.bundle)
    compiled.close()
    async with database_for_a_command(settings, progress, vault_of(settings, lambda: heads)) as database:
        with progress("sealing anew"):
            return await data_keys.rotate(database, SystemClock().now())


async def recorded_decision(settings: Settings, progress: Progress, decision_id: UUID) -> RecordedDecision | None:
    """A decision of the running service with its verdict, or None."""
    async with database_for_a_command(settings, progress) as database:
        return await recorded.recorded_decision(database, decision_id)


async def policy_hits(settings: Settings, progress: Progress, since: date) -> tuple[EntryUse, ...]:
    """How often each entry of the policies on disk was seen from a day on, the most used first, dead ones last.

    What was counted under earlier sets is counted for the entries that still stand in their lists.
    """
    bundle = loaded_bundle(settings.policy_dir)
    async with database_for_a_command(settings, progress) as database:
        return await read_uses(PostgresPolicyRecords(database), policy_bundles, bundle, since)


async def safety_counts(
    settings: Settings, progress: Progress, first: date | None, last: date | None
) -> Mapping[str, Any]:
    """Guard hits and crises of the running service by month."""
    async with database_for_a_command(settings, progress) as database:
        return await LogService(PostgresStore(database)).counts(first, last)
