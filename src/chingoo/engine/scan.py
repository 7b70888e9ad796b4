"""What was seen in one text: hits of word lists, made only for the lists that somebody asks about."""

from collections.abc import Iterable, Iterator, KeysView, Mapping
from operator import attrgetter
from typing import NamedTuple

from chingoo.policy.documents.base import Entry, View
from chingoo.text.normalise import NormalisedText
from chingoo.text.offsets import Offsets, Span


class Target(NamedTuple):
    """What a key stands for: an entry of a list."""

    list_id: str
    entry: Entry
    name: str
    language: str


class Hit(NamedTuple):
    """An entry seen in a text: on which tokens of the matching form, and where in it (half-open)."""

    list_id: str
    entry: Entry
    first_token: int
    last_token: int
    start: int
    end: int
    view: View
    name: str
    language: str


class Row:
    """Some hits of one list in order of appearance, and by their first tokens with where these and the last ones are.

    `languages` are those of the hits, each once, in order of appearance. `spoken` is for those who ask for the hits of
    some of them: what they made of the row, by a name of theirs.
    """

    __slots__ = ("by_token", "firsts", "hits", "languages", "lasts", "spoken")

    def __init__(self, hits: tuple[Hit, ...]) -> None:
        self.hits = hits
        self.languages = tuple(dict.fromkeys(map(_language, hits)))
        self.by_token = sorted(hits, key=_first_token)
        self.firsts = list(map(_first_token, self.by_token))
        self.lasts = list(map(_last_token, self.by_token))
        self.spoken: dict[str, Row] = {}


_first_token, _last_token, _language = attrgetter("first_token"), attrgetter("last_token"), attrgetter("language")

Found = tuple[tuple[Target, ...], int, int, View]
"""A place before anybody asked for it: what was found there, from where to where in the matching form, in which view.

It is kept under each of the lists that the targets are of, and the targets themselves are only looked at for those that
somebody asks about.
"""

_Sight = tuple[Target, int, int, View]
_new = tuple.__new__


class Scan:
    """What was seen in one text. `found` maps each seen list to its hits in order of appearance.

    `seen` are the same lists as `lists`, for comparing them with others, which sets do much faster. `offsets` are those
    of the text, if somebody asked for them before. `met` is for what those who ask about many lists found of theirs.
    """

    __slots__ = ("_found", "_hits", "_offsets", "_own", "_rows", "met", "seen", "text")

    def __init__(self, text: NormalisedText, found: dict[str, list[Found]], offsets: Offsets | None = None) -> None:
        self.text = text
        self.seen = frozenset(found)
        self._found = found
        self._offsets = offsets
        self._hits: dict[str, tuple[Hit, ...]] = {}
        self._own: dict[str, list[_Sight]] = {}
        self._rows: dict[str, Row] = {}
        self.met: dict[object, dict[int, list[int]]] = {}

    @property
    def lists(self) -> KeysView[str]:
        """The lists of which something was seen."""
        return self._found.keys()

    def has(self, list_id: str) -> bool:
        """Whether an entry of the list was seen."""
        return list_id in self._found

    def hits(self, list_id: str) -> tuple[Hit, ...]:
        """All hits of a list, in order of appearance."""
        hits = self._hits.get(list_id)
        if hits is None:
            hits = self._hits[list_id] = tuple(self._made(list_id))
        return hits

    def row(self, list_id: str) -> Row:
        """All hits of a list, also by their first tokens."""
        row = self._rows.get(list_id)
        if row is None:
            row = self._rows[list_id] = Row(self.hits(list_id))
        return row

    def leading(self, list_id: str, most: int) -> tuple[Hit, ...]:
        """The first hits of a list, so many at most: what a text repeats without end costs no more than that."""
        return self.hits(list_id)[:most] if list_id in self._hits else tuple(self._made(list_id, most))

    def first(self, list_id: str) -> Hit:
        """The first hit of a list of which something was seen."""
        hits = self._hits.get(list_id)
        return hits[0] if hits is not None else self._hit(list_id, next(self._leading_sights(list_id)))

    def first_spoken(self, list_id: str, languages: frozenset[str]) -> Hit | None:
        """The first hit of a list by a word of one of some languages."""
        for found in self._leading_sights(list_id) if list_id in self._found else ():
            if found[0].language in languages:
                return self._hit(list_id, found)
        return None

    def spots(self, list_id: str) -> list[tuple[int, int, str]]:
        """First token, last token and language of each hit of a list: the cheap way to ask."""
        count = self.text.match.count
        spots: list[tuple[int, int, str]] = []
        first = counted_to = 0
        for target, start, end, _ in self._sights(list_id):
            if start < counted_to:
                first -= count(" ", start, counted_to)
            else:
                first += count(" ", counted_to, start)
            counted_to = start
            spots.append((first, first + count(" ", start, end), target.language))
        return spots

    def distinct(self, list_id: str) -> tuple[str, ...]:
        """The names of the entries seen, each once, in order of appearance (TOPIC-04).

        Entries of two languages for the same words of the text (jesus, jésus) count once, by the first.
        """
        sights = self._sights(list_id)
        if len(sights) == 1:
            return (sights[0][0].name,)
        names: dict[str, None] = {}
        spoken: dict[tuple[int, int], str] = {}
        for target, start, end, _ in sights:
            if spoken.setdefault((start, end), target.language) == target.language:
                names[target.name] = None
        return tuple(names)

    def firsts(self, list_id: str) -> list[tuple[Entry, int, int]]:
        """Of each entry of a list that was seen the first place, in order of appearance; entries go by their names."""
        first: dict[str, tuple[Entry, int, int]] = {}
        for target, start, end, _ in self._sights(list_id):
            if target.name not in first:
                first[target.name] = (target.entry, start, end)
        return list(first.values())

    def span(self, hit: Hit) -> Span:
        """Where a hit stands in the raw text, in code points."""
        return self.offsets.from_match(hit.start, hit.end)

    @property
    def offsets(self) -> Offsets:
        """The way back to the raw text."""
        if self._offsets is None:
            self._offsets = Offsets(self.text)
        return self._offsets

    def _sights(self, list_id: str) -> list[_Sight]:
        """What was seen of one list."""
        own = self._own.get(list_id)
        if own is None:
            own = self._own[list_id] = [
                (target, start, end, view)
                for targets, start, end, view in self._found.get(list_id, ())
                for target in targets
                if target[0] == list_id
            ]
        return own

    def _leading_sights(self, list_id: str) -> Iterator[_Sight]:
        """The same one by one, for those who only ask for the first: a text may repeat a word without end."""
        for targets, start, end, view in self._found[list_id]:
            for target in targets:
                if target[0] == list_id:
                    yield target, start, end, view

    def _made(self, list_id: str, most: int | None = None) -> list[Hit]:
        """Hits, with their tokens counted on from one hit to the next."""
        count = self.text.match.count
        hits: list[Hit] = []
        first = counted_to = 0
        for (_, entry, name, language), start, end, view in self._sights(list_id)[:most]:
            if start < counted_to:
                first -= count(" ", start, counted_to)
            else:
                first += count(" ", counted_to, start)
            counted_to = start
            last = first + count(" ", start, end)
            hits.append(_new(Hit, (list_id, entry, first, last, start, end, view, name, language)))
        return hits

    def _hit(self, list_id: str, found: _Sight) -> Hit:
        target, start, end, view = found
        match = self.text.match
        first = match.count(" ", 0, start)
        last = first + match.count(" ", start, end)
        return Hit(list_id, target.entry, first, last, start, end, view, target.name, target.language)


class Gathering:
    """Hits while a text is scanned, and the offsets they were found by, where any are.

    Places are only kept of lists of which a second view sees something.
    """

    __slots__ = ("_places", "found", "offsets")

    def __init__(self) -> None:
        self.found: dict[str, list[Found]] = {}
        self.offsets: Offsets | None = None
        self._places: dict[str, set[tuple[int, int, int]]] = {}

    def add(self, target: Target, start: int, end: int, view: View) -> None:
        """Note a hit of a further view, unless the same entry was seen at the same place before."""
        list_id = target.list_id
        places = self._places.get(list_id)
        if places is None:
            known = self.found.get(list_id, ())
            places = self._places[list_id] = {(id(one), found[1], found[2]) for found in known for one in found[0]}
        place = (id(target), start, end)
        if place not in places:
            places.add(place)
            self.found.setdefault(list_id, []).append(((target,), start, end, view))


def drop_unmet(found: dict[str, list[Found]], demanding: frozenset[str]) -> None:
    """Take away the hits whose entry requires another entry that was not seen; only `demanding` lists have such."""
    for list_id in demanding.intersection(found):
        own = _of_list(list_id, found[list_id])
        needed = {target.entry.requires for target, *_ in own}
        seen = {one: _entries(one, found) for one in needed if one is not None}
        if not seen:
            continue
        kept: list[Found] = [
            ((target,), start, end, view) for target, start, end, view in own if _is_met(target.entry, seen)
        ]
        if kept:
            found[list_id] = kept
        else:
            del found[list_id]


def _entries(list_id: str, found: Mapping[str, Iterable[Found]]) -> frozenset[int]:
    """Which entries of a list were seen."""
    return frozenset([id(target.entry) for target, *_ in _of_list(list_id, found.get(list_id, ()))])


def _is_met(entry: Entry, seen: Mapping[str, frozenset[int]]) -> bool:
    """Whether another entry of the list that an entry requires was seen."""
    return entry.requires is None or not seen[entry.requires] <= {id(entry)}


def _of_list(list_id: str, found: Iterable[Found]) -> list[_Sight]:
    """What was seen of a list, of all that was found where something of it was."""
    return [
        (target, start, end, view) for targets, start, end, view in found for target in targets if target[0] == list_id
    ]
