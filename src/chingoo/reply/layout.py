"""How many sentences a composed reply has, and what each holds, by the friend's usual length."""

from collections.abc import Mapping
from enum import Enum

from chingoo.model.enums import Length


class Size(Enum):
    """How much a sentence holds: a main clause alone, one with a tail, two that belong together, two with a tail."""

    SHORT = 0
    MEDIUM = 1
    PAIR = 2
    LONG = 3


TWO_MAINS = (Size.PAIR, Size.LONG)


LAYOUTS: Mapping[Length, tuple[tuple[Size, ...], ...]] = {
    Length.SHORT: (
        (Size.SHORT, Size.SHORT),
        (Size.SHORT,),
        (Size.MEDIUM,),
        (Size.SHORT, Size.MEDIUM),
        (Size.SHORT, Size.SHORT, Size.SHORT),
    ),
    Length.MEDIUM: (
        (Size.MEDIUM, Size.PAIR),
        (Size.SHORT, Size.LONG),
        (Size.MEDIUM, Size.SHORT, Size.PAIR),
        (Size.MEDIUM, Size.MEDIUM),
    ),
    Length.LONG: (
        (Size.MEDIUM, Size.LONG, Size.PAIR),
        (Size.MEDIUM, Size.PAIR, Size.LONG),
        (Size.MEDIUM, Size.LONG, Size.MEDIUM),
        (Size.MEDIUM, Size.LONG, Size.LONG),
    ),
}
