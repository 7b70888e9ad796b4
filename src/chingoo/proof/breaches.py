"""Says what is wrong with invariants: how they are written, and where they do not hold."""

from collections.abc import Iterator, Mapping
from typing import get_args

from chingoo.policy.documents.facts import FactsDocument
from chingoo.policy.documents.invariants import Invariant, InvariantsDocument, OutcomeField, OutcomeTest
from chingoo.policy.documents.pipelines import PipelinesDocument
from chingoo.policy.documents.routing import RoutingDocument
from chingoo.proof.formula import FormulaError
from chingoo.proof.invariants import Breach, Verdict, prove
from chingoo.proof.outcomes import STRICTNESS
from chingoo.proof.records import told, value_told
from chingoo.source.findings import Finding, OtherPlace
from chingoo.source.suggest import did_you_mean

_NARROWER = "let the rule hold less often, or move it down; if it is meant so, ask whoever answers for the invariant"
_KINDS = ("then", "compare", "every", "never", "strictest")


def invariant_findings(
    invariants: InvariantsDocument, facts: FactsDocument, routing: RoutingDocument, pipelines: PipelinesDocument
) -> list[Finding]:
    """Everything wrong: how invariants are written, and if that is sound, each breach of each of them.

    That their conditions are sound is for the laws of all conditions to say (`judging.judge`).
    """
    shapes = list(shape_findings(invariants, facts, routing))
    if shapes:
        return shapes
    try:
        verdicts = prove(invariants, facts, routing, pipelines)
    except FormulaError as error:
        return [Finding("invariant-unproved", f"nothing could be proved: {error.detail}", invariants.place)]
    return breach_findings(verdicts)


def breach_findings(verdicts: tuple[Verdict, ...]) -> list[Finding]:
    """A finding for each breach, at the rule that fires."""
    return [_finding(breach) for verdict in verdicts for breach in verdict.breaches]


def shape_findings(invariants: InvariantsDocument, facts: FactsDocument, routing: RoutingDocument) -> Iterator[Finding]:
    """What is written in a way that cannot be proved, or means nothing."""
    for name, value in invariants.neutral.items():
        decl = facts.facts.get(name)
        known = decl is not None and (
            value in decl.members
            if decl.type == "enum"
            else isinstance(value, bool) == (decl.type == "boolean") and isinstance(value, int)
        )
        if decl is None:
            yield _unknown("fact", name, invariants, facts.facts)
        elif not known:
            message = f"`{name}` is never `{value_told(value)}`"
            hint = f"it can be {', '.join(decl.members)}" if decl.members else None
            yield Finding("invariant-shape", message, invariants.place, hint=hint, about=name)
    first: dict[str, Invariant] = {}
    for one in invariants.invariants:
        if first.setdefault(one.id, one) is not one:
            others = (OtherPlace(first[one.id].place, "first written here"),)
            yield Finding("id-twice", f"`{one.id}` is written twice", one.place, others=others, about=one.id)
        yield from _shape(one, facts, routing)


def _shape(one: Invariant, facts: FactsDocument, routing: RoutingDocument) -> Iterator[Finding]:
    said = [kind for kind in _KINDS if getattr(one, kind) is not None]
    if len(said) != 1:
        message = f"an invariant says one thing; this one says {', '.join(said) or 'nothing'}"
        hint = f"write one of: {', '.join(_KINDS)}"
        yield Finding("invariant-shape", message, one.place, hint=hint)
        return
    if one.when is not None and said[0] not in ("then", "compare"):
        yield Finding("invariant-shape", f"`when` does not go with `{said[0]}`", one.place, about="when")
    if one.where is not None and said[0] != "then":
        yield Finding("invariant-shape", f"`where` does not go with `{said[0]}`", one.place, about="where")
    for test in (one.where, one.then, one.strictest):
        if test is not None:
            yield from _names(test, routing)
    yield from _never(one)
    yield from _compare(one)
    for name in one.compare.changes if one.compare is not None else ():
        if name not in facts.facts:
            yield _unknown("fact", name, one, facts.facts)


def _compare(one: Invariant) -> Iterator[Finding]:
    compare = one.compare
    if compare is None:
        return
    if not compare.changes or not (compare.never_looser or compare.same):
        message = "a comparison names the facts in `changes`, and outcome fields in `never_looser` or `same`"
        yield Finding("invariant-shape", message, compare.place)
    for name in compare.never_looser:
        if name not in STRICTNESS:
            message = f"`{name}` has no order from loose to strict"
            yield Finding("invariant-shape", message, compare.place, hint="put it into `same`", about=name)


def _never(one: Invariant) -> Iterator[Finding]:
    for name in one.never or {}:
        if name not in get_args(OutcomeField):
            yield _unknown("outcome field", name, one, dict.fromkeys(get_args(OutcomeField)))


def _names(test: OutcomeTest, routing: RoutingDocument) -> Iterator[Finding]:
    rules = {rule.id: rule for rule in (*routing.rules, routing.strictest)}
    replies = {rule.then.reply: rule for rule in rules.values() if rule.then.reply is not None}
    for name in test.rule:
        if name not in rules:
            yield _unknown("rule", name, test, rules)
    for name in test.reply:
        if name not in replies:
            yield _unknown("reply of a rule", name, test, replies)
    if test.not_ is not None:
        yield from _names(test.not_, routing)


def _unknown(
    what: str, name: str, at: Invariant | OutcomeTest | InvariantsDocument, known: Mapping[str, object]
) -> Finding:
    offer = did_you_mean(name, known)
    hint = f"did you mean `{offer}`?" if offer else None
    return Finding("invariant-shape", f"there is no {what} `{name}`", at.place, hint=hint, about=name)


def _finding(breach: Breach) -> Finding:
    invariant = breach.invariant
    message = f"`{invariant.id}` does not hold: {told_breach(breach)}"
    others = [OtherPlace(invariant.place, f"the invariant: {invariant.because}")]
    others += [OtherPlace(rule.place, f"{rule.id} decides before it") for rule in breach.because_of]
    if breach.after_rule is not None and breach.after_rule is not breach.rule:
        others.append(OtherPlace(breach.after_rule.place, f"{breach.after_rule.id}, which decides then"))
    place = invariant.place if breach.rule is None else breach.rule.place
    about = None if breach.rule is None else breach.rule.id
    hint = _NARROWER if breach.record is not None and breach.rule is not None else None
    return Finding("invariant-broken", message, place, hint=hint, others=tuple(others), about=about)


def told_breach(breach: Breach) -> str:
    """The breach in one sentence: the smallest facts, the rule that fires for them, and what is wrong with that."""
    if breach.record is None:
        subject = "" if breach.rule is None else f"{breach.rule.id}: "
        return f"{subject}{breach.wrong}"
    facts = f"when {told(breach.differs)}" if breach.differs else "when nothing is out of the ordinary"
    if breach.rule is None or breach.outcome is None:
        return f"{facts}, {breach.wrong}"
    if breach.after is None or breach.after_rule is None:
        return f"{facts}, {breach.rule.id} decides {breach.outcome.told()}; {breach.wrong}"
    changed = {name: value for name, value in breach.after.items() if value != breach.record[name]}
    return f"{facts}, {breach.rule.id} decides; when then {told(changed)}, {breach.after_rule.id} does; {breach.wrong}"
