"""Says which rules, topics and signals have no case, or no near miss, and what cases name that is not there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from chingoo.engine.detector import DETECTOR
from chingoo.model.enums import CrisisLevel
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.cases import Case, CasesDocument
from chingoo.proof.cases import NONE, SIGNALS, Subject, subjects
from chingoo.proof.records import value_told
from chingoo.source.findings import Finding, OtherPlace, sorted_findings
from chingoo.source.suggest import did_you_mean

_WORDS = {
    "rule": "the rule",
    "guard": "the guard category",
    "crisis": "the crisis level",
    "topic": "the topic",
    "memory": "the family",
}


@dataclass(frozen=True, slots=True)
class Covered:
    """Something that cases are about: where it is written, which cases show it, and which nearly do."""

    subject: Subject
    place: Place
    needs_near_miss: bool
    cases: tuple[str, ...] = ()
    near_misses: tuple[str, ...] = ()


def case_findings(bundle: Bundle, documents: Mapping[str, CasesDocument]) -> tuple[Finding, ...]:
    """What cases name that is not there, and what has no case or no near miss."""
    cases = [case for path in sorted(documents) for case in documents[path].cases]
    return sorted_findings([*_misnamed(bundle, cases), *_uncovered(covered(bundle, documents))])


def covered(bundle: Bundle, documents: Mapping[str, CasesDocument]) -> tuple[Covered, ...]:
    """Everything that needs cases, with those it has."""
    cases = [case for path in sorted(documents) for case in documents[path].cases]
    by_id = {case.id: case for case in cases}
    showing: dict[Subject, dict[str, None]] = {}
    missing: dict[Subject, dict[str, None]] = {}
    for case in cases:
        for subject in _shown(case):
            showing.setdefault(subject, {})[case.id] = None
        near = by_id.get(case.near_miss_of or "")
        for subject in subjects(near) if near is not None else ():
            missing.setdefault(_of_family(subject), {})[case.id] = None
    return tuple(
        replace(one, cases=tuple(showing.get(one.subject, ())), near_misses=tuple(missing.get(one.subject, ())))
        for one in _needed(bundle)
    )


def _needed(bundle: Bundle) -> Iterator[Covered]:
    """Rules, topics, guard categories, levels of crisis, and the signals that rules look at."""
    *rules, default = bundle.routing.rules
    for rule in rules:
        yield Covered(("rule", rule.id), rule.place, needs_near_miss=True)
    yield Covered(("rule", default.id), default.place, needs_near_miss=False)
    for topic, topic_rule in bundle.topics.topics.items():
        yield Covered(("topic", topic.value), topic_rule.place, needs_near_miss=True)
    for category in bundle.safety.guard:
        yield Covered(("guard", category.id), category.place, needs_near_miss=True)
    crisis = bundle.crisis
    places = {
        CrisisLevel.HIGH_RISK: crisis.direct.place,
        CrisisLevel.CONTEXT: crisis.context.place,
        CrisisLevel.THIRD_PARTY: crisis.third_party.place,
    }
    for level, place in places.items():
        yield Covered(("crisis", level.value), place, needs_near_miss=True)
    signals = {name: rule.place for name, rule in {**bundle.signals.signals, **bundle.safety.signals}.items()}
    signals |= {name: rule.place for name, rule in bundle.safety.counts.items()}
    for name, place in signals.items():
        if name in bundle.facts.facts:
            yield Covered(("fact", name), place, needs_near_miss=True)
    patterns = [pattern for document in bundle.instant.values() for pattern in document.patterns]
    for family, place in {pattern.family: pattern.place for pattern in reversed(patterns)}.items():
        yield Covered(("memory", family), place, needs_near_miss=True)


def _shown(case: Case) -> Iterator[Subject]:
    """Everything a case shows, not only what it is about."""
    yield from map(_of_family, subjects(case))
    expect = case.expect
    if expect is None:
        return
    if expect.guard not in (None, NONE):
        yield ("guard", str(expect.guard))
    if expect.crisis not in (None, NONE):
        yield ("crisis", str(expect.crisis))
    for topic in (*expect.topics, *expect.raised):
        yield ("topic", topic.value)
    for name, value in expect.facts.items():
        if value not in (False, 0, NONE):
            yield ("fact", name)
    for key in expect.remembers:
        yield _of_family(("memory", key))


def _of_family(subject: Subject) -> Subject:
    """Memories are covered by families, not by each key."""
    aspect, name = subject
    return (aspect, name.partition(":")[0]) if aspect == "memory" else subject


def _uncovered(all_covered: tuple[Covered, ...]) -> Iterator[Finding]:
    for one in all_covered:
        aspect, name = one.subject
        what = f"{_WORDS.get(aspect, 'the signal')} `{name}`"
        if not one.cases:
            hint = "write a case for it, in the .cases.yaml file beside this one"
            yield Finding("case-missing", f"no case shows {what}", one.place, hint=hint, about=name)
        elif one.needs_near_miss and not one.near_misses:
            hint = f"write a case with `near_miss_of: {one.cases[0]}`"
            yield Finding("near-miss-missing", f"{what} has no near miss", one.place, hint=hint, about=name)


def _misnamed(bundle: Bundle, cases: list[Case]) -> Iterator[Finding]:
    by_id: dict[str, Case] = {}
    for case in cases:
        if by_id.setdefault(case.id, case) is not case:
            others = (OtherPlace(by_id[case.id].place, "first written here"),)
            yield Finding("id-twice", f"`{case.id}` is written twice", case.place, others=others, about=case.id)
    for case in cases:
        if case.expect is None and case.near_miss_of is None:
            message = "a case has an `expect`, or is `near_miss_of` another"
            yield Finding("case-empty", message, case.place, about=case.id)
        if case.near_miss_of is not None:
            near = by_id.get(case.near_miss_of)
            if near is None or near is case:
                yield _unknown("case", case.near_miss_of, case.place, [name for name in by_id if name != case.id])
            elif not subjects(near):
                message = f"`{near.id}` expects nothing that could be missed"
                yield Finding("case-empty", message, case.place, about=near.id)
        yield from _names(bundle, case)


def _names(bundle: Bundle, case: Case) -> Iterator[Finding]:
    detector = bundle.facts.facts.get(DETECTOR)
    if case.given is not None and detector is not None and case.given.detector not in detector.members:
        yield _unknown("answer of a detector", case.given.detector, case.given.place, list(detector.members))
    expect = case.expect
    if expect is None:
        return
    rules = [rule.id for rule in bundle.routing.rules]
    if expect.rule is not None and expect.rule not in rules:
        yield _unknown("rule", expect.rule, expect.place, rules)
    categories = [NONE, *(category.id for category in bundle.safety.guard)]
    if expect.guard is not None and expect.guard not in categories:
        yield _unknown("guard category", expect.guard, expect.place, categories)
    for name in expect.signals:
        if name not in SIGNALS:
            yield _unknown("signal of a decision", name, expect.place, list(SIGNALS))
    for name, value in expect.facts.items():
        fact = bundle.facts.facts.get(name)
        if fact is None:
            yield _unknown("fact", name, expect.place, bundle.facts.facts)
        elif (fact.type == "enum" and value not in fact.members) or (
            fact.type != "enum" and (isinstance(value, bool) != (fact.type == "boolean") or isinstance(value, str))
        ):
            message = f"`{name}` is never `{value_told(value)}`"
            yield Finding("case-unknown", message, expect.place, about=name)


def _unknown(what: str, name: str, place: Place, known: Mapping[str, object] | list[str]) -> Finding:
    offer = did_you_mean(name, known)
    hint = f"did you mean `{offer}`?" if offer else None
    return Finding("case-unknown", f"there is no {what} `{name}`", place, hint=hint, about=name)
