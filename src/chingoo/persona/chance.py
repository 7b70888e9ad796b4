"""Chance as a pure function: the same words always give the same number (PERS-08, PERS-17).

A counter-based generator: SplitMix64's finaliser (Steele, Lea and Flood, 2014) absorbs each word in turn, so that any
draw can be named by what it is for (seed, attempt, which choice) and no generator has to be carried along.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio: successive words land far apart


def hash64(*words: int) -> int:
    """A number from 0 to 2**64 - 1 that depends on every word and on their order."""
    state = 0
    for word in words:
        state = _finalise((state + _GOLDEN + (word & _MASK)) & _MASK)
    return state


def _finalise(value: int) -> int:
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def below(limit: int, *words: int) -> int:
    """A number from 0 to `limit` - 1. The bias of the multiply-shift is under `limit` / 2**64."""
    return (hash64(*words) * limit) >> 64


def pick(options: Sequence[T], *words: int) -> T:
    """One of `options`, which must not be empty."""
    return options[below(len(options), *words)]


def shuffled(options: Sequence[T], *words: int) -> list[T]:
    """`options` in an order that depends on `words` alone (Fisher and Yates)."""
    order = list(options)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, *words, last)
        order[last], order[other] = order[other], order[last]
    return order
