"""The rule engine and the reference evaluator decide alike, and no failure ends in a mild outcome."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.words import HERE

from chingoo.engine.conditions import RuleTable, RuleTableError, compile_table
from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import route
from chingoo.engine.reference import first_rule
from chingoo.engine.rules import DurableRules
from chingoo.errors import RuleEngineError
from chingoo.model.decision import FactRecord, FactValue
from chingoo.model.enums import Pipeline, SafetyPolicy
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.facts import FactDecl, FactsDocument
from chingoo.policy.documents.routing import Condition, Outcome, RoutingDocument, RoutingRule

RECORDS = 10_000
THEN = Outcome(HERE, Pipeline.FRIEND_CHAT, SafetyPolicy.ALLOW)
FACTS = FactsDocument(
    HERE,
    {
        "flag": FactDecl(HERE, "boolean", "a flag"),
        "count": FactDecl(HERE, "integer", "a count", at_most=3),
        "kind": FactDecl(HERE, "enum", "a kind", members=("1", "true", "none")),
    },
)


def condition(**parts: object) -> Condition:
    return Condition(HERE, **parts)  # type: ignore[arg-type]


def table_of(*whens: Condition) -> RuleTable:
    rules = [RoutingRule(HERE, f"rule-{number}", "because", THEN, when) for number, when in enumerate(whens)]
    default = RoutingRule(HERE, "default", "because", THEN)
    return compile_table(RoutingDocument(HERE, (*rules, default), default), FACTS)


def values(decl: FactDecl) -> list[FactValue]:
    if decl.type == "boolean":
        return [False, True]
    return list(decl.members) if decl.type == "enum" else list(range((decl.at_most or 3) + 1))


def records(facts: FactsDocument, amount: int) -> Iterator[FactRecord]:
    chance = random.Random(7)
    choices = {name: values(decl) for name, decl in facts.facts.items()}
    for _ in range(amount):
        yield {name: chance.choice(options) for name, options in choices.items()}


def test_the_shipped_table_and_the_reference_agree_on_random_records(engine: Engine, bundle: Bundle) -> None:
    for record in records(bundle.facts, RECORDS):
        assert engine.rules.first_rule(record).id == first_rule(engine.table, record).id, record


LEAVES = st.one_of(
    st.builds(lambda value: condition(fact="flag", is_=value), st.booleans()),
    st.builds(lambda value: condition(fact="kind", is_=value), st.sampled_from(["1", "true", "none"])),
    st.builds(
        lambda some: condition(fact="kind", in_=tuple(some)), st.sets(st.sampled_from(["1", "none"]), min_size=1)
    ),
    st.builds(lambda value: condition(fact="count", gte=value), st.integers(0, 3)),
    st.builds(lambda value: condition(fact="count", lte=value), st.integers(0, 3)),
)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda parts: condition(all=tuple(parts)), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: condition(any=tuple(parts)), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda part: condition(not_=part), inner),
    ),
    max_leaves=6,
)


@given(st.lists(CONDITIONS, min_size=1, max_size=4))
def test_any_table_and_the_reference_agree_on_all_records(whens: list[Condition]) -> None:
    table = table_of(*whens)
    rules = DurableRules(table, "test")
    for flag in (False, True):
        for count in range(4):
            for kind in ("1", "true", "none"):
                record: FactRecord = {"flag": flag, "count": count, "kind": kind}
                assert rules.first_rule(record).id == first_rule(table, record).id, record
    rules.close()


@pytest.mark.parametrize(
    ("when", "message"),
    [
        (condition(fact="unknown", is_=True), "not declared"),
        (condition(fact="kind", is_="other"), "no value"),
        (condition(fact="flag", gte=1), "no value"),
        (condition(fact="count", is_="1"), "no value"),
        (condition(all=()), "a condition is one of"),
        (condition(fact="flag"), "a condition is one of"),
        (condition(fact="flag", is_=True, gte=1), "a condition is one of"),
        (condition(), "a condition is one of"),
    ],
)
def test_conditions_without_meaning_are_refused(when: Condition, message: str) -> None:
    with pytest.raises(RuleTableError, match=message):
        table_of(when)


def test_a_table_without_a_default_is_refused() -> None:
    only = RoutingRule(HERE, "only", "because", THEN, condition(fact="flag", is_=True))
    with pytest.raises(RuleTableError, match="the last rule"):
        compile_table(RoutingDocument(HERE, (only,), only), FACTS)


def test_a_record_that_lacks_a_fact_is_an_error_not_a_mild_outcome() -> None:
    rules = DurableRules(table_of(condition(not_=condition(fact="flag", is_=True))), "test")
    with pytest.raises(RuleTableError, match="lacks flag"):
        rules.first_rule({"count": 0, "kind": "none"})
    rules.close()


def test_closed_rules_raise_and_the_decision_is_the_strictest(engine: Engine, bundle: Bundle) -> None:
    rules = DurableRules(engine.table, "closed")
    rules.close()
    rules.close()
    record = next(records(bundle.facts, 1))
    with pytest.raises(RuleEngineError):
        rules.first_rule(record)
    rule, routing = route(replace(engine, rules=rules), record)
    assert (rule.id, routing.safety_policy) == (bundle.routing.strictest.id, SafetyPolicy.HARD_REFUSE)
    assert routing.notes


def test_no_state_is_left_behind(engine: Engine, bundle: Bundle) -> None:
    """1,024 live states would end in a MemoryError."""
    record = next(records(bundle.facts, 1))
    for _ in range(3000):
        engine.rules.first_rule(record)
