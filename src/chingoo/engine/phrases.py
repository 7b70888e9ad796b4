"""How patterns are written: plain words, `[may | may not]` stand, `(one | of these)`, and a `{slot}` to fill.

* `my size [is | is now] {size}`: three ways of saying it. `i (wear | take) {size}`: two.
* `. allergic to {allergens}`: only where a clause begins. `. size {letter} .`: only where it is the whole clause.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from chingoo.errors import ChingooError

EDGE = "."
_OUTER_BAR = re.compile(r"\|(?![^(\[]*[)\]])")
_PART = re.compile(r"\s*(?:\[([^\[\]()]*)\]|\(([^\[\]()]*)\)|\{([a-z_]+)\}|([^\[\](){}|\s]+))")
_SLOT = re.compile(r"\{[a-z_]+\}")
_BRACES = re.compile("[{}]")
_MOST_READINGS = 5_000  # one phrase with more is a mistake, and would fill the memory
_MOST_REMEMBERED = 2_000


class PhraseError(ChingooError):
    """A phrase that cannot be read, or that would be looked for everywhere."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place to fill."""

    name: str


Reading = tuple[str | Slot, ...]
"""One way of saying a phrase: words and slots in turn."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase with one slot: all words that stand before it, and after it; none of a side that may be empty.

    `starts`: only where a clause begins. `ends`: only where it ends.
    """

    slot: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    starts: bool
    ends: bool


def readings(written: str) -> tuple[Reading, ...]:
    """All ways of saying a phrase. PhraseError: brackets do not fit, nothing is left, or there are too many ways."""
    return tuple(dict.fromkeys(reading for one in _OUTER_BAR.split(written) for reading in _readings(one)))


def _readings(written: str) -> tuple[Reading, ...]:
    choices: list[tuple[str | Slot, ...]] = []
    position, amount = 0, 1
    while position < len(written.rstrip()):
        found = _PART.match(written, position)
        if found is None:
            raise PhraseError(f"`{written}` cannot be read from `{written[position:].strip()}` on")
        optional, chosen, slot, word = found.groups()
        if slot is not None:
            choices.append((Slot(slot),))
        elif word is not None:
            choices.append((word,))
        else:
            group = [" ".join(one.split()) for one in (optional if optional is not None else chosen).split("|")]
            if not all(group):
                raise PhraseError(f"`{written}`: a choice in brackets is empty")
            parts = [Slot(one[1:-1]) if _SLOT.fullmatch(one) else one for one in group]
            if any(isinstance(one, str) and _BRACES.search(one) for one in parts):
                raise PhraseError(f"`{written}`: a slot in brackets stands there alone, as in [{{year}}]")
            choices.append(tuple(dict.fromkeys(("", *parts) if optional is not None else parts)))
        amount *= len(choices[-1])
        position = found.end()
    if amount > _MOST_READINGS:
        raise PhraseError(f"`{written}` stands for {amount} phrases; at most {_MOST_READINGS} are taken")
    found_readings = dict.fromkeys(tuple(part for part in way if part) for way in product(*choices))
    if not choices or () in found_readings:
        raise PhraseError(f"`{written}` may be nothing at all")
    return tuple(found_readings)


@lru_cache(maxsize=_MOST_REMEMBERED)
def read_phrase(written: str) -> Phrase:
    """A phrase with exactly one slot and fixed words beside it. PhraseError: it has not.

    What was written says all of it, and laws and readers ask in turn.
    """
    starts, ends = written.startswith(f"{EDGE} "), written.endswith(f" {EDGE}")
    inner = written[2 if starts else 0 : len(written) - 2 if ends else len(written)]
    slots: set[str] = set()
    before: dict[str, None] = {}
    after: dict[str, None] = {}
    for reading in readings(inner):
        at = [index for index, part in enumerate(reading) if isinstance(part, Slot)]
        if len(at) != 1:
            raise PhraseError(f"`{written}` needs exactly one slot in braces")
        slot = reading[at[0]]
        slots.add(slot.name if isinstance(slot, Slot) else "")
        before[" ".join(part for part in reading[: at[0]] if isinstance(part, str))] = None
        after[" ".join(part for part in reading[at[0] + 1 :] if isinstance(part, str))] = None
    if "" in before and "" in after:
        raise PhraseError(f"`{written}` has no fixed words, and would be looked for everywhere")
    return Phrase(slots.pop(), _fixed(before), _fixed(after), starts, ends)


def _fixed(side: dict[str, None]) -> tuple[str, ...]:
    """The words of a side that are always there."""
    return () if "" in side else tuple(side)
