"""`service.policy_needs.PolicyRecords` on PostgreSQL: every method one statement of `queries`."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.queries import policies, verdicts
from chingoo.model.policies import EntryCount, Process, Switch, Verdict


class PostgresPolicyRecords:
    """What processes tell one another about policies, and what is learned of them in use."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def store(self, digest: str, packed: bytes, process_id: str) -> None:
        """Keep a set, and tell the other processes to make ready for it."""
        await policies.store(self._database, digest, packed, process_id)

    async def bundle(self, digest: str) -> bytes | None:
        """The bytes of a stored set."""
        return await policies.bundle(self._database, digest)

    async def newest(self) -> Switch | None:
        """The switch that is in force."""
        return await policies.newest(self._database)

    async def switch(self, digest: str, who: str, reason: str, now: datetime) -> Switch:
        """Switch all processes; nothing is written if that set is in force already."""
        return await policies.switch(self._database, digest, who, reason, now)

    async def history(self, limit: int) -> list[Mapping[str, Any]]:
        """Switches, newest first."""
        return await policies.history(self._database, limit)

    async def was_in_force(self, digest: str) -> bool:
        """Whether any switch ever named this set."""
        return await policies.was_in_force(self._database, digest)

    async def beat(self, process: Process) -> Switch | None:
        """A sign of life; the switch that is in force."""
        return await policies.beat(self._database, process)

    async def leave(self, process_id: str) -> None:
        """The process ends."""
        await policies.leave(self._database, process_id)

    async def processes(self) -> Sequence[Process]:
        """All processes that gave a sign of life lately."""
        return await policies.processes(self._database)

    async def add_hits(self, counts: Sequence[EntryCount]) -> None:
        """Add counts to those of the same day, set and entry."""
        await verdicts.add_hits(self._database, counts)

    async def hits(self, since: date) -> list[EntryCount]:
        """The counts from a day on."""
        return await verdicts.hits(self._database, since)

    async def give_verdict(
        self, decision_id: UUID, verdict: Verdict, note: str | None, who: str, now: datetime
    ) -> bool:
        """Note a verdict; False if there is no such decision."""
        return await verdicts.give_verdict(self._database, decision_id, verdict, note, who, now)
