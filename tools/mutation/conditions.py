"""Ways in which a condition over lists is mistyped: a list, a distance, an order or a bar left out or changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chingoo.policy.documents.base import Distances, Near, Sight
from chingoo.source.places import Place


@dataclass(frozen=True, slots=True)
class Changed:
    """A condition with one change (None where nothing is left of it); see `Mutant` for `wanted` and `needs`."""

    place: Place
    what: str
    wanted: str
    near: Near | None
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class ChangedSight:
    """A sight with one change."""

    place: Place
    what: str
    wanted: str
    sight: Sight
    needs: frozenset[str]


def shown(near: Near) -> str:
    """A combination in words."""
    return " + ".join(near.lists)


def nears(near: Near, distances: Distances | None = None) -> Iterator[Changed]:
    """Left out, one list fewer, another distance, another order, a bar fewer.

    Numbers that a combination has from `distances` are not its own to mistype.
    """
    every = frozenset(near.lists)
    usual = distances.of(Near(near.place, near.lists, unless=near.unless)) if distances is not None else None

    def changed(what: str, wanted: str, after: Near | None, needs: frozenset[str] = every) -> Changed:
        return Changed(near.place, what, wanted, after, needs)

    yield changed(f"without {shown(near)}", f"a message that only {shown(near)} tells", None)
    for index, list_id in enumerate(near.lists if len(near.lists) > 1 else ()):
        rest = (*near.lists[:index], *near.lists[index + 1 :])
        after = replace(near, lists=rest)
        wanted = f"a message with {' + '.join(rest)} and without {list_id}"
        yield changed(f"{list_id} not asked for in {shown(near)}", wanted, after, frozenset(rest))
    if near.within is not None and (usual is None or near.within != usual.within):
        for step, size in ((-1, near.within), (1, near.within + 1)):
            wanted = f"a message with {shown(near)} in {size} words"
            after = replace(near, within=near.within + step)
            yield changed(f"within {near.within + step}, not {near.within}, in {shown(near)}", wanted, after)
    if near.ordered and len(every) > 1:
        wanted = f"a message with {shown(near)} in another order"
        yield changed(f"in any order: {shown(near)}", wanted, replace(near, ordered=False))
        wanted = f"a message with {shown(near)} in this order"
        yield changed(f"in the other order: {shown(near)}", wanted, replace(near, lists=near.lists[::-1]))
    for list_id in near.unless:
        rest = tuple(one for one in near.unless if one != list_id)
        wanted = f"a message with {shown(near)} and {list_id}"
        yield changed(f"not barred by {list_id}: {shown(near)}", wanted, replace(near, unless=rest), every | {list_id})
    own = near.beside is not None and (usual is None or near.beside != usual.beside)
    for step in (-1, 1) if own and near.within is not None else ():
        beside = (near.beside or 0) + step
        wanted = f"a message with {shown(near)} and {' or '.join(near.unless)} {max(beside, beside - step)} words off"
        if beside >= 0:
            yield changed(f"barred from {beside} words off: {shown(near)}", wanted, replace(near, beside=beside))


def distances_changed(distances: Distances, some: Sequence[Near]) -> Iterator[tuple[str, str, tuple[Near, ...]]]:
    """What is changed, which case would notice it, and all of some combinations with it: each distance one off."""
    for name in ("pair", "unless") if distances.more is None else ("pair", "more", "unless"):
        for step in (-1, 1):
            size = getattr(distances, name) + step
            far = replace(distances, **{name: size})
            after = tuple(_from(near, distances, far) for near in some)
            yield f"distances: {name} {size}", f"a message for which {name} just suffices, or just does not", after


def _from(near: Near, distances: Distances, far: Distances) -> Near:
    """A combination with what it has from some distances taken from others."""
    bare = Near(near.place, near.lists, unless=near.unless)
    usual, changed = distances.of(bare), far.of(bare)
    within = changed.within if near.within == usual.within else near.within
    return replace(near, within=within, beside=changed.beside if near.beside == usual.beside else near.beside)


def sights(sight: Sight, distances: Distances | None = None) -> Iterator[ChangedSight]:
    """One alternative or bar fewer, or an alternative changed."""
    for index, near in enumerate(sight.any):
        before, behind = sight.any[:index], sight.any[index + 1 :]
        for one in nears(near, distances):
            kept = (*before, *(() if one.near is None else (one.near,)), *behind)
            if kept:
                yield ChangedSight(one.place, one.what, one.wanted, replace(sight, any=kept), one.needs)
    for list_id in sight.none:
        rest = tuple(one for one in sight.none if one != list_id)
        wanted = f"a message that only {list_id} calls off"
        called_off = replace(sight, none=rest)
        yield ChangedSight(sight.place, f"not called off by {list_id}", wanted, called_off, frozenset((list_id,)))
