"""Mistyped rules of routing and policies of pipelines, and whether any facts could tell."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace

import z3

from chingoo.engine.outcomes import FullOutcome, full_outcome
from chingoo.model.enums import Pipeline, SafetyPolicy
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.facts import FactDecl
from chingoo.policy.documents.routing import Condition, Outcome, RoutingRule
from chingoo.proof.formula import FactSpace, Formula, FormulaError, firings
from chingoo.proof.outcomes import STRICTNESS
from mutation.mutant import Mutant, altered

FREE = [field.name for field in fields(Outcome) if field.name not in ("place", "pipeline", "safety_policy", "reply")]
WANTED = "a case, or an invariant, that tells the two apart"


def routing_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Rules deleted, swapped, their conditions and outcomes changed."""
    rules = bundle.routing.rules

    def mutant(rule: RoutingRule, what: str, changed: Iterable[RoutingRule]) -> Mutant:
        after = replace(bundle, routing=replace(bundle.routing, rules=tuple(changed)))
        return Mutant("routing", rule.place, what, WANTED, after)

    for index, rule in enumerate(rules):
        others = [*rules[:index], *rules[index + 1 :]]
        yield mutant(rule, f"delete {rule.id}", others)
        for other in range(index + 1, len(rules) - 1):
            swapped = list(rules)
            swapped[index], swapped[other] = swapped[other], swapped[index]
            yield mutant(rule, f"swap {rule.id} and {rules[other].id}", swapped)
        for what, when in conditions(rule.when, bundle.facts.facts):
            yield mutant(rule, f"{rule.id}: {what}", [*rules[:index], replace(rule, when=when), *rules[index + 1 :]])
        for what, then in outcomes(rule.then, [one.then.reply for one in rules]):
            yield mutant(rule, f"{rule.id}: {what}", [*rules[:index], replace(rule, then=then), *rules[index + 1 :]])
    for what, then in outcomes(bundle.routing.strictest.then, [rule.then.reply for rule in rules]):
        strictest = replace(bundle.routing.strictest, then=then)
        after = replace(bundle, routing=replace(bundle.routing, strictest=strictest))
        yield Mutant("routing", strictest.place, f"{strictest.id}: {what}", WANTED, after)


def conditions(when: Condition | None, facts: Mapping[str, FactDecl]) -> Iterator[tuple[str, Condition | None]]:
    """A condition with one thing changed."""
    if when is not None:
        yield "drop the condition", None
        yield from inner_conditions(when, facts)


def inner_conditions(when: Condition, facts: Mapping[str, FactDecl]) -> Iterator[tuple[str, Condition]]:
    """A part dropped or changed, `all` for `any`, `not` forgotten, a comparison flipped."""
    if when.not_ is not None:
        yield f"forget a not at {when.place}", when.not_
        for what, part in inner_conditions(when.not_, facts):
            yield what, replace(when, not_=part)
    for name, parts in (("all", when.all), ("any", when.any)):
        for index, part in enumerate(parts or ()):
            rest = ((parts or ())[:index], (parts or ())[index + 1 :])
            if len(parts or ()) > 1:
                yield f"drop a part at {part.place}", altered(when, **{name: (*rest[0], *rest[1])})
            for what, changed in inner_conditions(part, facts):
                yield what, altered(when, **{name: (*rest[0], changed, *rest[1])})
        if parts is not None and len(parts) > 1:
            other = "any" if name == "all" else "all"
            yield f"{other} for {name} at {when.place}", altered(when, **{name: None, other: parts})
    if when.fact is not None:
        yield from comparisons(when, facts[when.fact])


def comparisons(leaf: Condition, decl: FactDecl) -> Iterator[tuple[str, Condition]]:
    """A comparison negated, with another bound, or with other members."""
    at = f"{leaf.fact} at {leaf.place}"
    yield f"negate {at}", Condition(leaf.place, not_=leaf)
    if leaf.gte is not None:
        yield f"at most for at least: {at}", replace(leaf, gte=None, lte=leaf.gte)
        yield from ((f"{step:+} to {at}", replace(leaf, gte=leaf.gte + step)) for step in (-1, 1))
    if leaf.lte is not None:
        yield f"at least for at most: {at}", replace(leaf, lte=None, gte=leaf.lte)
        yield from ((f"{step:+} to {at}", replace(leaf, lte=leaf.lte + step)) for step in (-1, 1))
    if isinstance(leaf.is_, bool):
        yield f"flip {at}", replace(leaf, is_=not leaf.is_)
    elif isinstance(leaf.is_, str):
        others = [member for member in decl.members if member != leaf.is_]
        yield from ((f"{member} for {leaf.is_}: {at}", replace(leaf, is_=member)) for member in others)
    for member in leaf.in_ or ():
        rest = tuple(one for one in leaf.in_ or () if one != member)
        yield f"without {member}: {at}", replace(leaf, in_=rest)
        for other in decl.members:
            if other not in (leaf.in_ or ()):
                yield f"{other} for {member}: {at}", replace(leaf, in_=(*rest, other))
    for other in decl.members if leaf.in_ is not None else ():
        if other not in (leaf.in_ or ()):
            yield f"with {other}: {at}", replace(leaf, in_=(*(leaf.in_ or ()), other))


def outcomes(then: Outcome, replies: Iterable[str | None]) -> Iterator[tuple[str, Outcome]]:
    """An outcome with one field changed, or its reply."""
    for pipeline in Pipeline:
        if pipeline is not then.pipeline:
            yield f"pipeline {pipeline}", replace(then, pipeline=pipeline)
    for policy in SafetyPolicy:
        if policy is not then.safety_policy:
            yield f"safety_policy {policy}", replace(then, safety_policy=policy)
    for reply in dict.fromkeys((None, *replies)):
        if reply != then.reply:
            yield f"reply {reply}", replace(then, reply=reply)
    for name in FREE:
        for value in (None, *STRICTNESS[name]):
            if value != getattr(then, name):
                yield f"{name} {value}", altered(then, **{name: value})


def pipeline_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Policies of pipelines changed."""
    pipelines = bundle.pipelines.pipelines
    for pipeline, usual in pipelines.items():
        for name in FREE:
            for value in STRICTNESS[name]:
                if value != getattr(usual, name):
                    changed = {**pipelines, pipeline: altered(usual, **{name: value})}
                    after = replace(bundle, pipelines=replace(bundle.pipelines, pipelines=changed))
                    yield Mutant("pipelines", usual.place, f"{pipeline}: {name} {value}", WANTED, after)


class Telling:
    """Whether any facts tell policies with a change from those without."""

    def __init__(self, before: Bundle) -> None:
        self._before = before
        self._space = _Space(before.facts.facts, z3.Context())
        self._solver = z3.Solver(ctx=self._space.context)
        self._solver.add(*self._space.bounds())
        self._outcomes = _outcomes(before)
        self._fires = firings(self._space, before.routing.rules)

    def alike(self, after: Bundle) -> bool:
        """Whether none do. Every rule is held to be reachable, as an invariant says."""
        outcomes = _outcomes(after)
        if [rule.when for rule in after.routing.rules] == [rule.when for rule in self._before.routing.rules]:
            return outcomes == self._outcomes
        try:
            fires = firings(self._space, after.routing.rules)
        except FormulaError:
            return False
        told, told_after = _by_outcome(self._outcomes, self._fires), _by_outcome(outcomes, fires)
        either = self._space.either
        same = [self._space.both(either(*told[one]), either(*told_after.get(one, ()))) for one in told]
        self._solver.push()
        self._solver.add(z3.Not(either(*same)))
        found = self._solver.check()
        self._solver.pop()
        return bool(found == z3.unsat)


class _Space(FactSpace):
    """Facts as the solver has them; conditions that most changes leave alone are written for it once."""

    def holds(self, condition: Condition | None) -> Formula:
        known: dict[int, tuple[Condition | None, Formula]] = self.__dict__.setdefault("known", {})
        if id(condition) not in known:
            known[id(condition)] = (condition, super().holds(condition))
        return known[id(condition)][1]


def _outcomes(bundle: Bundle) -> list[FullOutcome]:
    """What each rule decides, and what is decided where the rule engine fails."""
    return [full_outcome(rule, bundle.pipelines) for rule in (*bundle.routing.rules, bundle.routing.strictest)]


def _by_outcome(outcomes: list[FullOutcome], fires: list[Formula]) -> dict[FullOutcome, list[Formula]]:
    """When each outcome is decided."""
    told: dict[FullOutcome, list[Formula]] = {}
    for outcome, fire in zip(outcomes, fires, strict=False):
        told.setdefault(outcome, []).append(fire)
    return told
