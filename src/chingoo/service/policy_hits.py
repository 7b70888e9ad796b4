"""How often each entry of the policies is seen: counted in memory, added to the database now and then, read by people.

No person, message or conversation is in these counts: a bundle, a place in a file, a day and two numbers.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, date
from typing import Any, Final

from chingoo.errors import ChingooError
from chingoo.flow.view import TurnView
from chingoo.model.enums import Pipeline
from chingoo.model.policies import EntryCount
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry, WordList
from chingoo.ports import Metrics
from chingoo.service.policy_needs import Packing, PolicyRecords

_EVERY_S: Final = 10.0
_MOST_KEYS: Final = 50_000
_UNSEEN_FIELDS: Final = frozenset({"none", "exceptions", "valence"})
"""Parts of the documents whose words take away or colour, and never stand in the spans of a decision."""

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
        """Write the counts every few seconds, until cancelled."""
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


@dataclass(frozen=True, slots=True)
class EntryUse:
    """One line of word lists and its use. `entries` are the words written there, `lists` the lists they belong to."""

    file: str
    line: int
    lists: tuple[str, ...]
    entries: tuple[str, ...]
    hits: int
    refusals: int
    last_hit: date | None

    @property
    def is_dead(self) -> bool:
        """Never seen in the days looked at."""
        return self.hits == 0

    @property
    def refused_share(self) -> float:
        """In what share of the turns that saw it the decision was a refusal, 0 to 1."""
        return self.refusals / self.hits if self.hits else 0.0


async def read_uses(
    records: PolicyRecords, packing: Packing, bundle: Bundle, files: Mapping[str, str], since: date
) -> tuple[EntryUse, ...]:
    """The use of every line of words of a bundle, whose texts are `files`, from a day on (see `entry_uses`)."""
    counts = await records.hits(since)
    sets: dict[str, Mapping[str, str]] = {bundle.digest: files}
    for digest in {count.digest for count in counts} - sets.keys():
        packed = await records.bundle(digest)
        found = None if packed is None else packing.unpack(packed, digest)
        if found is not None:
            sets[digest] = found
    return entry_uses(bundle, sets, counts)


def entry_uses(
    bundle: Bundle, sets: Mapping[str, Mapping[str, str]], counts: Iterable[EntryCount]
) -> tuple[EntryUse, ...]:
    """Every line of words that can be seen in decisions, the most used first, dead ones last, in the order of files.

    `sets` are the texts of sets by digest, this bundle's own among them. A count of another set is that of the line
    with the same words in the same file; counts of lines that are written differently today are left out.
    """
    totals: dict[tuple[str, int], tuple[int, int, date]] = {}
    today = _line_numbers(sets[bundle.digest])
    written = {digest: _line_texts(files) for digest, files in sets.items()}
    for count in counts:
        name, _, number = count.entry.rpartition(":")
        text = written.get(count.digest, {}).get((name, int(number)))
        line = today.get((name, text)) if text is not None else None
        if line is not None:
            hits, refusals, last = totals.get((name, line), (0, 0, count.day))
            totals[name, line] = hits + count.hits, refusals + count.refusals, max(last, count.day)
    uses = []
    for (name, line), (lists, entries) in _lines_of_words(bundle).items():
        hits, refusals, day = totals.get((name, line), (0, 0, None))
        uses.append(EntryUse(name, line, tuple(lists), tuple(entries), hits, refusals, day))
    return tuple(sorted(uses, key=lambda use: (-use.hits, use.file, use.line)))


_Text = tuple[str, int]
"""A line without the spaces around it, and which one it is of those in its file that read the same."""


def _line_texts(files: Mapping[str, str]) -> dict[tuple[str, int], _Text]:
    found: dict[tuple[str, int], _Text] = {}
    for name, text in files.items():
        seen: dict[str, int] = {}
        for number, line in enumerate(text.split("\n"), 1):
            bare = line.strip()
            seen[bare] = seen.get(bare, 0) + 1
            found[name, number] = bare, seen[bare]
    return found


def _line_numbers(files: Mapping[str, str]) -> dict[tuple[str, _Text], int]:
    return {(name, text): number for (name, number), text in _line_texts(files).items()}


def _lines_of_words(bundle: Bundle) -> dict[tuple[str, int], tuple[dict[str, None], dict[str, None]]]:
    """Lists and words by file and line, of all lists that a signal, count, guard, crisis rule or topic looks for."""
    areas = (bundle.topics, bundle.signals, bundle.safety, bundle.crisis)
    lists = {name: words for area in areas for name, words in area.lists.items()}
    named = {name for area in areas for name in _names(area) if name in lists}
    lines: dict[tuple[str, int], tuple[dict[str, None], dict[str, None]]] = {}
    for name in sorted(named):
        for entry in _entries(lists[name]):
            ids, words = lines.setdefault((entry.place.file, entry.place.line), ({}, {}))
            ids[name], words[entry.text] = None, None
    return lines


def _entries(words: WordList) -> Iterator[Entry]:
    for entries in words.entries.values():
        yield from entries


def _names(part: Any) -> Iterator[str]:
    """Every text in a document that might name a list it looks for."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for value in part.values():
            yield from _names(value)
    elif isinstance(part, tuple):
        for item in part:
            yield from _names(item)
    elif is_dataclass(part) and not isinstance(part, WordList | type):
        for one in fields(part):
            if one.name not in _UNSEEN_FIELDS:
                yield from _names(getattr(part, one.name))
