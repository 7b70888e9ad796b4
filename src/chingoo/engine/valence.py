"""How a message feels (C-64): a score in [-1, 1] and emotion tags, from listed words and what turns or boosts them."""

from collections.abc import Iterable, Sequence, Set
from math import sqrt
from typing import NamedTuple

from chingoo.engine.entries import ANY_LANGUAGE
from chingoo.engine.scan import Scan
from chingoo.engine.sights import APART
from chingoo.policy.documents.signals import ValenceRule

_DECIMALS = 3  # a score of words; more would be rounding errors
Spot = tuple[int, int, str]
"""First token, last token and language of a hit."""


class Feeling(NamedTuple):
    """Valence in [-1, 1], and tags in the order of the policy."""

    valence: float
    tags: tuple[str, ...]


_NEUTRAL = Feeling(0.0, ())
_OF_THEIR_OWN = APART | {ANY_LANGUAGE}
_NOWHERE: Set[int] = frozenset()


def read_feeling(scan: Scan, rule: ValenceRule) -> Feeling:
    """The feeling of a message; neutral where nothing listed is seen."""
    weighed = [
        (first, -last, language, strength)
        for list_id, strength in rule.strengths.items()
        if scan.has(list_id)
        for first, last, language in scan.spots(list_id)
    ]
    if not weighed:
        return _NEUTRAL
    weighed.sort()
    turning = any(map(scan.has, (rule.negations, rule.boosters, rule.dampeners)))
    turned = _Surroundings(scan, rule) if turning else None
    mixing = _mixing((first, -last, language) for first, last, language, _ in weighed) if turning else frozenset()
    total, end = 0.0, -1
    for first, minus_last, language, strength in weighed:
        if first > end:  # not inside a phrase already taken, as "bad" in "not bad at all"
            end = -minus_last
            mixes = (first, end) in mixing
            total += strength if turned is None else turned.weigh((first, end, language), strength, mixes)
    valence = round(total / sqrt(total * total + rule.alpha), _DECIMALS)
    tags = [
        tag
        for tag, list_id in rule.tags.items()
        if scan.has(list_id) and (turned is None or not turned.are_negated(scan.spots(list_id)))
    ]
    if valence >= rule.strong and "positive" in rule.strong_tags:
        tags.append(rule.strong_tags["positive"])
    if valence <= -rule.strong and "negative" in rule.strong_tags:
        tags.append(rule.strong_tags["negative"])
    return Feeling(valence, tuple(tags))


def _last_tokens(scan: Scan, list_id: str) -> Set[int]:
    return {last for _, last, _ in scan.spots(list_id)} if scan.has(list_id) else _NOWHERE


def _mixing(spots: Iterable[Spot]) -> Set[tuple[int, int]]:
    """First and last tokens of what is a word of a language that mixes with others."""
    return {(first, last) for first, last, language in spots if language not in APART}


class _Surroundings:
    """Where turners and strengtheners stand, by token."""

    def __init__(self, scan: Scan, rule: ValenceRule) -> None:
        self._rule = rule
        negations = scan.spots(rule.negations) if scan.has(rule.negations) else ()
        self._negations = {last for _, last, _ in negations}
        self._of_the_tongue = {last for _, last, language in negations if language in _OF_THEIR_OWN}
        self._boosters = _last_tokens(scan, rule.boosters)
        self._dampeners = _last_tokens(scan, rule.dampeners)

    def weigh(self, spot: Spot, strength: float, mixes: bool) -> float:
        """The strength of a hit where it stands; `mixes` as for `is_negated`."""
        step = self._rule.booster_step if strength > 0 else -self._rule.booster_step
        if spot[0] - 1 in self._boosters:
            strength += step
        elif spot[0] - 1 in self._dampeners:
            strength -= step
        return strength * self._rule.negation_factor if self.is_negated(spot, mixes) else strength

    def are_negated(self, spots: Sequence[Spot]) -> bool:
        """Whether all of them are."""
        if not self._negations:
            return not spots
        mixing = _mixing(spots)
        return all(self.is_negated(spot, spot[:2] in mixing) for spot in spots)

    def is_negated(self, spot: Spot, mixes: bool) -> bool:
        """Whether a negation stands close enough on the side where the language has it.

        What is no word of a language that mixes with others is turned by words of its like alone: `ma` says no in
        Arabizi, but `my` in French.
        """
        negations = self._negations if mixes else self._of_the_tongue
        if not negations:
            return False
        first, last, language = spot
        window = self._rule.window
        if not negations.isdisjoint(range(first - window, first)):
            return True
        if language not in self._rule.negation_follows:
            return False
        return not negations.isdisjoint(range(last + 1, last + 1 + window))
