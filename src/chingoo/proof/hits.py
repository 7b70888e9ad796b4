"""Tells of each entry of the lists and each pattern of facts how often it was seen: dead words, noisy words, others."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from typing import Any, Final

from chingoo.engine.fact_tables import EVENT_KIND
from chingoo.engine.facts import EVENTS, PHRASES
from chingoo.model.policies import EntryCount
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry, Place, WordList
from chingoo.source.reader import read
from chingoo.source.tree import ListNode, MapNode, Node, Scalar

_UNSEEN_FIELDS: Final = frozenset({"none", "unless", "exceptions", "valence"})
"""Parts of the documents whose words take away or colour, and never stand in the spans of a decision."""


@dataclass(frozen=True, slots=True)
class EntryUse:
    """An entry of a word list and its use since a day; `last_hit` is None for one that was never seen."""

    place: Place
    list_id: str
    language: str
    entry: str
    hits: int = 0
    refusals: int = 0
    last_hit: date | None = None

    @property
    def is_dead(self) -> bool:
        """Never seen in the days looked at."""
        return self.hits == 0

    @property
    def refused_share(self) -> float:
        """In what share of the turns that saw it the decision was a refusal, 0 to 1."""
        return self.refusals / self.hits if self.hits else 0.0


@dataclass(frozen=True, slots=True)
class _Written:
    """What an entry is, wherever in its list it stands."""

    file: str
    list_id: str
    language: str
    entry: str


def entry_uses(
    bundle: Bundle, sets: Mapping[str, Mapping[str, str]], counts: Iterable[EntryCount]
) -> tuple[EntryUse, ...]:
    """Every entry that can be seen in decisions, the most used first, dead ones last, in the order of the files.

    `sets` are the texts of other sets that were counted, by digest. A count of another set is that of the entry that
    stands in the same list of the same file today; counts of entries that are gone are left out.
    """
    past = _Past(sets)
    totals: dict[_Written, tuple[int, int, date]] = {}
    today = {str(place): what for what, place in _everything(bundle)}
    for count in counts:
        what = today.get(count.entry) if count.digest == bundle.digest else past.entry(count)
        if what is not None:
            hits, refusals, last = totals.get(what, (0, 0, count.day))
            totals[what] = hits + count.hits, refusals + count.refusals, max(last, count.day)
    uses = []
    for what, place in _everything(bundle):
        hits, refusals, day = totals.get(what, (0, 0, None))
        uses.append(EntryUse(place, what.list_id, what.language, what.entry, hits, refusals, day))
    return tuple(sorted(uses, key=lambda use: (-use.hits, use.place)))


class _Past:
    """What stood where in earlier sets; a file that several sets share is read once."""

    def __init__(self, sets: Mapping[str, Mapping[str, str]]) -> None:
        self._sets = sets
        self._read: dict[tuple[str, str], dict[str, _Written]] = {}

    def entry(self, count: EntryCount) -> _Written | None:
        """The entry that was counted."""
        name = count.entry.partition(":")[0]
        text = self._sets.get(count.digest, {}).get(name)
        if text is None:
            return None
        known = self._read.get((name, text))
        if known is None:
            known = self._read[name, text] = dict(_written(name, text))
        return known.get(count.entry)


def _written(name: str, text: str) -> Iterator[tuple[str, _Written]]:
    """The entries of all lists of a file, its patterns, and its words for events, by place."""
    tree = read(text, name).tree
    for list_id, words in _pairs(_child(tree, "lists")):
        for language, entries in _pairs(_child(words, "entries")):
            for item in _items(entries):
                words_of = _child(item, "text") if isinstance(item, MapNode) else item
                if isinstance(words_of, Scalar):
                    yield str(item.place), _Written(name, list_id, language, words_of.text)
    language_of_file = name.rpartition("/")[2].partition(".")[0]
    for pattern in _items(_child(tree, "patterns")):
        known_as = _child(pattern, "id")
        if isinstance(known_as, Scalar):
            yield str(pattern.place), _Written(name, PHRASES, language_of_file, known_as.text)
    for _, spoken in _pairs(_child(_child(tree, "values"), EVENT_KIND)):
        for language, entries in _pairs(spoken):
            for item in _items(entries):
                if isinstance(item, Scalar):
                    yield str(item.place), _Written(name, EVENTS, language, item.text)


def _child(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, MapNode) else None


def _items(node: Node | None) -> Iterable[Node]:
    return node.items if isinstance(node, ListNode) else ()


def _pairs(node: Node | None) -> Iterator[tuple[str, Node]]:
    for key, value in node.pairs if isinstance(node, MapNode) else ():
        yield key.text, value


def _everything(bundle: Bundle) -> Iterator[tuple[_Written, Place]]:
    """What may stand in the spans of a decision: entries of lists, patterns of facts, and words for events."""
    for what, entry in _entries(bundle):
        yield what, entry.place
    for language, document in bundle.instant.items():
        for pattern in document.patterns:
            yield _Written(pattern.place.file, PHRASES, language, pattern.id), pattern.place
    for spoken in bundle.synonyms.values.get(EVENT_KIND, {}).values():
        for language, entries in spoken.items():
            for entry in entries:
                yield _Written(entry.place.file, EVENTS, language, entry.text), entry.place


def _entries(bundle: Bundle) -> Iterator[tuple[_Written, Entry]]:
    """Every entry of all lists that a signal, count, guard, crisis rule or topic looks for."""
    areas = (bundle.topics, bundle.signals, bundle.safety, bundle.crisis)
    lists = {name: words for area in areas for name, words in area.lists.items()}
    for name in sorted({name for area in areas for name in _names(area) if name in lists}):
        for language, entries in lists[name].entries.items():
            for entry in entries:
                yield _Written(entry.place.file, name, language, entry.text), entry


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
