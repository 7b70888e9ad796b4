"""Weighs the lists that a message touches: many words that say little alone may say enough together (CRISIS-05)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from chingoo.engine.crisis import CRISIS, CrisisFinding, crisis_finding
from chingoo.engine.excused import Excused, rest_of
from chingoo.engine.hits import Hit
from chingoo.engine.scan import Scan
from chingoo.engine.seen import Seen
from chingoo.engine.together import Weights
from chingoo.model.enums import CrisisLevel
from chingoo.policy.documents.weighing import TalkWeighing, Weighing, WeighingDocument

HARASSMENT: Final = "harassment"
_SHOWN: Final = 3
"""How many of the lists that weigh most are shown as what led to a finding."""

Earlier = Callable[[], Sequence[Scan]]


class Weighed(NamedTuple):
    """What one message weighs by one rule: in hundredths, the heaviest lists first."""

    rule: str
    total: int
    at_least: int
    lists: tuple[tuple[str, int], ...]


class Sums(NamedTuple):
    """What one message weighs by each part of the document, without its base."""

    message: int
    others: int
    harassment: int
    now: int


class Weigher:
    """The weights of one bundle. All sums are of whole hundredths, so that every machine finds the same."""

    def __init__(self, document: WeighingDocument) -> None:
        self._document = document
        self._weights = Weights(
            (document.message.weights, document.others.weights, document.harassment.weights, document.talk.now)
        )

    def sums(self, scan: Scan) -> Sums | None:
        """What a message weighs; None for one that is too long to be weighed."""
        if scan.text.token_estimate > self._document.most_tokens:
            return None
        return self._sums(scan)

    def rest_of(self, scan: Scan, excused: Excused) -> tuple[Scan, Sums]:
        """What of a message may weigh where exceptions excused some of it, and how much that is."""
        rest = rest_of(scan, excused, self._document.beside_excused)
        return rest, self._sums(rest)

    def crisis(self, scan: Scan, sums: Sums, earlier: Earlier) -> CrisisFinding | None:
        """The level that the message reaches by weight, alone or with what was said before; None if none."""
        document = self._document
        own = document.message.base + sums.message - document.message.at_least
        others = document.others.base + sums.others - document.others.at_least
        if own >= 0 or others >= 0:
            if own >= others:
                return _finding(CrisisLevel.CONTEXT, scan, "crisis.weighed", document.message, document.message.weights)
            return _finding(
                CrisisLevel.THIRD_PARTY, scan, "crisis.weighed_others", document.others, document.others.weights
            )
        return self._talk(scan, sums, earlier)

    def harassment(self, scan: Scan, sums: Sums) -> Seen | None:
        """That the friend or a group is put down, by weight."""
        rule = self._document.harassment
        if rule.base + sums.harassment < rule.at_least:
            return None
        hits = _heaviest(scan, rule.weights)
        return Seen(f"safety.weighed_{HARASSMENT}", HARASSMENT, rule.place, rule.because, hits)

    def weighed(self, scan: Scan, rest: Scan) -> tuple[Weighed, ...]:
        """What a message weighs by itself, for who wants to know why it was enough, or was not.

        `rest` is what of it may weigh as a crisis: all, or what no exception excused.
        """
        document = self._document
        if scan.text.token_estimate > document.most_tokens:
            return ()
        return (
            _weighed("crisis.weighed", document.message, rest),
            _weighed("crisis.weighed_others", document.others, rest),
            _weighed(f"safety.weighed_{HARASSMENT}", document.harassment, scan),
        )

    def _sums(self, scan: Scan) -> Sums:
        return Sums(*self._weights.sums(scan.seen))

    def _talk(self, scan: Scan, sums: Sums, earlier: Earlier) -> CrisisFinding | None:
        rule = self._document.talk
        if sums.now < rule.look_back_from:
            return None
        past = earlier()
        if not past:
            return None
        before = frozenset[str]().union(*(one.seen for one in past))
        weight = sum([rule.before[list_id] for list_id in before if list_id in rule.before])
        if rule.base + sums.now + weight < rule.at_least:
            return None
        return _finding(CrisisLevel.CONTEXT, scan, "crisis.weighed_talk", rule, rule.now)


def _weighed(name: str, rule: Weighing, scan: Scan) -> Weighed:
    touched = [(list_id, rule.weights[list_id]) for list_id in scan.seen if list_id in rule.weights]
    lists = tuple(sorted(touched, key=lambda one: (-one[1], one[0])))
    return Weighed(name, rule.base + sum(weight for _, weight in lists), rule.at_least, lists)


def _finding(
    level: CrisisLevel, scan: Scan, rule_id: str, rule: Weighing | TalkWeighing, weights: Mapping[str, int]
) -> CrisisFinding:
    hits = _heaviest(scan, weights)
    return crisis_finding(level, scan, [(hit,) for hit in hits], Seen(rule_id, CRISIS, rule.place, rule.because, ()))


def _heaviest(scan: Scan, weights: Mapping[str, int]) -> tuple[Hit, ...]:
    """The first hits of the lists that weigh most, in order of appearance."""
    weighing = sorted(
        (list_id for list_id in scan.seen if weights.get(list_id, 0) > 0), key=lambda one: (-weights[one], one)
    )
    hits = (next(iter(scan.hits(list_id)), None) for list_id in weighing[:_SHOWN])
    return tuple(sorted((hit for hit in hits if hit is not None), key=lambda hit: (hit.start, hit.end)))
