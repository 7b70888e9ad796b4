"""Why this rule, and why not that one: the comparisons that decided it, and the fewest facts that would change it."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.proof import small

from chingoo.engine.engine import Engine
from chingoo.engine.reference import holds
from chingoo.model.decision import FactRecord
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Near, Place, Sight
from chingoo.proof.explain import UnknownRuleError, why, why_not, why_unseen
from chingoo.text.normalise import normalise

EVERY_DAY: FactRecord = {"age": "adult", "crisis": False, "sexual": 0, "question": False}
ANSWERS = [
    ("what holds", {"crisis": True}, "crisis", "crisis decides: help first\n  crisis is true"),
    (
        "what does not hold",
        {"sexual": 1},
        "minor",
        "minor does not hold:\n  age is adult (asked: minor or unknown)\n  it would decide if age is minor",
    ),
    (
        "every part that fails",
        {},
        "minor",
        """minor does not hold:
  sexual is 0 (asked: at least 1)
  age is adult (asked: minor or unknown)
  it would decide if age is minor, sexual is 1""",
    ),
    (
        "a not",
        {"question": True, "sexual": 2},
        "question",
        "question does not hold:\n  sexual is 2 (asked: at least 2)\n  it would decide if sexual is 1",
    ),
    (
        "what comes before",
        {"crisis": True, "question": True},
        "question",
        "question would hold, but crisis comes before it: help first\n  it would decide if crisis is false",
    ),
    (
        "the default",
        {"crisis": True},
        "chat",
        "chat would hold, but crisis comes before it: help first\n  it would decide if crisis is false",
    ),
]


@pytest.mark.parametrize(("facts", "rule", "told"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_answers(facts: FactRecord, rule: str, told: str) -> None:
    assert why_not(small.routing(), small.facts().facts, {**EVERY_DAY, **facts}, rule).told() == told


def test_the_rule_that_decides_gives_the_same_answer_to_both_questions() -> None:
    record = {**EVERY_DAY, "crisis": True}
    assert why(small.routing(), record) == why_not(small.routing(), small.facts().facts, record, "crisis")


def test_a_rule_that_nothing_would_help() -> None:
    hidden = "  - id: hidden\n    when: {fact: crisis, is: true}\n    then: {pipeline: INFO_QA, safety_policy: ALLOW}\n"
    table = small.routing(small.ROUTING.replace("  - id: minor\n", f"{hidden}    because: late\n  - id: minor\n"))
    answer = why_not(table, small.facts().facts, EVERY_DAY, "hidden")
    assert answer.told().endswith("no change of facts would make it decide")


def test_an_unknown_rule() -> None:
    with pytest.raises(UnknownRuleError):
        why_not(small.routing(), small.facts().facts, EVERY_DAY, "hiden")


RECORDS: list[FactRecord] = [
    dict(zip(EVERY_DAY, values, strict=True))
    for values in product(("minor", "adult", "unknown"), (False, True), range(4), (False, True))
]


@given(st.sampled_from(RECORDS), st.sampled_from(["crisis", "minor", "question", "chat"]))
def test_what_it_would_take_is_enough_and_as_little_as_possible(record: FactRecord, name: str) -> None:
    routing = small.routing()
    answer = why_not(routing, small.facts().facts, record, name)
    if answer.fired:
        return
    assert answer.would_take is not None
    changed = {**record, **answer.would_take}
    decides = next(rule for rule in routing.rules if rule.when is None or holds(rule.when, changed))
    assert decides.id == name
    nearer = [
        other
        for other in RECORDS
        if sum(other[fact] != record[fact] for fact in record) < len(answer.would_take)
        and next(rule for rule in routing.rules if rule.when is None or holds(rule.when, other)).id == name
    ]
    assert nearer == []


AT = Place("policies/safety.yaml", 1, 1)
UNSEEN = [
    ("good morning", ("no word of safety.you_are and none of safety.insults",)),
    ("you are kind", ("no word of safety.insults",)),
    (
        "stupid rain, you are lucky",
        ("`you are`, `stupid` are there, but not within 6 words in this order",),
    ),
    ("you are stupid", ()),
    ("you are not stupid", ("`you're not stupid` of the list safety.not_meant calls it off",)),
]


@pytest.mark.parametrize(("text", "wanted"), UNSEEN)
def test_why_words_were_not_seen(engine: Engine, text: str, wanted: tuple[str, ...]) -> None:
    near = Near(AT, ("safety.you_are", "safety.insults"), within=6, ordered=True)
    sight = Sight(AT, (near,), none=("safety.not_meant",))
    assert why_unseen(sight, engine.matcher.scan(normalise(text))) == wanted


def test_every_shipped_rule_can_be_asked_about(bundle: Bundle) -> None:
    record: FactRecord = {
        name: decl.members[0] if decl.type == "enum" else False if decl.type == "boolean" else 0
        for name, decl in bundle.facts.facts.items()
    }
    for rule in bundle.routing.rules:
        answer = why_not(bundle.routing, bundle.facts.facts, record, rule.id)
        assert answer.fired or answer.would_take
