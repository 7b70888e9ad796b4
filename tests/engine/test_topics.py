"""Topics: exact counting, whole words, and what the reply must not introduce (§2)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.engine.conftest import Decide

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.engine.topics import TopicReader, sureness
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand, Role, TopicID
from chingoo.policy.bundle import Bundle


@pytest.mark.parametrize(
    ("hits", "confidence", "initiated"),
    [(1, 0.50, False), (2, 0.65, False), (3, 0.80, True), (4, 0.95, True), (5, 1.0, True), (9, 1.0, True)],
)
def test_confidence(hits: int, confidence: float, initiated: bool, bundle: Bundle) -> None:
    """TOPIC-03, TOPIC-07."""
    assert sureness(hits, bundle.topics.confidence) == (confidence, initiated)


@pytest.mark.parametrize(
    ("text", "topic", "hits"),
    [
        ("the president lost the election", TopicID.POLITICS, ["president", "election"]),
        ("casino, casino and CASINO", TopicID.GAMBLING, ["casino"]),
        ('(casino!) "bet"?', TopicID.GAMBLING, ["casino", "bet"]),
        ("a leaflet on self-harm", TopicID.SELF_HARM, ["self harm"]),
        ("that’s what she said", TopicID.SEXUAL_JOKES, ["that's what she said"]),
        ("정치를 두고 진보와 보수가", TopicID.POLITICS, ["정치", "진보", "보수"]),
        ("부모님 댁", TopicID.FAMILY, ["부모"]),
        ("19금 드립", TopicID.SEXUAL_JOKES, ["19금", "드립"]),
        ("a quiet cas\u200bino", TopicID.GAMBLING, ["casino"]),
        ("elecciones y parlamento", TopicID.POLITICS, ["elecciones", "parlamento"]),
    ],
)
def test_hits(text: str, topic: TopicID, hits: list[str], decide: Decide) -> None:
    found = {match.topic: match for match in decide(text, age_band=AgeBand.B25_34).signals.topics}
    assert list(found[topic].hits) == hits


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("that is a cute hat", TopicID.SELF_HARM),
        ("tomorrow will be better", TopicID.GAMBLING),
        ("정치인이 왔다", TopicID.POLITICS),
        ("친구와 약속", TopicID.MEDICAL_HEALTH),
        ("새로운 기술", TopicID.SUBSTANCES),
        ("만두를 빚었다", TopicID.PERSONAL_FINANCE),
        ("오늘 드립이 웃겼다", TopicID.SEXUAL_JOKES),
    ],
)
def test_words_inside_words_are_no_hits(text: str, topic: TopicID, decide: Decide) -> None:
    """TOPIC-05, C-03."""
    assert topic not in {match.topic for match in decide(text).signals.topics}


def test_a_word_counts_for_every_topic_that_lists_it(decide: Decide) -> None:
    """TOPIC-06."""
    assert {match.topic for match in decide("kill myself").signals.topics} == {TopicID.VIOLENCE, TopicID.SELF_HARM}


def test_sensitive_suppressed_and_taboo_topics_are_guarded_until_raised_this_turn(decide: Decide) -> None:
    """SAFE-12, POL-06, C-04."""
    plain = decide(
        "good morning", suppressed_topics=frozenset({TopicID.TRAVEL}), taboo_soft_bounds=frozenset({TopicID.RELIGION})
    )
    assert {TopicID.SELF_HARM, TopicID.VIOLENCE, TopicID.TRAVEL, TopicID.RELIGION} <= set(plain.taboo_guard)
    assert TopicID.FAMILY not in plain.taboo_guard
    two = decide("the medicine for these symptoms")
    assert TopicID.MEDICAL_HEALTH in two.taboo_guard
    three = decide("the diagnosis, the symptoms and the medicine")
    assert TopicID.MEDICAL_HEALTH not in three.taboo_guard
    earlier = (Utterance(Role.USER, "the president lost the election in parliament"),)
    later = decide("good morning", suppressed_topics=frozenset({TopicID.POLITICS}), history=earlier)
    assert TopicID.POLITICS in later.taboo_guard


def test_the_literal_rule_guards_ordinary_topics_outside_the_window(bundle: Bundle, engine: Engine) -> None:
    """TOPIC-08 with the switch of C-02 off."""
    literal = replace(engine, topics=TopicReader(replace(bundle.topics, answering_is_not_introducing=False)))
    given = EvaluationInput(
        "it leaves at noon",
        datetime(2026, 3, 2, tzinfo=UTC),
        history=(Utterance(Role.USER, "the flight, the hotel, the itinerary"), Utterance(Role.ASSISTANT, "ready?")),
    )
    assert TopicID.TRAVEL not in evaluate(literal, given).taboo_guard
    assert TopicID.FAMILY in evaluate(literal, given).taboo_guard
    assert TopicID.TRAVEL in evaluate(literal, replace(given, history=())).taboo_guard
