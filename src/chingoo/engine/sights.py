"""Conditions over lists (Sight, Near): whether they are seen, by which hits, and everywhere they are."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, chain
from typing import Generic, TypeVar

from chingoo.engine.entries import ANY_LANGUAGE
from chingoo.engine.hits import Hit
from chingoo.engine.scan import Row, Scan
from chingoo.engine.together import Asked
from chingoo.policy.documents.base import Near, Sight, View
from chingoo.text.language import ENGLISH

Hits = tuple[Hit, ...]
T = TypeVar("T")
APART = frozenset(("es", "fr", "de", "it"))
"""Languages whose words look like words of others and only go with their own; all others mix in chat."""
_NOTHING = Row(())
_APART_VIEWS = (View.COMPACT, View.EVASION)
"""The views in which words may be seen that were spelled in pieces."""


def seen(sight: Sight, scan: Scan) -> Hits | None:
    """The hits by which a sight is seen (of its first alternative that holds), or None."""
    for list_id in sight.none:
        if scan.has(list_id):
            return None
    for near in sight.any:
        hits = first_place(near, scan)
        if hits is not None:
            return hits
    return None


def first_place(near: Near, scan: Scan) -> Hits | None:
    """The first place where a Near is seen, or None."""
    if len(near.lists) == 1 and not near.unless:
        return (scan.first(near.lists[0]),) if scan.has(near.lists[0]) else None
    return next(places(near, scan), None)


def places(near: Near, scan: Scan) -> Iterator[Hits]:
    """Everywhere a Near is seen: one hit of each list, in the order of the lists.

    Without `within` and `ordered` that is once, with the first hit of each list; with them, once for each hit that can
    stand leftmost, with the hits that lie closest after it.
    """
    for list_id in near.lists:
        if not scan.has(list_id):
            return
    barred: Barred | None = None if near.unless else {}
    for place in _places(near, scan):
        if barred is None:  # not before there is a place, for the words of most conditions stand too far apart
            barred = barring(near.unless, scan)
        if not barred or not is_barred(place, barred, near.beside or 0):
            yield place


def _places(near: Near, scan: Scan) -> Iterator[Hits]:
    if len(near.lists) == 1:
        yield from ((hit,) for hit in scan.hits(near.lists[0]))
        return
    for spoken in _by_tongue([scan.row(list_id) for list_id in near.lists]):
        if near.ordered:
            yield from _in_order(spoken, near.within)
        elif near.within is None:
            yield tuple(row.hits[0] for row in spoken)
        else:
            yield from _together(spoken, near.within)


def _by_tongue(rows: list[Row]) -> Iterator[list[Row]]:
    """The hits, once for each tongue in which every list is seen.

    Look-alike words of Spanish, French, German and Italian only stand together with words of their own language; all
    other languages mix in chat.
    """
    languages = set(chain.from_iterable([row.languages for row in rows]))
    if len(languages) == 1 or (APART.isdisjoint(languages) and ANY_LANGUAGE not in languages):
        yield rows  # as mostly
        return
    for tongue in dict.fromkeys(map(_tongue, chain.from_iterable([row.languages for row in rows]))):
        spoken = [own for row in rows if (own := _spoken(row, tongue)).hits]
        if len(spoken) == len(rows):
            yield spoken


def _spoken(row: Row, tongue: str) -> Row:
    """Only the hits by words that go with a tongue; many conditions ask for the same."""
    spoken = row.spoken.get(tongue)
    if spoken is None:
        hits = tuple([hit for hit in row.hits if _tongue(hit.language) in (tongue, ANY_LANGUAGE)])
        spoken = row if len(hits) == len(row.hits) else Row(hits) if hits else _NOTHING
        row.spoken[tongue] = spoken
    return spoken


def tongue_of(hit: Hit) -> str:
    """The language of a hit where it stands apart from the others, else the language all others mix with."""
    return _tongue(hit.language)


def go_together(one: str, other: str) -> bool:
    """Whether words of two languages may stand together."""
    return ANY_LANGUAGE in (one, other) or _tongue(one) == _tongue(other)


def _tongue(language: str) -> str:
    return language if language in APART or language == ANY_LANGUAGE else ENGLISH


def _in_order(rows: list[Row], within: int | None) -> Iterator[Hits]:
    """One place for each hit of the first list: each next hit begins after the one before it has ended."""
    leading, *others = rows
    for first in leading.by_token:
        chosen = [first]
        end = first.last_token
        for row in others:
            after = bisect_left(row.firsts, end + 1)
            if after == len(row.firsts):
                break
            chosen.append(row.by_token[after])
            end = row.lasts[after]
        else:
            if within is None or _is_within(chosen, end - first.first_token, within):
                yield tuple(chosen)


def _together(rows: list[Row], within: int) -> Iterator[Hits]:
    """One place for each hit that can stand leftmost: of every other list the first hit from there on."""
    for leftmost in sorted(set(chain.from_iterable([row.firsts for row in rows]))):
        chosen: list[Hit] = []
        end = leftmost
        for row in rows:
            at = bisect_left(row.firsts, leftmost)
            if at == len(row.firsts):
                return
            chosen.append(row.by_token[at])
            end = max(end, row.lasts[at])
        if _is_within(chosen, end - leftmost, within):
            yield tuple(chosen)


def _is_within(chosen: list[Hit], reach: int, within: int) -> bool:
    """Whether hits that reach so many tokens from the first are near: what was spelled apart counts as one word.

    Spaces and marks inside of words make tokens of their pieces, and would else carry them out of every window.
    """
    if reach < within:
        return True
    return reach - sum([hit.last_token - hit.first_token for hit in chosen if hit.view in _APART_VIEWS]) < within


_Spots = tuple[list[int], list[int]]
"""Of words that bar places: where they begin, in order, and how far those up to there reach."""

Barred = Mapping[str, _Spots]
"""The same by their tongue."""


def barring(unless: Iterable[str], scan: Scan) -> Barred:
    """The words of some lists, which bar the places they stand in or beside."""
    spots: dict[str, list[tuple[int, int]]] = {}
    for list_id in unless:
        for first, last, language in scan.spots(list_id):
            spots.setdefault(_tongue(language), []).append((first, last))
    for own in spots.values():
        own.sort()
    return {
        tongue: ([first for first, _ in own], list(accumulate([last for _, last in own], max)))
        for tongue, own in spots.items()
    }


def is_barred(place: Hits, barred: Barred, beside: int) -> bool:
    """Whether one of the barred words, of a tongue that is spoken there, stands in the place, or beside it."""
    tongues = {ANY_LANGUAGE, *map(tongue_of, place)}
    return any(_is_beside(place, barred[tongue], beside) for tongue in tongues.intersection(barred))


def is_barred_in_any(place: Hits, barred: Barred, beside: int) -> bool:
    """Whether one of the barred words, of whatever tongue, stands in the place, or beside it."""
    return any(_is_beside(place, own, beside) for own in barred.values())


def _is_beside(place: Hits, barred: _Spots, beside: int) -> bool:
    firsts, reached = barred
    before = bisect_right(firsts, max([hit.last_token for hit in place]) + beside)
    return bool(before) and reached[before - 1] >= min([hit.first_token for hit in place]) - beside


class Combinations(Generic[T]):
    """Nears, each with what it stands for, of which only those are given whose lists were all seen."""

    def __init__(self, nears: Iterable[tuple[Near, T]], asked: Asked) -> None:
        self._nears = tuple(nears)
        self._asked = asked
        self._owner = asked.take([near for near, _ in self._nears])

    def met(self, scan: Scan) -> list[tuple[Near, T]]:
        """Those whose lists were all seen, wherever their words stand; in the order given."""
        numbers = self._asked.met(scan).get(self._owner)
        return [self._nears[number] for number in sorted(numbers)] if numbers else []

    def are_met(self, scan: Scan) -> bool:
        """Whether there are any such."""
        return self._owner in self._asked.met(scan)

    def places(self, scan: Scan) -> Iterator[Hits]:
        """Everywhere any of them is seen, in the order given."""
        for near, _ in self.met(scan):
            yield from places(near, scan)


def combinations(nears: Iterable[Near], asked: Asked) -> Combinations[None]:
    """Nears that stand for nothing beside themselves."""
    return Combinations(((near, None) for near in nears), asked)


class SightIndex:
    """Named sights, of which only those alternatives are looked at whose lists were seen."""

    def __init__(self, sights: Mapping[str, Sight], asked: Asked) -> None:
        self._none = {name: sight.none for name, sight in sights.items()}
        self._any = Combinations(((near, name) for name, sight in sights.items() for near in sight.any), asked)

    def seen(self, scan: Scan) -> dict[str, Hits]:
        """The sights that are seen, with their hits: those of the first alternative that holds."""
        result: dict[str, Hits] = {}
        for near, name in self._any.met(scan):
            if name in result or any(map(scan.has, self._none[name])):
                continue
            hits = first_place(near, scan)
            if hits is not None:
                result[name] = hits
        return result
