"""How often each entry of the policies is seen: counted in memory, added to the database now and then, read by people.

No person, message or conversation is in these counts: a bundle, a place in a file, a day and two numbers.
"""

import asyncio
from collections.abc import Mapping
from datetime import UTC, date
from typing import Final

from chingoo.errors import ChingooError
from chingoo.flow.view import TurnView
from chingoo.model.enums import Pipeline
from chingoo.model.policies import EntryCount
from chingoo.policy.bundle import Bundle
from chingoo.ports.machine import Metrics
from chingoo.proof.hits import EntryUse, entry_uses
from chingoo.service.policy_needs import Packing, PolicyRecords

_EVERY_S: Final = 1.0
_MOST_KEYS: Final = 50_000
_Key = tuple[str, str, date]


class EntryCounter:
    """Counts the entries that decided turns. A crash loses what the last seconds brought; counts are no ledger."""

    def __init__(self, records: PolicyRecords, metrics: Metrics) -> None:
        self._records, self._metrics = records, metrics
        self._counts: dict[_Key, tuple[int, int]] = {}

    def settled(self, view: TurnView) -> None:
        """A turn was settled; a retention turn has no words of the person's."""
        decision = view.decision
        day = view.known.received_at.astimezone(UTC).date()
        refused = int(decision.routing.pipeline is Pipeline.REFUSAL)
        for entry in {span[0] for span in decision.spans}:
            self._add((decision.digest, entry, day), 1, refused)

    async def run(self) -> None:
        """Write the counts every second, until cancelled."""
        while True:
            await asyncio.sleep(_EVERY_S)
            await self.flush()

    async def flush(self) -> None:
        """Write what was counted. While the database is away it is kept for the next time."""
        counts, self._counts = self._counts, {}
        if not counts:
            return
        rows = [EntryCount(*key, hits=hits, refusals=refusals) for key, (hits, refusals) in counts.items()]
        try:
            await self._records.add_hits(rows)
        except ChingooError:
            for key, (hits, refusals) in counts.items():
                self._add(key, hits, refusals)

    def _add(self, key: _Key, hits: int, refusals: int) -> None:
        known = self._counts.get(key)
        if known is None and len(self._counts) >= _MOST_KEYS:
            self._metrics.count("chingoo_policy_hits_dropped_total", value=hits)
            return
        before = known or (0, 0)
        self._counts[key] = before[0] + hits, before[1] + refusals


async def read_uses(records: PolicyRecords, packing: Packing, bundle: Bundle, since: date) -> tuple[EntryUse, ...]:
    """The use of every entry of a bundle from a day on (see `entry_uses`)."""
    counts = await records.hits(since)
    sets: dict[str, Mapping[str, str]] = {}
    for digest in {count.digest for count in counts} - {bundle.digest}:
        packed = await records.bundle(digest)
        found = None if packed is None else packing.unpack(packed, digest)
        if found is not None:
            sets[digest] = found
    return entry_uses(bundle, sets, counts)
