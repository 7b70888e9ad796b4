"""What changed between two bundles, in words; and which decisions flip, and by how much."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from chingoo.engine.engine import Engine, build_engine
from chingoo.model.decision import EvaluationInput
from chingoo.model.enums import AgeBand, Language, SafetyPolicy
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry, Place
from chingoo.policy.documents.routing import Condition
from chingoo.proof.diff import diff
from chingoo.proof.flips import Budget, BudgetError, flips, parse_budget

AT = Place("policies/x.yaml", 1, 1)
NEUTRAL = {"user_state": "ACTIVE", "age_band": "25-34"}
MINOR = "routing.minor-sexual-content"


def with_rule(bundle: Bundle, name: str, **changes: Any) -> Bundle:
    rules = tuple(replace(rule, **changes) if rule.id == name else rule for rule in bundle.routing.rules)
    return replace(bundle, routing=replace(bundle.routing, rules=rules))


def without_rule(bundle: Bundle, name: str) -> Bundle:
    rules = tuple(rule for rule in bundle.routing.rules if rule.id != name)
    return replace(bundle, routing=replace(bundle.routing, rules=rules))


def with_words(
    bundle: Bundle, name: str, language: str, change: Callable[[tuple[Entry, ...]], tuple[Entry, ...]]
) -> Bundle:
    listed = bundle.topics.lists[name]
    words = replace(listed, entries={**listed.entries, language: change(listed.entries[language])})
    return replace(bundle, topics=replace(bundle.topics, lists={**bundle.topics.lists, name: words}))


def told(before: Bundle, after: Bundle) -> list[str]:
    return [change.told() for change in diff(before, after, dict(NEUTRAL)).changes]


def test_the_same_policies_say_the_same(bundle: Bundle) -> None:
    assert diff(bundle, bundle).told() == "nothing changed"


def test_a_rule_removed_is_told_and_what_follows_takes_over(bundle: Bundle) -> None:
    lines = told(bundle, without_rule(bundle, "routing.threat"))
    assert lines[0] == "rule routing.threat: removed (no part in threats of violence)"
    assert "rule routing.friend-chat: widened (now also decides when threat is true)" in lines


def test_a_rule_added_takes_from_those_behind_it(bundle: Bundle) -> None:
    lines = told(without_rule(bundle, "routing.threat"), bundle)
    assert "rule routing.threat: added (no part in threats of violence)" in lines
    assert "rule routing.friend-chat: narrowed (no longer decides when threat is true)" in lines


def test_a_condition_that_holds_less_often_is_loosened(bundle: Bundle) -> None:
    rule = next(rule for rule in bundle.routing.rules if rule.id == MINOR)
    narrower = Condition(AT, all=(Condition(AT, fact="sexual", gte=2), *filter(None, [rule.when])))
    lines = told(bundle, with_rule(bundle, MINOR, when=narrower))
    assert any(line.startswith(f"rule {MINOR}: loosened (no longer decides when age_band is 13-17") for line in lines)
    back = told(with_rule(bundle, MINOR, when=narrower), bundle)
    assert any(line.startswith(f"rule {MINOR}: tightened (now also decides when age_band is 13-17") for line in back)


def test_an_outcome_that_allows_more_is_loosened(bundle: Bundle) -> None:
    rule = next(rule for rule in bundle.routing.rules if rule.id == "routing.hate")
    softer = with_rule(bundle, "routing.hate", then=replace(rule.then, safety_policy=SafetyPolicy.SOFT_REFUSE))
    assert told(bundle, softer) == ["rule routing.hate: loosened (safety_policy from HARD_REFUSE to SOFT_REFUSE)"]
    assert told(softer, bundle) == ["rule routing.hate: tightened (safety_policy from SOFT_REFUSE to HARD_REFUSE)"]


def test_a_condition_only_written_otherwise_is_no_change(bundle: Bundle) -> None:
    rule = next(rule for rule in bundle.routing.rules if rule.id == "routing.hate")
    twice = Condition(AT, not_=Condition(AT, not_=rule.when))
    assert told(bundle, with_rule(bundle, "routing.hate", when=twice)) == []


def test_rules_in_another_order(bundle: Bundle) -> None:
    rules = list(bundle.routing.rules)
    one, other = (
        next(i for i, rule in enumerate(rules) if rule.id == f"routing.{name}") for name in ("hate", "threat")
    )
    rules[one], rules[other] = rules[other], rules[one]
    lines = told(bundle, replace(bundle, routing=replace(bundle.routing, rules=tuple(rules))))
    assert lines == [
        "rule routing.threat: tightened (now also decides when hate is true, threat is true)",
        "rule routing.hate: loosened (no longer decides when hate is true, threat is true)",
    ]


def test_words_added_and_removed(bundle: Bundle) -> None:
    changed = with_words(bundle, "topics.travel", "en", lambda words: (*words[1:], Entry("ferry", AT)))
    first = bundle.topics.lists["topics.travel"].entries["en"][0].text
    assert told(bundle, changed) == [
        "words topics.travel en: added (`ferry`)",
        f"words topics.travel en: removed (`{first}`)",
    ]


def test_replies_changed(bundle: Bundle) -> None:
    english = bundle.replies[Language.EN]
    reply = english.replies["refusal.created"]
    shorter = replace(english, replies={**english.replies, "refusal.created": replace(reply, variants=("Later.",))})
    lines = told(bundle, replace(bundle, replies={**bundle.replies, Language.EN: shorter}))
    assert lines[0] == "reply replies en replies refusal.created: added (`Later.`)"
    assert lines[1].startswith("reply replies en replies refusal.created: removed (`")


def test_numbers_changed_anywhere(bundle: Bundle) -> None:
    changed = replace(bundle, crisis=replace(bundle.crisis, context=replace(bundle.crisis.context, distinct_now=4)))
    assert told(bundle, changed) == ["policy crisis context distinct_now: changed (from 3 to 4)"]


# Flips


@pytest.fixture(scope="module")
def without_threats(bundle: Bundle) -> Iterator[Engine]:
    engine = build_engine(replace(without_rule(bundle, "routing.threat"), digest="0" * 64))
    yield engine
    engine.close()


def said(*texts: str, age_band: AgeBand = AgeBand.B25_34) -> list[EvaluationInput]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [EvaluationInput(text, at, age_band=age_band) for text in texts]


def test_flips_are_counted_every_way(engine: Engine, without_threats: Engine) -> None:
    given = said("good morning", "the election", "I will kill him", "I will murder her in the kitchen")
    given += said("I will kill him", age_band=AgeBand.B13_17)
    report = flips(engine, without_threats, given)
    assert (report.messages, report.flips) == (5, 3)
    assert report.by_way == {"REFUSAL HARD_REFUSE → FRIEND_CHAT ALLOW": 3}
    assert report.by_topic == {"VIOLENCE": 3}
    assert report.by_language == {"en": 3}
    assert report.by_age_band == {"25-34": 2, "13-17": 1}
    assert report.shares["refusals"] == (60.0, 0.0)
    assert report.shares["flips"] == (0.0, 60.0)
    assert [flip.given.text for flip in report.samples] == [
        "I will kill him",
        "I will murder her in the kitchen",
        "I will kill him",
    ]


def test_no_messages_no_flips(engine: Engine, without_threats: Engine) -> None:
    report = flips(engine, without_threats, [])
    assert (report.messages, report.flips, report.exceeded([parse_budget("refusals=0%")])) == (0, 0, ())


BUDGETS = [
    ("refusals=+0.2%", Budget("refusals", "+", 0.2)),
    ("refusals=-1%", Budget("refusals", "-", 1.0)),
    ("crises=0.5%", Budget("crises", "", 0.5)),
    (" flips=+2% ", Budget("flips", "+", 2.0)),
    ("friend_chat=-3%", Budget("friend_chat", "-", 3.0)),
]


@pytest.mark.parametrize(("written", "wanted"), BUDGETS)
def test_budgets_are_read(written: str, wanted: Budget) -> None:
    assert parse_budget(written) == wanted


@pytest.mark.parametrize("written", ["", "refusals", "refusals=2", "refusals=+x%", "refuse=+2%", "REFUSALS=+2%"])
def test_budgets_that_are_none(written: str) -> None:
    with pytest.raises(BudgetError):
        parse_budget(written)


ALLOWED = [
    ("+", 0.2, True),
    ("+", 0.3, False),
    ("+", -5.0, True),
    ("-", -0.3, False),
    ("-", 5.0, True),
    ("", -0.3, False),
]


@pytest.mark.parametrize(("sign", "change", "wanted"), ALLOWED)
def test_budgets_limit_one_way_or_both(sign: str, change: float, wanted: bool) -> None:
    assert Budget("refusals", sign, 0.2).allows(change) is wanted


def test_an_exceeded_budget_is_told(engine: Engine, without_threats: Engine) -> None:
    report = flips(without_threats, engine, said("good morning", "I will kill him"))
    assert report.exceeded([parse_budget("refusals=+0.2%"), parse_budget("crises=0%")]) == (
        "refusals: 0.00% to 50.00% of all messages, allowed are +0.2 points",
    )
