"""Gathers what further views see in a text, and takes away what is not enough."""

from collections.abc import Iterable

from chingoo.engine.found import Found
from chingoo.engine.hits import Sight, Target
from chingoo.policy.documents.base import Entry, View
from chingoo.text.offsets import Offsets


class Gathering:
    """What was found while a text is scanned, and the offsets it was found by, where any are.

    Places are only kept of lists of which a second view sees something.
    """

    __slots__ = ("_found", "_places", "offsets")

    def __init__(self, found: Found) -> None:
        self._found = found
        self.offsets: Offsets | None = None
        self._places: dict[str, set[tuple[int, int, int]]] = {}

    def add(self, target: Target, start: int, end: int, view: View) -> None:
        """Note a hit of a further view, unless the same entry was seen at the same place before."""
        list_id = target.list_id
        places = self._places.get(list_id)
        if places is None:
            known = self._found.sights(list_id)
            places = self._places[list_id] = {(id(one), begin, stop) for one, begin, stop, _ in known}
        place = (id(target), start, end)
        if place not in places:
            places.add(place)
            self._found.add(target, start, end, view)


def drop_unmet(found: Found, demanding: Iterable[str]) -> None:
    """Take away the hits whose entry requires another entry that was not seen; of lists that have such entries."""
    for list_id in demanding:
        own = found.sights(list_id)
        needed = {target.entry.requires for target, *_ in own}
        seen = {one: _entries(found.sights(one)) for one in needed if one is not None}
        if seen:
            kept = [sight for sight in own if _is_met(sight[0].entry, seen)]
            if len(kept) < len(own):
                found.keep(list_id, kept)


def _entries(sights: Iterable[Sight]) -> frozenset[int]:
    """Which entries were seen."""
    return frozenset([id(target.entry) for target, *_ in sights])


def _is_met(entry: Entry, seen: dict[str, frozenset[int]]) -> bool:
    """Whether another entry of the list that an entry requires was seen."""
    return entry.requires is None or not seen[entry.requires] <= {id(entry)}
