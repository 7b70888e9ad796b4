"""Invariants are proved for all records, and a breach is shown by the smallest facts there are."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.proof import small

from chingoo.engine.conditions import compile_table
from chingoo.engine.outcomes import full_outcome
from chingoo.engine.reference import first_rule, holds
from chingoo.model.decision import FactRecord
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.invariants import Comparison, Invariant, InvariantsDocument, OutcomeTest
from chingoo.policy.documents.routing import Condition, Outcome, RoutingDocument, RoutingRule
from chingoo.proof.breaches import invariant_findings, told_breach
from chingoo.proof.invariants import Breach, prove
from chingoo.proof.outcomes import looser, misfits
from chingoo.source.findings import Finding

MINORS = "when: {all: [{fact: sexual, gte: 1}, {fact: age, is: minor}, {fact: crisis, is: false}]}"
AGES = ("{fact: age, is: adult}", "{fact: age, in: [minor, unknown]}")
COMPARED = "compare: {{changes: {}, before: {}, after: {}, {}}}"
HOLD = [
    ("an outcome everywhere", "every: record-has-an-outcome"),
    ("every rule can fire", "every: rule-is-reachable"),
    ("crisis is never refused", "when: {fact: crisis, is: true}\n    then: {safety_policy: [ALLOW], rule: [crisis]}"),
    ("no sexual content for minors", f"{MINORS}\n    then: {{safety_policy: [HARD_REFUSE]}}"),
    (
        "a hard refusal leaves no memory",
        "where: {safety_policy: [HARD_REFUSE]}\n    then: {memory_write_policy: [NONE]}",
    ),
    ("refusals speak", "where: {pipeline: [REFUSAL]}\n    then: {says: true}"),
    ("nobody searches always", "never: {vector_search_policy: ALWAYS}"),
    ("the strictest is strict", "strictest: {safety_policy: [HARD_REFUSE], relationship_update_policy: [OFF]}"),
    ("no more is allowed to minors", COMPARED.format("[age]", *AGES, "never_looser: [safety_policy]")),
    ("nothing more is kept of minors", COMPARED.format("[age]", *AGES, "never_looser: [memory_write_policy]")),
]


@pytest.mark.parametrize("written", [row[1] for row in HOLD], ids=[row[0] for row in HOLD])
def test_what_holds_is_proved(written: str) -> None:
    assert breaches(written) == []


BROKEN = [
    ("sexual words are refused", "when: {fact: sexual, gte: 1}\n    then: {pipeline: [REFUSAL, EMOTIONAL_SUPPORT]}"),
    ("nobody just talks", "then: {pipeline: [REFUSAL, EMOTIONAL_SUPPORT, INFO_QA]}"),
    ("no fixed words", "then: {says: false}"),
    ("what must not be", "then: {not: {pipeline: [INFO_QA], memory_write_policy: [NONE]}}"),
    (
        "two records",
        COMPARED.format("[sexual]", "{fact: sexual, lte: 1}", "{fact: sexual, gte: 2}", "same: [pipeline]"),
    ),
    (
        "looser",
        COMPARED.format(
            "[crisis]", "{fact: crisis, is: false}", "{fact: crisis, is: true}", "never_looser: [safety_policy]"
        ),
    ),
    ("a forbidden value", "never: {memory_read_policy: FULL}"),
    ("a lax last resort", "strictest: {reply: [help]}"),
    ("never the case", "when: {all: [{fact: sexual, gte: 2}, {fact: sexual, lte: 1}]}\n    then: {says: false}"),
    (
        "nothing to compare",
        COMPARED.format("[age]", "{fact: sexual, is: 1}", "{fact: sexual, is: 2}", "same: [pipeline]"),
    ),
]


def test_breaches_are_told_by_the_smallest_facts(golden: Callable[[str, str], None]) -> None:
    told = [
        f"{name}\n" + "".join(f"  {told_breach(breach)}\n" for breach in breaches(written)) for name, written in BROKEN
    ]
    golden("invariants.txt", "\n".join(told))


def test_a_record_without_outcome() -> None:
    table = small.ROUTING.replace("  - id: chat\n", "  - id: chat\n    when: {any: [{fact: sexual, lte: 2}]}\n")
    assert [told_breach(one) for one in breaches("every: record-has-an-outcome", table)] == [
        "when sexual is 3, no rule decides"
    ]


def test_a_rule_behind_two_others() -> None:
    hidden = """  - id: hidden
    when: {any: [{fact: crisis, is: true}, {all: [{fact: age, is: minor}, {fact: sexual, gte: 2}]}]}
    then: {pipeline: INFO_QA, safety_policy: ALLOW}
    because: never seen
  - id: chat
"""
    (breach,) = breaches("every: rule-is-reachable", small.ROUTING.replace("  - id: chat\n", hidden))
    assert breach.rule is not None
    assert breach.rule.id == "hidden"
    assert [rule.id for rule in breach.because_of] == ["crisis", "minor"]


def test_a_rule_that_contradicts_itself() -> None:
    table = small.ROUTING.replace("{not: {fact: sexual, gte: 2}}", "{fact: question, is: false}")
    assert [told_breach(one) for one in breaches("every: rule-is-reachable", table)] == [
        "question: its condition contradicts itself"
    ]


def test_findings_stand_at_the_rule_and_name_the_invariant() -> None:
    (finding,) = findings("then: {pipeline: [REFUSAL, EMOTIONAL_SUPPORT, INFO_QA]}")
    assert finding.code == "invariant-broken"
    assert str(finding.place) == "policies/routing.yaml:15:5"
    assert str(finding.others[0].place) == "policies/invariants.yaml:3:5"
    assert finding.others[0].label == "the invariant: so it is"


SHAPES = [
    ("says nothing", "when: {fact: sexual, gte: 1}", "an invariant says one thing; this one says nothing"),
    ("says two things", "every: rule-is-reachable\n    then: {says: true}", "this one says then, every"),
    ("a `when` too much", "when: {fact: sexual, gte: 1}\n    every: rule-is-reachable", "`when` does not go with"),
    ("a `where` too much", "where: {says: true}\n    every: rule-is-reachable", "`where` does not go with `every`"),
    ("an unknown fact", "when: {fact: sexuall, gte: 1}\n    then: {says: true}", "there is no fact `sexuall`"),
    ("an unknown rule", "then: {rule: [criss]}", "there is no rule `criss`"),
    ("an unknown reply", "then: {not: {reply: [hepl]}}", "there is no reply of a rule `hepl`"),
    ("an unknown field", "never: {vector_serch_policy: ALWAYS}", "there is no outcome field `vector_serch_policy`"),
    ("an unknown changed fact", COMPARED.format("[ag]", *AGES, "same: [pipeline]"), "there is no fact `ag`"),
    ("a comparison of nothing", COMPARED.format("[age]", *AGES, "same: []"), "a comparison names the facts"),
    ("no order", COMPARED.format("[age]", *AGES, "never_looser: [pipeline]"), "`pipeline` has no order"),
]


@pytest.mark.parametrize(("written", "wanted"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_what_cannot_be_proved_is_told(written: str, wanted: str) -> None:
    told = findings(written)
    assert any(wanted in finding.message for finding in told), told


@pytest.mark.parametrize("neutral", ["{ages: adult}", "{age: old}", "{crisis: 1}", "{sexual: true}", "{sexual: many}"])
def test_neutral_values_are_values_of_facts(neutral: str) -> None:
    written = small.invariants("  - id: x\n    every: rule-is-reachable\n    because: so it is", neutral)
    told = invariant_findings(written, small.facts(), small.routing(), small.pipelines())
    assert [finding.code for finding in told] == ["invariant-shape"]


@pytest.mark.parametrize(
    ("neutral", "message", "hint"),
    [
        ("{ages: adult}", "there is no fact `ages`", "did you mean `age`?"),
        ("{age: old}", "`age` is never `old`", "it can be "),
        ("{sexual: many}", "`sexual` is never `many`", None),
    ],
)
def test_a_wrong_neutral_value_is_told_with_what_it_can_be(neutral: str, message: str, hint: str | None) -> None:
    written = small.invariants("  - id: x\n    every: rule-is-reachable\n    because: so it is", neutral)
    (told,) = invariant_findings(written, small.facts(), small.routing(), small.pipelines())
    assert told.message == message
    assert (told.hint is None) if hint is None else (told.hint or "").startswith(hint)


def test_an_id_stands_for_one_invariant() -> None:
    one = "  - id: x\n    every: rule-is-reachable\n    because: so it is\n"
    told = invariant_findings(small.invariants(one + one), small.facts(), small.routing(), small.pipelines())
    assert [finding.code for finding in told] == ["id-twice"]


def breaches(written: str, table: str = small.ROUTING) -> list[Breach]:
    invariants = small.invariants(f"  - id: it\n    {written}\n    because: so it is")
    (verdict,) = prove(invariants, small.facts(), small.routing(table), small.pipelines())
    return list(verdict.breaches)


def findings(written: str) -> list[Finding]:
    invariants = small.invariants(f"  - id: it\n    {written}\n    because: so it is")
    return invariant_findings(invariants, small.facts(), small.routing(), small.pipelines())


# The solver against trying every record

AT = Place("policies/routing.yaml", 1, 1)
NEUTRAL: FactRecord = {"age": "adult", "crisis": False, "sexual": 0, "question": False}
RECORDS: list[FactRecord] = [
    dict(zip(NEUTRAL, values, strict=True))
    for values in product(("minor", "adult", "unknown"), (False, True), range(4), (False, True))
]
LEAVES = st.one_of(
    st.builds(lambda value: Condition(AT, fact="age", is_=value), st.sampled_from(["minor", "adult", "unknown"])),
    st.builds(
        lambda some: Condition(AT, fact="age", in_=tuple(some)),
        st.lists(st.sampled_from(["minor", "adult"]), min_size=1),
    ),
    st.builds(
        lambda fact, value: Condition(AT, fact=fact, is_=value), st.sampled_from(["crisis", "question"]), st.booleans()
    ),
    st.builds(lambda value: Condition(AT, fact="sexual", gte=value), st.integers(0, 4)),
    st.builds(lambda value: Condition(AT, fact="sexual", lte=value), st.integers(0, 3)),
    st.builds(lambda value: Condition(AT, fact="sexual", is_=value), st.integers(0, 3)),
)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda parts: Condition(AT, all=tuple(parts)), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: Condition(AT, any=tuple(parts)), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda part: Condition(AT, not_=part), inner),
    ),
    max_leaves=5,
)
OUTCOMES = [
    Outcome(AT, "EMOTIONAL_SUPPORT", "ALLOW", "help"),  # type: ignore[arg-type]
    Outcome(AT, "REFUSAL", "HARD_REFUSE", "no"),  # type: ignore[arg-type]
    Outcome(AT, "REFUSAL", "SOFT_REFUSE", "no"),  # type: ignore[arg-type]
    Outcome(AT, "INFO_QA", "ALLOW"),  # type: ignore[arg-type]
]


@st.composite
def tables(draw: Any) -> RoutingDocument:
    amount = draw(st.integers(0, 4))
    rules = [
        RoutingRule(AT, f"r{index}", "so", draw(st.sampled_from(OUTCOMES)), draw(CONDITIONS)) for index in range(amount)
    ]
    default = RoutingRule(AT, "default", "so", draw(st.sampled_from(OUTCOMES)))
    return RoutingDocument(AT, (*rules, default), default)


@given(tables(), CONDITIONS)
@settings(max_examples=120, deadline=None)
def test_a_rule_of_outcomes_is_judged_as_by_trying_all(routing: RoutingDocument, when: Condition) -> None:
    test = OutcomeTest(AT, safety_policy=("ALLOW",))  # type: ignore[arg-type]
    invariant = Invariant(AT, "it", "so", when=when, then=test)
    found = {breach.rule.id: breach for breach in judged(routing, invariant) if breach.rule is not None}
    table = compile_table(routing, small.facts())
    broken: dict[str, int] = {}
    for record in RECORDS:
        rule = first_rule(table, record)
        if holds(when, record) and list(misfits(test, rule, full_outcome(rule, small.pipelines()))):
            broken[rule.id] = min(broken.get(rule.id, 9), distance(record))
    assert {name: distance(breach.record or {}) for name, breach in found.items()} == broken


@given(tables())
@settings(max_examples=80, deadline=None)
def test_reachability_is_judged_as_by_trying_all(routing: RoutingDocument) -> None:
    found = [
        breach.rule.id
        for breach in judged(routing, Invariant(AT, "it", "so", every="rule-is-reachable"))
        if breach.rule
    ]
    table = compile_table(routing, small.facts())
    fired = {first_rule(table, record).id for record in RECORDS}
    assert found == [rule.id for rule in routing.rules if rule.id not in fired]


@given(tables())
@settings(max_examples=80, deadline=None)
def test_comparisons_are_judged_as_by_trying_all_pairs(routing: RoutingDocument) -> None:
    before, after = Condition(AT, fact="age", is_="adult"), Condition(AT, fact="age", is_="minor")
    comparison = Comparison(AT, ("age",), before, after, never_looser=("safety_policy",))
    found = judged(routing, Invariant(AT, "it", "so", compare=comparison))
    table = compile_table(routing, small.facts())
    worse = set()
    for record in RECORDS:
        if record["age"] == "adult":
            one, other = first_rule(table, record), first_rule(table, {**record, "age": "minor"})
            if looser("safety_policy", one.then.safety_policy, other.then.safety_policy):
                worse.add(one.id)
    assert {breach.rule.id for breach in found if breach.rule is not None} == worse


def judged(routing: RoutingDocument, invariant: Invariant) -> Iterator[Breach]:
    invariants = InvariantsDocument(AT, (invariant,), NEUTRAL)
    for verdict in prove(invariants, small.facts(), routing, small.pipelines()):
        yield from verdict.breaches


def distance(record: FactRecord) -> int:
    return sum(record[name] != NEUTRAL[name] for name in NEUTRAL)
