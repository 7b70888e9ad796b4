"""Why a rule decided, and why another did not: from the facts of a decision alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import z3

from chingoo.engine.reference import holds
from chingoo.engine.scan import Scan
from chingoo.engine.sights import places
from chingoo.errors import ChingooError
from chingoo.model.decision import FactRecord
from chingoo.policy.documents.base import Near, Sight
from chingoo.policy.documents.facts import FactDecl
from chingoo.policy.documents.routing import Condition, RoutingDocument, RoutingRule
from chingoo.proof.formula import FactSpace, firings
from chingoo.proof.records import differences, told, value_told
from chingoo.proof.satisfy import Search


class UnknownRuleError(ChingooError):
    """There is no rule of that id."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One comparison of a rule's condition: what it asks for, what the fact is, and whether that fits."""

    condition: Condition
    text: str
    held: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Why a rule fired, or did not.

    `reasons` are the comparisons that made its condition hold, or kept it from holding. `before` is the rule that
    decided although this one's condition holds too. `would_take` are the fewest facts that would have to be otherwise
    for it to decide; None where nothing would help.
    """

    rule: RoutingRule
    fired: bool
    reasons: tuple[Reason, ...]
    before: RoutingRule | None = None
    would_take: FactRecord | None = None

    def told(self) -> str:
        """The answer in words, one line a reason."""
        if self.fired:
            lines = [f"{self.rule.id} decides: {self.rule.because}", *(f"  {reason.text}" for reason in self.reasons)]
        elif self.before is not None:
            lines = [f"{self.rule.id} would hold, but {self.before.id} comes before it: {self.before.because}"]
        else:
            lines = [f"{self.rule.id} does not hold:", *(f"  {reason.text}" for reason in self.reasons)]
        if self.would_take is not None:
            lines.append(f"  it would decide if {told(self.would_take)}")
        elif not self.fired:
            lines.append("  no change of facts would make it decide")
        return "\n".join(lines)


def why(routing: RoutingDocument, record: FactRecord) -> Answer:
    """Which rule decides a record, and by which of its comparisons."""
    rule = _decides(routing, record)
    return Answer(rule, True, tuple(_reasons(rule.when, record, wanted=True)))


def why_not(routing: RoutingDocument, facts: Mapping[str, FactDecl], record: FactRecord, rule_id: str) -> Answer:
    """Why a rule does not decide a record, and what it would take. UnknownRuleError: no rule has that id.

    For the rule that does decide, the answer is that of `why`.
    """
    index = next((index for index, rule in enumerate(routing.rules) if rule.id == rule_id), None)
    if index is None:
        raise UnknownRuleError(f"there is no rule `{rule_id}`")
    rule, decides = routing.rules[index], _decides(routing, record)
    if rule is decides:
        return why(routing, record)
    space = FactSpace(facts, z3.Context())
    model = Search(space, record).smallest(firings(space, routing.rules)[index])
    needed = None if model is None else differences(space.read(model), record)
    if rule.when is None or holds(rule.when, record):
        return Answer(rule, False, (), decides, needed)
    return Answer(rule, False, tuple(_reasons(rule.when, record, wanted=False)), None, needed)


def why_unseen(sight: Sight, scan: Scan) -> tuple[str, ...]:
    """For each alternative of a sight that is not seen in a text, what is missing; and what calls it off."""
    off = [list_id for list_id in sight.none if scan.has(list_id)]
    if off:
        return tuple(f"{_quoted(scan.distinct(list_id))} of the list {list_id} calls it off" for list_id in off)
    return tuple(_unseen(near, scan) for near in sight.any if next(places(near, scan), None) is None)


def _decides(routing: RoutingDocument, record: FactRecord) -> RoutingRule:
    return next(rule for rule in routing.rules if rule.when is None or holds(rule.when, record))


def _reasons(condition: Condition | None, record: FactRecord, *, wanted: bool) -> Iterator[Reason]:
    """The comparisons because of which a condition holds (or does not); those without influence are left out."""
    if condition is None:
        return
    if condition.not_ is not None:
        for reason in _reasons(condition.not_, record, wanted=not wanted):
            yield Reason(reason.condition, reason.text, reason.held)
    elif condition.all is not None or condition.any is not None:
        for part in condition.all or condition.any or ():
            if holds(part, record) == wanted:
                yield from _reasons(part, record, wanted=wanted)
    else:
        yield Reason(condition, _compared(condition, record), wanted)


def _compared(condition: Condition, record: FactRecord) -> str:
    """`age_band is 25-34 (asked: 13-17 or unknown)`, or only the fact and its value where that is the asked one."""
    name = condition.fact or ""
    value = record[name]
    said = f"{name} is {value_told(value)}"
    asked = _asked(condition)
    return said if asked == value_told(value) else f"{said} (asked: {asked})"


def _asked(condition: Condition) -> str:
    if condition.is_ is not None:
        return value_told(condition.is_)
    if condition.in_ is not None:
        return " or ".join(condition.in_)
    return f"at least {condition.gte}" if condition.gte is not None else f"at most {condition.lte}"


def _unseen(near: Near, scan: Scan) -> str:
    missing = [list_id for list_id in near.lists if not scan.has(list_id)]
    if missing:
        return f"no word of {' and none of '.join(missing)}"
    words = [_quoted(scan.distinct(list_id)) for list_id in near.lists]
    order = " in this order" if near.ordered else ""
    within = f" within {near.within} words" if near.within is not None else ""
    barred = [f" with none of {_quoted(scan.distinct(one))} beside" for one in near.unless if scan.has(one)]
    return f"{', '.join(words)} are there, but not{within}{order}{''.join(barred)}"


def _quoted(words: tuple[str, ...]) -> str:
    return " and ".join(f"`{word}`" for word in words)
