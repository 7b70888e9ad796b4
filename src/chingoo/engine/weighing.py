"""Weighs the lists that a message touches: many words that say little alone may say enough together (CRISIS-05)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from chingoo.engine.crisis import CRISIS, CrisisFinding, crisis_finding
from chingoo.engine.scan import Hit, Scan
from chingoo.engine.seen import Seen
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


class Weigher:
    """The weights of one bundle. All sums are of whole hundredths, so that every machine finds the same."""

    def __init__(self, document: WeighingDocument) -> None:
        self._document = document
        self._message, self._others = document.message.weights, document.others.weights
        self._now, self._before = document.talk.now, document.talk.before
        self._harassment = document.harassment.weights

    def crisis(self, scan: Scan, earlier: Earlier) -> CrisisFinding | None:
        """The level that the message reaches by weight, alone or with what was said before; None if none."""
        document = self._document
        if scan.text.token_estimate > document.most_tokens:
            return None
        own = _over(document.message, self._message, scan)
        others = _over(document.others, self._others, scan)
        if own >= 0 or others >= 0:
            if own >= others:
                return _finding(CrisisLevel.CONTEXT, scan, "crisis.weighed", document.message, document.message.weights)
            return _finding(
                CrisisLevel.THIRD_PARTY, scan, "crisis.weighed_others", document.others, document.others.weights
            )
        return self._talk(scan, earlier)

    def harassment(self, scan: Scan) -> Seen | None:
        """That the friend or a group is put down, by weight."""
        rule = self._document.harassment
        if scan.text.token_estimate > self._document.most_tokens or _over(rule, self._harassment, scan) < 0:
            return None
        hits = _heaviest(scan, rule.weights)
        return Seen(f"safety.weighed_{HARASSMENT}", HARASSMENT, rule.place, rule.because, hits)

    def weighed(self, scan: Scan) -> tuple[Weighed, ...]:
        """What a message weighs by itself, for who wants to know why it was enough, or was not."""
        document = self._document
        if scan.text.token_estimate > document.most_tokens:
            return ()
        rules = (
            ("crisis.weighed", document.message),
            ("crisis.weighed_others", document.others),
            (f"safety.weighed_{HARASSMENT}", document.harassment),
        )
        return tuple(_weighed(name, rule, scan) for name, rule in rules)

    def _talk(self, scan: Scan, earlier: Earlier) -> CrisisFinding | None:
        rule = self._document.talk
        now = _sum(self._now, scan.seen)
        if now < rule.look_back_from:
            return None
        past = earlier()
        if not past:
            return None
        before = frozenset[str]().union(*(one.seen for one in past))
        if rule.base + now + _sum(self._before, before) < rule.at_least:
            return None
        return _finding(CrisisLevel.CONTEXT, scan, "crisis.weighed_talk", rule, rule.now)


def _weighed(name: str, rule: Weighing, scan: Scan) -> Weighed:
    touched = [(list_id, rule.weights[list_id]) for list_id in scan.seen if list_id in rule.weights]
    lists = tuple(sorted(touched, key=lambda one: (-one[1], one[0])))
    return Weighed(name, rule.base + sum(weight for _, weight in lists), rule.at_least, lists)


def _over(rule: Weighing, weights: Mapping[str, int], scan: Scan) -> int:
    """By how much a message is heavier than it need be; less than 0 if it is lighter."""
    return rule.base - rule.at_least + _sum(weights, scan.seen)


def _sum(weights: Mapping[str, int], seen: frozenset[str]) -> int:
    return sum([weights[list_id] for list_id in seen if list_id in weights])


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
