"""Did you mean: the one known name that is close enough to what was written, compared letter by letter of Hangul."""

import unicodedata
from collections.abc import Iterable

_CLOSE_ENOUGH = 0.6


def did_you_mean(written: str, known: Iterable[str]) -> str | None:
    """The closest of `known` if it is close enough and no other is as close; callers pass only names that would do.

    Hangul is compared in jamo: `욕셜` and `욕설` share one of two syllables, but five of six letters.
    """
    if not written:
        return None
    best: list[tuple[float, str]] = []
    for name in dict.fromkeys(known):
        target, letters = _apart(_letters(written), _letters(name))
        longest = max(len(target), len(letters))
        if name == written or not target or abs(len(target) - len(letters)) > longest * (1 - _CLOSE_ENOUGH):
            continue
        likeness = 1 - _distance(target, letters) / longest
        if likeness >= _CLOSE_ENOUGH:
            best.append((likeness, name))
    best.sort(reverse=True)
    if not best or (len(best) > 1 and best[0][0] == best[1][0]):
        return None
    return best[0][1]


def likeness(one: str, other: str) -> float:
    """How alike two names are, from 0 to 1: one less the share of letters to change, swap, add or drop."""
    a, b = _letters(one), _letters(other)
    return 1 - _distance(a, b) / max(len(a), len(b), 1)


def _letters(name: str) -> str:
    """Case, separators and Hangul syllables folded away."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    return folded.replace("-", "_").replace(" ", "_")


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two names without the family they share (`safety.` of `safety.slurs`): it says nothing about likeness."""
    a, b = one.split("."), other.split(".")
    while len(a) > 1 and len(b) > 1 and a[0] == b[0]:
        a, b = a[1:], b[1:]
    return ".".join(a), ".".join(b)


def _distance(a: str, b: str) -> int:
    """Optimal string alignment: insertions, deletions, changes and swaps of neighbours."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
