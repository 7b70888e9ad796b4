"""Runs the cases that stand beside the policies, with the engine that serves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import Decision, EvaluationInput, FactValue, Utterance
from chingoo.model.enums import TopicID
from chingoo.policy.documents.cases import Case, CasesDocument, Expected, Given
from chingoo.proof.records import value_told
from chingoo.source.findings import Finding, sorted_findings

NONE = "none"
_AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
_ROUTING = (
    "pipeline",
    "safety_policy",
    "memory_read_policy",
    "vector_search_policy",
    "memory_write_policy",
    "relationship_update_policy",
)

SIGNALS = ("asks_about_friend", "asks_if_ai", "asks_recall", "farewell", "past_reference")
"""What decisions carry beside the facts that rules see."""

Aspect = Literal["rule", "guard", "crisis", "topic", "fact", "memory"]
Subject = tuple[Aspect, str]
"""What a case is about: an aspect of the decision, and its name or value."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case, and in words all that is not as it should be."""

    case: Case
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True when everything is as it should be."""
        return not self.failures


@dataclass(frozen=True, slots=True)
class CaseReport:
    """All cases in order of their files."""

    results: tuple[CaseResult, ...]

    @property
    def passed(self) -> int:
        """How many cases passed."""
        return sum(result.passed for result in self.results)

    def findings(self) -> tuple[Finding, ...]:
        """A finding for each failed case."""
        return sorted_findings(
            Finding(
                "case-failed",
                f"`{result.case.id}`: {'; '.join(result.failures)}",
                result.case.place,
                hint="if the case is right, mend the policy; `chingoo policy explain` shows why it was decided so",
                about=result.case.id,
            )
            for result in self.results
            if not result.passed
        )


def run_cases(engine: Engine, documents: Mapping[str, CasesDocument]) -> CaseReport:
    """Decide every case and compare. `documents` are by path; the engine is not closed."""
    return CaseReport(tuple(case_results(engine, documents)))


def case_results(engine: Engine, documents: Mapping[str, CasesDocument]) -> Iterator[CaseResult]:
    """The results one after the other, for whoever stops at the first failure."""
    cases = [case for path in sorted(documents) for case in documents[path].cases]
    by_id = {case.id: case for case in cases}
    return (run_case(engine, case, by_id) for case in cases)


def input_of(case: Case) -> EvaluationInput:
    """The input a case stands for."""
    given = case.given or Given(case.place)
    return EvaluationInput(
        text=case.text,
        received_at=_AT,
        user_state=given.user_state,
        age_band=given.age_band,
        mode=given.mode,
        source=given.source,
        country=given.country,
        client_locale=given.client_locale,
        history=tuple(Utterance(one.role, one.text) for one in given.history),
        suppressed_topics=frozenset(given.suppressed_topics),
        taboo_soft_bounds=frozenset(given.taboo_soft_bounds),
        claimed_under_13=given.claimed_under_13,
        detector=given.detector,
    )


def subjects(case: Case) -> tuple[Subject, ...]:
    """What a case is about, by the first that it names: rule, guard, crisis, topics, facts, memories."""
    expect = case.expect
    if expect is None:
        return ()
    if expect.rule is not None:
        return (("rule", expect.rule),)
    if expect.guard not in (None, NONE):
        return (("guard", str(expect.guard)),)
    if expect.crisis not in (None, NONE):
        return (("crisis", str(expect.crisis)),)
    touched: tuple[Subject, ...] = tuple(
        ("topic", topic.value) for topic in dict.fromkeys((*expect.topics, *expect.raised))
    )
    facts: tuple[Subject, ...] = tuple(
        ("fact", name) for name, value in expect.facts.items() if value not in (False, 0, NONE)
    )
    return touched or facts or tuple(("memory", key) for key in expect.remembers)


def run_case(engine: Engine, case: Case, by_id: Mapping[str, Case]) -> CaseResult:
    """One case; `by_id` holds the case that it nearly is."""
    decision = evaluate(engine, input_of(case))
    failures = list(_unlike(case.expect, decision)) if case.expect is not None else []
    near = by_id.get(case.near_miss_of or "")
    if near is not None:
        failures += _came(near, decision)
    return CaseResult(case, tuple(failures))


def _came(near: Case, decision: Decision) -> Iterator[str]:
    """What came of a message though it should only nearly have."""
    expect = near.expect
    for aspect, name in subjects(near):
        if aspect == "rule" and decision.rules[0] == name:
            yield f"the rule {name} fires, as for `{near.id}`"
        elif aspect == "guard" and decision.signals.guard.category == name:
            yield f"the guard sees {name}, as for `{near.id}`"
        elif aspect == "crisis" and _level(decision) == name:
            yield f"the level of crisis is {name}, as for `{near.id}`"
        elif aspect == "topic" and TopicID(name) in _touched(decision, raised=bool(expect and not expect.topics)):
            yield f"the topic {name} is {'touched' if expect and expect.topics else 'raised'}, as for `{near.id}`"
        elif aspect == "fact" and expect is not None and _same(decision.facts_record.get(name), expect.facts[name]):
            yield f"{name} is {value_told(expect.facts[name])}, as for `{near.id}`"
        elif aspect == "memory" and name in _remembered(decision):
            yield f"{name} is remembered, as for `{near.id}`"


def _unlike(expect: Expected, decision: Decision) -> Iterator[str]:
    """What is not as a case expects it."""
    routing = ((name, getattr(expect, name), getattr(decision.routing, name)) for name in _ROUTING)
    named = (
        ("the rule", expect.rule, decision.rules[0]),
        *routing,
        ("crisis", expect.crisis, _level(decision)),
        ("guard", expect.guard, decision.signals.guard.category or NONE),
        ("the reply", expect.reply, decision.reply_id or NONE),
        ("the language", expect.language, decision.signals.language),
    )
    for name, wanted, found in named:
        if wanted is not None and wanted != found:
            yield f"{name} is {found}, not {wanted}"
    for fact, value in expect.facts.items():
        if not _same(decision.facts_record.get(fact), value):
            yield f"{fact} is {value_told(decision.facts_record.get(fact, NONE))}, not {value_told(value)}"
    for signal, seen in expect.signals.items():
        if getattr(decision.signals, signal) is not seen:
            yield f"{signal} is {value_told(not seen)}, not {value_told(seen)}"
    remembered = _remembered(decision)
    for key, wanted in expect.remembers.items():
        if remembered.get(key) != wanted:
            shown = ", ".join(f"{name}: {value}" for name, value in remembered.items()) or "nothing"
            yield f"{key}: {wanted} is not remembered ({shown} is)"
    yield from _topics(expect, decision)


def _remembered(decision: Decision) -> Mapping[str, str]:
    """Instant facts by key, with their value, or the day on which they end."""
    return {
        fact.memory_key: fact.memory_value if fact.expires_at is None else fact.expires_at.date().isoformat()
        for fact in decision.facts
    }


def _topics(expect: Expected, decision: Decision) -> Iterator[str]:
    touched, raised = _touched(decision, raised=False), _touched(decision, raised=True)
    shown = ", ".join(f"{match.topic} by {'+'.join(match.hits)}" for match in decision.signals.topics) or "no topic"
    yield from (f"{topic} is not touched ({shown} is)" for topic in expect.topics if topic not in touched)
    yield from (f"{topic} is not raised ({shown} is touched)" for topic in expect.raised if topic not in raised)
    yield from (f"{topic} is touched ({shown})" for topic in expect.untouched if topic in touched)
    yield from (f"{topic} is not guarded" for topic in expect.guarded if topic not in decision.taboo_guard)


def _touched(decision: Decision, *, raised: bool) -> Iterable[TopicID]:
    return {match.topic for match in decision.signals.topics if match.user_initiated or not raised}


def _level(decision: Decision) -> str:
    level = decision.signals.crisis.level
    return NONE if level is None else level.value


def _same(found: FactValue | None, wanted: FactValue) -> bool:
    return type(found) is type(wanted) and found == wanted
