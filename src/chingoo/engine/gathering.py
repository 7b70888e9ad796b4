"""Gathers what is seen while a text is scanned, by one way of looking after the other."""

from collections.abc import Iterable, Mapping

from chingoo.engine.hits import Found, Sight, Target
from chingoo.policy.documents.base import Entry, View
from chingoo.text.offsets import Offsets


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


def _of_list(list_id: str, found: Iterable[Found]) -> list[Sight]:
    """What was seen of a list, of all that was found where something of it was."""
    return [
        (target, start, end, view) for targets, start, end, view in found for target in targets if target[0] == list_id
    ]
