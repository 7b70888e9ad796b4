"""Changes the safety rules in every way a typo could, one at a time, and counts how many of the changes are caught.

    tools/mutate_policies.py [--root FOLDER] [--show]

Caught means that a check, an invariant or a case says so. Changes that no facts could tell apart (two rules that never
hold together, swapped) are left out. Ends with 1 when a change is not caught.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import z3  # type: ignore[import-untyped]

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.conditions import RuleTableError, compile_table
from chingoo.engine.crisis import CrisisReader
from chingoo.engine.engine import Engine, build_engine
from chingoo.engine.fixed import FixedWords
from chingoo.engine.flags import CountReader, SignalReader
from chingoo.engine.guard import GuardReader
from chingoo.engine.rules import DurableRules
from chingoo.engine.topics import TopicReader
from chingoo.model.decision import RoutingDecision
from chingoo.model.enums import Pipeline, SafetyPolicy
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import load
from chingoo.policy.documents.base import Near, Sight
from chingoo.policy.documents.facts import FactDecl
from chingoo.policy.documents.routing import Condition, Outcome, RoutingRule
from chingoo.proof.breaches import invariant_findings
from chingoo.proof.cases import case_results
from chingoo.proof.formula import FactSpace, FormulaError, firings
from chingoo.proof.judging import Judging, load_judging
from chingoo.proof.outcomes import STRICTNESS, full_outcome
from chingoo.proof.run import check_all
from chingoo.source.findings import has_errors
from chingoo.source.render import render_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

OF_ROUTING = ("routing", "pipelines")
Part = TypeVar("Part", bound="DataclassInstance")
FREE = [field.name for field in fields(Outcome) if field.name not in ("place", "pipeline", "safety_policy", "reply")]


@dataclass(frozen=True, slots=True)
class Mutant:
    """The policies with one change: where it was made, and in words what."""

    where: str
    what: str
    bundle: Bundle


def altered(part: Part, **values: Any) -> Part:
    """A document with some fields changed."""
    return replace(part, **values)


# --- routing ----------------------------------------------------------------------------------------------------


def routing_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Rules deleted, swapped, their conditions and outcomes changed."""
    rules = bundle.routing.rules

    def mutant(what: str, changed: Iterable[RoutingRule]) -> Mutant:
        return Mutant("routing", what, replace(bundle, routing=replace(bundle.routing, rules=tuple(changed))))

    for index, rule in enumerate(rules):
        others = [*rules[:index], *rules[index + 1 :]]
        yield mutant(f"delete {rule.id}", others)
        for other in range(index + 1, len(rules) - 1):
            swapped = list(rules)
            swapped[index], swapped[other] = swapped[other], swapped[index]
            yield mutant(f"swap {rule.id} and {rules[other].id}", swapped)
        for what, when in conditions(rule.when, bundle.facts.facts):
            yield mutant(f"{rule.id}: {what}", [*rules[:index], replace(rule, when=when), *rules[index + 1 :]])
        for what, then in outcomes(rule.then, [one.then.reply for one in rules]):
            yield mutant(f"{rule.id}: {what}", [*rules[:index], replace(rule, then=then), *rules[index + 1 :]])
    for what, then in outcomes(bundle.routing.strictest.then, [rule.then.reply for rule in rules]):
        strictest = replace(bundle.routing.strictest, then=then)
        changed = replace(bundle, routing=replace(bundle.routing, strictest=strictest))
        yield Mutant("routing", f"{strictest.id}: {what}", changed)


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
                    document = replace(bundle.pipelines, pipelines=changed)
                    yield Mutant("pipelines", f"{pipeline}: {name} {value}", replace(bundle, pipelines=document))


def alike(before: Bundle, after: Bundle) -> bool:
    """Whether no facts tell two bundles' outcomes apart."""
    space = FactSpace(before.facts.facts, z3.Context())
    solver = z3.Solver(ctx=space.context)
    solver.add(*space.bounds())
    try:
        tables = [(one, firings(space, one.routing.rules)) for one in (before, after)]
    except FormulaError:
        return False
    strictest = [full_outcome(one.routing.strictest, one.pipelines) for one in (before, after)]
    if strictest[0] != strictest[1]:
        return False
    told = [{full_outcome(rule, one.pipelines): [] for rule in one.routing.rules} for one, _ in tables]  # type: list[dict[Any, list[Any]]]
    for groups, (one, fires) in zip(told, tables, strict=True):
        for rule, fire in zip(one.routing.rules, fires, strict=True):
            groups[full_outcome(rule, one.pipelines)].append(fire)
    same = [
        space.both(space.either(*fires), space.either(*told[1].get(outcome, []))) for outcome, fires in told[0].items()
    ]
    solver.add(z3.Not(space.either(*same)))
    return bool(solver.check() == z3.unsat)


# --- what is seen -----------------------------------------------------------------------------------------------


def sights(sight: Sight, name: str) -> Iterator[tuple[str, Sight | None]]:
    """A sight with one alternative, list or limit changed."""
    for index, near in enumerate(sight.any):
        rest = (sight.any[:index], sight.any[index + 1 :])
        shown = "+".join(near.lists)
        yield f"{name}: without {shown}", replace(sight, any=(*rest[0], *rest[1])) if len(sight.any) > 1 else None
        for what, changed in nears(near):
            yield f"{name}: {what} in {shown}", replace(sight, any=(*rest[0], changed, *rest[1]))
    for list_id in sight.none:
        yield f"{name}: not called off by {list_id}", replace(sight, none=tuple(x for x in sight.none if x != list_id))


def nears(near: Near) -> Iterator[tuple[str, Near]]:
    """One list fewer, another distance, another order."""
    for list_id in near.lists if len(near.lists) > 1 else ():
        yield f"{list_id} not asked for", replace(near, lists=tuple(one for one in near.lists if one != list_id))
    if near.within is not None:
        yield "within 1 word", replace(near, within=1)
        yield "at any distance", replace(near, within=None)
    if near.ordered:
        yield "in any order", replace(near, ordered=False)
        yield "in the other order", replace(near, lists=near.lists[::-1])


def safety_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Signals, counts and guard categories seen less, or more."""
    safety = bundle.safety

    def mutant(what: str, **changes: Any) -> Mutant:
        return Mutant("safety", what, replace(bundle, safety=altered(safety, **changes)))

    for name, rule in safety.signals.items():
        for what, sight in sights(rule.when, name):
            if sight is not None:
                yield mutant(what, signals={**safety.signals, name: replace(rule, when=sight)})
    for name, count in safety.counts.items():
        for list_id in count.none:
            rest = tuple(one for one in count.none if one != list_id)
            yield mutant(
                f"{name}: not called off by {list_id}", counts={**safety.counts, name: replace(count, none=rest)}
            )
    for index, category in enumerate(safety.guard):
        others = (safety.guard[:index], safety.guard[index + 1 :])
        yield mutant(f"guard without {category.id}", guard=(*others[0], *others[1]))
        for strictness in ("always", "intimate"):
            for what, sight in sights(getattr(category, strictness) or Sight(category.place, ()), category.id):
                guard = (*others[0], altered(category, **{strictness: sight}), *others[1])
                yield mutant(f"guard {strictness} {what}", guard=guard)
        if others[1]:
            swapped = (*others[0], others[1][0], category, *others[1][1:])
            yield mutant(f"guard: {others[1][0].id} before {category.id}", guard=swapped)


def crisis_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """The crisis check seeing less, or more.

    `covers` of exceptions is left alone: what it leaves out makes a difference only to a phrase that shares letters
    with a word of the exception's other lists, and there is none.
    """
    crisis = bundle.crisis

    def mutant(what: str, **changes: Any) -> Mutant:
        return Mutant("crisis", what, replace(bundle, crisis=altered(crisis, **changes)))

    direct, third, context = crisis.direct, crisis.third_party, crisis.context
    for list_id in direct.lists:
        rest = tuple(one for one in direct.lists if one != list_id)
        yield mutant(f"direct without {list_id}", direct=replace(direct, lists=rest))
    for index, near in enumerate(direct.combinations):
        rest_of = (direct.combinations[:index], direct.combinations[index + 1 :])
        shown = "+".join(near.lists)
        yield mutant(f"direct without {shown}", direct=replace(direct, combinations=(*rest_of[0], *rest_of[1])))
        for what, changed in nears(near):
            combined = replace(direct, combinations=(*rest_of[0], changed, *rest_of[1]))
            yield mutant(f"direct: {what} in {shown}", direct=combined)
    if crisis.certain is not None:
        for list_id in crisis.certain.lists:
            rest = tuple(one for one in crisis.certain.lists if one != list_id)
            certain = replace(crisis.certain, lists=rest) if rest else None
            yield mutant(f"certain without {list_id}", certain=certain)
    for index, exception in enumerate(crisis.exceptions):
        others = (crisis.exceptions[:index], crisis.exceptions[index + 1 :])
        yield mutant(f"without the exception {exception.id}", exceptions=(*others[0], *others[1]))
        for what, changed in nears(exception.near):
            exceptions = (*others[0], replace(exception, near=changed), *others[1])
            yield mutant(f"{exception.id}: {what}", exceptions=exceptions)
    for list_id in third.lists:
        rest = tuple(one for one in third.lists if one != list_id)
        yield mutant(f"third party without {list_id}", third_party=replace(third, lists=rest))
    for index, near in enumerate(third.near):
        rest_near = (third.near[:index], third.near[index + 1 :])
        yield mutant(
            f"third party without {'+'.join(near.lists)}",
            third_party=replace(third, near=(*rest_near[0], *rest_near[1])),
        )
    for name in ("history_messages", "in_history", "distinct_now"):
        for step in (-1, 1):
            value = getattr(context, name) + step
            yield mutant(f"context: {name} {value}", context=altered(context, **{name: value}))
    levels = ("HIGH_RISK", "CONTEXT", "THIRD_PARTY")
    for level in levels:
        for other in levels:
            if other != level:
                said = altered(crisis.replies, **{level: getattr(crisis.replies, other)})
                yield mutant(f"{other} words for {level}", replies=said)


def topic_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Sensitive topics forgotten."""
    for topic in bundle.topics.sensitive:
        rest = tuple(one for one in bundle.topics.sensitive if one is not topic)
        yield Mutant("topics", f"{topic} not sensitive", replace(bundle, topics=replace(bundle.topics, sensitive=rest)))


# --- whether it is caught -----------------------------------------------------------------------------------------


def engine_for(engine: Engine, bundle: Bundle) -> Engine:
    """The engine with everything but its words made anew; close it."""
    table = compile_table(bundle.routing, bundle.facts)
    return replace(
        engine,
        topics=TopicReader(bundle.topics),
        signals=SignalReader("signals", bundle.signals.signals),
        safety=SignalReader("safety", bundle.safety.signals),
        counts=CountReader("safety", bundle.safety.counts),
        guard=GuardReader(bundle.safety.guard),
        crisis=CrisisReader(bundle.crisis),
        crisis_history=bundle.crisis.context.history_messages,
        fixed=FixedWords(bundle.replies, bundle.crisis),
        table=table,
        rules=DurableRules(table, "mutant"),
        strictest=bundle.routing.strictest,
        routings={rule.id: decided(rule, bundle) for rule in (*bundle.routing.rules, bundle.routing.strictest)},
    )


def decided(rule: RoutingRule, bundle: Bundle) -> RoutingDecision:
    """What a rule decides in full."""
    full = full_outcome(rule, bundle.pipelines)
    return RoutingDecision(
        full.pipeline,
        full.safety_policy,
        full.memory_read_policy,
        full.vector_search_policy,
        full.memory_write_policy,
        full.relationship_update_policy,
    )


def caught_by(mutant: Mutant, engine: Engine, judging: Judging) -> str | None:
    """What catches a change: `invariant`, `case` or `check`, the quickest first; None when nothing does."""
    bundle = mutant.bundle
    if mutant.where in OF_ROUTING and invariant_findings(
        judging.invariants, bundle.facts, bundle.routing, bundle.pipelines
    ):
        return "invariant"
    try:
        changed = engine_for(engine, bundle)
    except RuleTableError:
        return "check"
    try:
        failed = any(not result.passed for result in case_results(changed, judging.cases))
    except KeyError:
        return "check"
    finally:
        changed.close()
    if failed:
        return "case"
    return "check" if has_errors(check_all(bundle)) else None


def without_failures(judging: Judging, engine: Engine) -> Judging:
    """Cases that fail already catch nothing; they are named and left out."""
    failing = {result.case.id for result in case_results(engine, judging.cases) if not result.passed}
    for name in sorted(failing):
        print(f"fails without any change: {name}", file=sys.stderr)
    kept = {
        path: replace(document, cases=tuple(case for case in document.cases if case.id not in failing))
        for path, document in judging.cases.items()
    }
    return replace(judging, cases=kept)


def mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Every change that matters, one at a time."""
    for mutant in (*routing_mutants(bundle), *pipeline_mutants(bundle)):
        if not alike(bundle, mutant.bundle):
            yield mutant
    for make in (safety_mutants, crisis_mutants, topic_mutants):
        yield from make(bundle)


def main() -> int:
    """Run all mutants; 1 when one is not caught."""
    parser = argparse.ArgumentParser(description="How many changes of safety rules are caught?")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--show", action="store_true", help="name every change and what caught it")
    parser.add_argument("--only", default="", help="only changes whose name has this in it")
    given = parser.parse_args()
    files, schemas = read_policy_files(given.root), read_schemas(given.root)
    loaded, judging = load(files, schemas), load_judging(files, schemas)
    if loaded.bundle is None or judging.judging is None:
        print(render_text([*loaded.findings, *judging.findings], files), file=sys.stderr)
        return 2
    engine = build_engine(loaded.bundle)
    judged = without_failures(judging.judging, engine)
    score: Counter[tuple[str, str]] = Counter()
    missed = []
    for mutant in mutants(loaded.bundle):
        if given.only not in f"{mutant.where} {mutant.what}":
            continue
        caught = caught_by(mutant, engine, judged)
        score[mutant.where, caught or "not caught"] += 1
        if caught is None:
            missed.append(mutant)
        if given.show:
            print(f"{caught or 'NOT CAUGHT':10} {mutant.where}: {mutant.what}", flush=True)
    engine.close()
    for (where, caught), amount in sorted(score.items()):
        print(f"{where:10} {caught:10} {amount:5}")
    for mutant in missed:
        print(f"not caught: {mutant.where}: {mutant.what}")
    total = sum(score.values())
    print(f"{total - len(missed)} of {total} changes are caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
