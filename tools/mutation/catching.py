"""Whether a change of the policies is noticed: by a case, an invariant, or a check.

Words are looked for once only: no change touches word lists, so that what is seen in the messages of all cases stays.
Nothing is weighed: a rule must be held by its own cases, not by what its words weigh without it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from chingoo.engine.conditions import RuleTable, RuleTableError, compile_table
from chingoo.engine.crisis import CrisisReader
from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.engine.fixed import FixedWords
from chingoo.engine.flags import CountReader, SignalReader
from chingoo.engine.guard import GuardReader
from chingoo.engine.matcher import Matcher
from chingoo.engine.outcomes import full_outcome
from chingoo.engine.reference import first_rule
from chingoo.engine.rules import DurableRules
from chingoo.engine.scan import Scan
from chingoo.engine.together import Asked
from chingoo.engine.topics import TopicReader
from chingoo.model.decision import EvaluationInput, FactRecord, RoutingDecision
from chingoo.model.enums import Role
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.cases import Case
from chingoo.policy.documents.routing import RoutingRule
from chingoo.proof.breaches import shape_findings
from chingoo.proof.cases import input_of, run_case
from chingoo.proof.checks import (
    bounds_are_ordered,
    conditions_have_one_shape,
    facts_are_known,
    facts_are_made,
    ids_are_unique,
    lists_are_known,
    lists_are_not_both_wanted_and_barred,
    lists_are_used,
    pairs_need_two_phrases,
    replies_are_known,
    replies_are_used,
    rules_end_in_a_default,
    signals_are_there,
    spoken_replies_are_written,
    weights_are_as_learnt,
)
from chingoo.proof.formula import FormulaError
from chingoo.proof.invariants import first_breach
from chingoo.proof.judging import Judging
from chingoo.proof.walk import Subject, documents, parts
from chingoo.source.findings import Finding, has_errors
from chingoo.text.normalise import NormalisedText, normalise
from mutation.mutant import Mutant
from mutation.routing import Telling

OF_ROUTING = ("routing", "pipelines")
LAWS: tuple[Callable[[Subject], Iterable[Finding]], ...] = (
    lists_are_used.check,
    rules_end_in_a_default.check,
    signals_are_there.check,
    spoken_replies_are_written.check,
    facts_are_made.check,
    ids_are_unique.check,
    lists_are_known.check,
    lists_are_not_both_wanted_and_barred.check,
    conditions_have_one_shape.check,
    facts_are_known.check,
    replies_are_known.check,
    replies_are_used.check,
    bounds_are_ordered.check,
    weights_are_as_learnt.check,
    pairs_need_two_phrases.check,
)
"""The laws that such a change could break: those about words, patterns and personas never see it."""

ALIKE = "alike"


class Remembered:
    """A matcher that reads each text once."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._scans: dict[tuple[NormalisedText, bool], Scan] = {}

    def scan(self, text: NormalisedText, *, by_ear: bool = True) -> Scan:
        """As the matcher's own."""
        scan = self._scans.get((text, by_ear))
        if scan is None:
            scan = self._scans[text, by_ear] = self._matcher.scan(text, by_ear=by_ear)
        return scan


class PlainRules:
    """Rules read straight from their documents; the rule engine is held against them elsewhere."""

    def __init__(self, table: RuleTable) -> None:
        self._table = table

    def first_rule(self, record: FactRecord) -> RoutingRule:
        """As the rule engine's own."""
        return first_rule(self._table, record)

    def close(self) -> None:
        """There is nothing to free."""


@dataclass(frozen=True, slots=True)
class Known:
    """A case, the facts of its message, the rule that decides them, and the lists seen in it and before it."""

    case: Case
    record: FactRecord
    rule: RoutingRule
    seen: tuple[frozenset[str], ...]


class _Subject(Subject):
    """A bundle before its laws. The parts of documents that are not changed are walked through once."""

    def __init__(self, bundle: Bundle, known: dict[int, tuple[Any, ...]]) -> None:
        super().__init__(bundle)
        walked = (known.get(id(document)) or parts(document) for document in documents(bundle))
        self.__dict__["parts"] = tuple(part for of_document in walked for part in of_document)


class Catcher:
    """What is known of the policies without a change."""

    def __init__(self, bundle: Bundle, engine: Engine, judging: Judging) -> None:
        self._bundle = bundle
        self._telling = Telling(bundle)
        self._parts = {id(document): tuple(parts(document)) for document in documents(bundle)}
        by_cost = sorted(
            judging.invariants.invariants, key=lambda one: (one.compare is not None, one.every is not None)
        )
        self._invariants = replace(judging.invariants, invariants=tuple(by_cost))
        self._engine = replace(engine, matcher=cast(Matcher, Remembered(engine.matcher)), weigher=None)
        judged = [judging.cases[path] for path in sorted(judging.cases)]
        self._by_id = {case.id: case for document in judged for case in document.cases}
        self._known: list[Known] = []
        self.failing: list[str] = []
        for case in self._by_id.values():
            if run_case(self._engine, case, self._by_id).passed:
                self._known.append(self._looked_at(case))
            else:
                self.failing.append(case.id)

    def catch(self, mutant: Mutant) -> str | None:
        """What catches a change, the quickest first; ALIKE where no facts tell it; None when nothing does."""
        changed = self._changed(mutant)
        if changed is None:
            return "check"
        try:
            found = next(self._failures(mutant, changed), None)
        except KeyError:
            return "check"  # a reply with something to fill in that its rule does not know
        if found is not None:
            return f"case {found}"
        after = mutant.bundle
        if mutant.area in OF_ROUTING:
            if self._telling.alike(after):
                return ALIKE
            if self._breaks_an_invariant(after):
                return "invariant"
        subject = _Subject(after, self._parts)
        return "check" if any(has_errors(law(subject)) for law in LAWS) else None

    def _breaks_an_invariant(self, after: Bundle) -> bool:
        """Whether one does not hold any more; what told last is asked first, as it is likely to tell again."""
        document = self._invariants
        if next(shape_findings(document, after.facts, after.routing), None) is not None:
            return True
        try:
            breach = first_breach(document, after.facts, after.routing, after.pipelines)
        except FormulaError:
            return True
        if breach is not None:
            others = (one for one in document.invariants if one is not breach.invariant)
            self._invariants = replace(document, invariants=(breach.invariant, *others))
        return breach is not None

    def _failures(self, mutant: Mutant, changed: Engine) -> Iterator[str]:
        """The cases that fail, of those that could."""
        for known in self._known:
            could = self._decides_otherwise(known, changed) if mutant.area in OF_ROUTING else _sees(known, mutant)
            if could and not run_case(changed, known.case, self._by_id).passed:
                yield known.case.id

    def _decides_otherwise(self, known: Known, changed: Engine) -> bool:
        rule = changed.rules.first_rule(known.record)
        return rule is not known.rule or changed.routings[rule.id] != self._engine.routings[rule.id]

    def _looked_at(self, case: Case) -> Known:
        given = input_of(case)
        record = evaluate(self._engine, given).facts_record
        return Known(case, record, self._engine.rules.first_rule(record), tuple(self._seen(given)))

    def _seen(self, given: EvaluationInput) -> Iterator[frozenset[str]]:
        for text in (given.text, *(one.text for one in given.history if one.role is Role.USER)):
            yield frozenset(self._engine.matcher.scan(normalise(text)).lists)

    def _changed(self, mutant: Mutant) -> Engine | None:
        """The engine with what the change touches made anew; None when it cannot be made."""
        before, after = self._bundle, mutant.bundle
        engine = self._engine
        if after.signals is not before.signals:
            engine = replace(engine, signals=SignalReader("signals", after.signals.signals, Asked()))
        if after.topics is not before.topics:
            engine = replace(engine, topics=TopicReader(after.topics))
        if after.safety is not before.safety:
            engine = replace(
                engine,
                safety=SignalReader("safety", after.safety.signals, Asked()),
                counts=CountReader("safety", after.safety.counts),
                guard=GuardReader(after.safety.guard, Asked()),
            )
        if after.crisis is not before.crisis:
            engine = replace(
                engine,
                crisis=CrisisReader(after.crisis, Asked()),
                crisis_history=after.crisis.context.history_messages,
                fixed=FixedWords(after.replies, after.crisis),
            )
        if mutant.area not in OF_ROUTING:
            return engine
        try:
            table = compile_table(after.routing, after.facts)
        except RuleTableError:
            return None
        return replace(
            engine,
            table=table,
            rules=cast(DurableRules, PlainRules(table)),
            strictest=after.routing.strictest,
            routings=routings(after),
        )


def routings(bundle: Bundle) -> Mapping[str, RoutingDecision]:
    """What each rule decides in full."""
    return {rule.id: decided(rule, bundle) for rule in (*bundle.routing.rules, bundle.routing.strictest)}


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


def _sees(known: Known, mutant: Mutant) -> bool:
    return any(mutant.needs <= seen for seen in known.seen)
