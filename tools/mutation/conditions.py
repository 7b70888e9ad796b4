"""Ways in which a condition over lists is mistyped: a list, a distance, an order or a bar left out or changed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from chingoo.policy.documents.base import Near, Sight
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


def nears(near: Near) -> Iterator[Changed]:
    """Left out, one list fewer, another distance, another order, a bar fewer."""
    every = frozenset(near.lists)

    def changed(what: str, wanted: str, after: Near | None, needs: frozenset[str] = every) -> Changed:
        return Changed(near.place, what, wanted, after, needs)

    yield changed(f"without {shown(near)}", f"a message that only {shown(near)} tells", None)
    for index, list_id in enumerate(near.lists if len(near.lists) > 1 else ()):
        rest = (*near.lists[:index], *near.lists[index + 1 :])
        after = replace(near, lists=rest)
        wanted = f"a message with {' + '.join(rest)} and without {list_id}"
        yield changed(f"{list_id} not asked for in {shown(near)}", wanted, after, frozenset(rest))
    if near.within is not None:
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
    for step in (-1, 1) if near.unless and near.within is not None else ():
        wanted = f"a message with {shown(near)} and {' or '.join(near.unless)} {near.beside + max(step, 0)} words off"
        after = replace(near, beside=near.beside + step)
        if after.beside >= 0:
            yield changed(f"barred from {near.beside + step} words off: {shown(near)}", wanted, after)


def sights(sight: Sight) -> Iterator[ChangedSight]:
    """One alternative or bar fewer, or an alternative changed."""
    for index, near in enumerate(sight.any):
        before, behind = sight.any[:index], sight.any[index + 1 :]
        for one in nears(near):
            kept = (*before, *(() if one.near is None else (one.near,)), *behind)
            if kept:
                yield ChangedSight(one.place, one.what, one.wanted, replace(sight, any=kept), one.needs)
    for list_id in sight.none:
        rest = tuple(one for one in sight.none if one != list_id)
        wanted = f"a message that only {list_id} calls off"
        called_off = replace(sight, none=rest)
        yield ChangedSight(sight.place, f"not called off by {list_id}", wanted, called_off, frozenset((list_id,)))
