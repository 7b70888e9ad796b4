"""What processes tell one another about policies, in memory: one object shared by several lives is one database."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from chingoo.errors import DatabaseUnreachableError
from chingoo.model.policies import EntryCount, Process, Switch, Verdict


class FakePolicyRecords:
    """Also `ports.notifications.Notifications`. `away` makes every call fail; `silent` tells nobody of what happens."""

    def __init__(self, decisions: Sequence[UUID] = ()) -> None:
        """`decisions` are the ids that verdicts may name."""
        self.away = False
        self.silent = False
        self.verdicts: dict[UUID, tuple[Verdict, str | None, str, datetime]] = {}
        self._decisions = frozenset(decisions)
        self._bundles: dict[str, bytes] = {}
        self._switches: list[Switch] = []
        self._processes: dict[str, Process] = {}
        self._hits: dict[tuple[date, str, str], tuple[int, int]] = {}
        self._listeners: list[asyncio.Queue[str]] = []

    async def store(self, digest: str, packed: bytes, process_id: str) -> None:
        """Keep a set, and tell the other processes to make ready for it."""
        self._asked()
        self._bundles.setdefault(digest, packed)
        self._say(f"prepare {digest} {process_id}")

    async def bundle(self, digest: str) -> bytes | None:
        """The bytes of a stored set."""
        self._asked()
        return self._bundles.get(digest)

    async def newest(self) -> Switch | None:
        """The switch that is in force."""
        self._asked()
        return self._switches[-1] if self._switches else None

    async def switch(self, digest: str, who: str, reason: str, now: datetime) -> Switch:
        """Switch all processes; nothing is written if that set is in force already."""
        self._asked()
        if not self._switches or self._switches[-1].digest != digest:
            self._switches.append(Switch(len(self._switches) + 1, digest, who, reason, now))
            self._say(f"switch {digest}")
        return self._switches[-1]

    async def history(self, limit: int) -> list[Mapping[str, Any]]:
        """Switches, newest first."""
        self._asked()
        newest = self._switches[::-1][:limit]
        return [{"digest": one.digest, "who": one.who, "reason": one.reason, "at": one.at} for one in newest]

    async def was_in_force(self, digest: str) -> bool:
        """Whether any switch ever named this set."""
        self._asked()
        return any(one.digest == digest for one in self._switches)

    async def beat(self, process: Process) -> Switch | None:
        """A sign of life; the switch that is in force."""
        self._asked()
        self._processes[process.id] = process
        return await self.newest()

    async def leave(self, process_id: str) -> None:
        """The process ends."""
        self._asked()
        self._processes.pop(process_id, None)

    async def processes(self) -> Sequence[Process]:
        """All processes that have not left."""
        self._asked()
        return [self._processes[process_id] for process_id in sorted(self._processes)]

    async def add_hits(self, counts: Sequence[EntryCount]) -> None:
        """Add counts to those of the same day, set and entry."""
        self._asked()
        for count in counts:
            hits, refusals = self._hits.get((count.day, count.digest, count.entry), (0, 0))
            self._hits[count.day, count.digest, count.entry] = hits + count.hits, refusals + count.refusals

    async def hits(self, since: date) -> list[EntryCount]:
        """The counts from a day on."""
        self._asked()
        return [
            EntryCount(digest, entry, day, *numbers)
            for (day, digest, entry), numbers in sorted(self._hits.items())
            if day >= since
        ]

    async def give_verdict(
        self, decision_id: UUID, verdict: Verdict, note: str | None, who: str, now: datetime
    ) -> bool:
        """Note a verdict; False if there is no such decision."""
        self._asked()
        if decision_id not in self._decisions:
            return False
        self.verdicts[decision_id] = verdict, note, who, now
        return True

    async def listen(self) -> AsyncIterator[str]:
        """What processes say from now on."""
        heard: asyncio.Queue[str] = asyncio.Queue()
        self._listeners.append(heard)
        try:
            while True:
                yield await heard.get()
        finally:
            self._listeners.remove(heard)

    def _asked(self) -> None:
        if self.away:
            raise DatabaseUnreachableError("the database does not answer: it was switched off")

    def _say(self, what: str) -> None:
        if not self.silent:
            for heard in self._listeners:
                heard.put_nowait(what)
