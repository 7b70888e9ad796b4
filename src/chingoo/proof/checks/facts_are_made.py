"""Every declared fact is made by something: a signal, a count, the crisis check, the guard, a detector or the turn."""

from collections.abc import Iterator

from chingoo.engine.conditions import RuleTableError
from chingoo.engine.crisis import CRISIS
from chingoo.engine.detector import DETECTOR, SILENT
from chingoo.engine.guard import GUARD
from chingoo.engine.record import NONE, RecordMaker
from chingoo.model.enums import CrisisLevel
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.facts import FactsDocument
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding

_READ_BY_RULE = ("is_question", "is_pure_fact_q", "farewell")
"""Signals that have a rule of their own kind in policies/signals.yaml."""


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every fact that nothing makes, or that lacks a member of what makes it."""
    bundle = subject.bundle
    facts = bundle.facts.facts
    members = {
        CRISIS: (NONE, *(level.value for level in CrisisLevel)),
        GUARD: (NONE, *(category.id for category in bundle.safety.guard)),
        DETECTOR: (*SILENT, *(one.fact for one in bundle.detector.says)),
    }
    for name, wanted in members.items():
        if name not in facts:
            yield Finding("fact-missing", f"the fact `{name}` must be declared", bundle.facts.place)
        elif set(facts[name].members) != set(wanted):
            differing = ", ".join(sorted(set(facts[name].members) ^ set(wanted)))
            message = f"`{name}` must have exactly the members {', '.join(wanted)}; these differ: {differing}"
            yield Finding("fact-members", message, facts[name].place, about="members")
    if members.keys() <= facts.keys():
        yield from _unmade(bundle)


def _unmade(bundle: Bundle) -> Iterator[Finding]:
    signals = frozenset((*bundle.signals.signals, *bundle.safety.signals, *_READ_BY_RULE))
    counts = frozenset(bundle.safety.counts)
    always = {name: bundle.facts.facts[name] for name in (CRISIS, GUARD)}
    for name, fact in bundle.facts.facts.items():
        try:
            RecordMaker(FactsDocument(bundle.facts.place, {**always, name: fact}), signals, counts)
        except RuleTableError:
            message = f"nothing makes a fact `{name}` of type {fact.type}"
            hint = "declare a signal or count of this name in policies/signals.yaml or policies/safety.yaml"
            yield Finding("fact-unmade", message, fact.place, len(name), hint)
