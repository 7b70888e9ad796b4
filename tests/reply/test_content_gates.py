"""Gates of content that need to know the situation: memories, topics, questions, mechanics (§14)."""

from dataclasses import replace
from typing import Any

import pytest
from tests.reply.situations import PLAIN, decided, judged

from chingoo.engine.engine import Engine
from chingoo.model.enums import FollowupRate, Source, TopicID
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import GateID
from chingoo.reply.gates import check
from chingoo.reply.gates.given import gate_input
from chingoo.reply.gates.report import Surfaced, Targets

SUSHI = Surfaced("m-1", "pref:food:sushi")
CHESS = Surfaced("m-2", "pref:game:chess")
JAZZ = Surfaced("m-3", "pref:music:jazz")


# --- what it remembers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("surfaced", "more", "passes"),
    [
        ([SUSHI, CHESS], {}, True),
        ([SUSHI, CHESS, SUSHI], {}, True),
        ([SUSHI, CHESS, JAZZ], {}, False),
        ([SUSHI, CHESS, JAZZ], {"asks_recall": True}, True),
        ([SUSHI], {"source": Source.RETENTION}, True),
        ([SUSHI, CHESS], {"source": Source.RETENTION, "asks_recall": True}, False),
    ],
)
def test_personal_facts(
    bundle: Bundle, engine: Engine, surfaced: list[Surfaced], more: dict[str, Any], passes: bool
) -> None:
    """GATE-04…06."""
    report = judged(bundle, engine, "Sushi and chess and jazz.", surfaced=tuple(surfaced), **more)
    assert report.fails(GateID.PERSONAL_FACTS) is not passes


@pytest.mark.parametrize(
    ("key", "guard", "source", "passes"),
    [
        ("emotion:baseline_mood", {TopicID.MENTAL_HEALTH}, Source.CHAT, False),
        ("emotion:baseline_mood", set(), Source.CHAT, True),  # the person raised it now
        ("event:health:2026_03:knee", {TopicID.MEDICAL_HEALTH}, Source.CHAT, False),
        ("event:work:2026_03:panic_and_depression", {TopicID.MENTAL_HEALTH}, Source.CHAT, False),
        ("event:work:2026_03:promotion", {TopicID.MENTAL_HEALTH}, Source.CHAT, True),
        ("fact:current_city", {TopicID.MENTAL_HEALTH}, Source.CHAT, True),
        ("fact:current_city", set(), Source.RETENTION, False),
        ("fact:occupation", set(), Source.RETENTION, True),
        ("event:family:2026_03:visit", set(), Source.RETENTION, False),
        ("emotion:baseline_mood", set(), Source.RETENTION, False),
    ],
)
def test_sensitive_memories(
    bundle: Bundle, engine: Engine, key: str, guard: set[TopicID], source: Source, passes: bool
) -> None:
    """SAFE-12, MEM-14."""
    more = {"surfaced": (Surfaced("m-1", key),), "taboo_guard": frozenset(guard), "source": source}
    assert judged(bundle, engine, "How is it going.", **more).fails(GateID.SENSITIVE_MEMORY) is not passes


# --- topics -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "suppressed", "reply", "passes"),
    [
        ("good morning", [], "Have you paid the debt, the loan and the credit card?", False),
        ("debt, loan or credit card, which one first?", [], "The debt first, then the loan.", True),
        ("good morning", ["TRAVEL"], "The flight and the hotel sound lovely.", False),
        ("good morning", ["TRAVEL"], "The hotel sounds lovely.", False),  # one word is a mention
        ("the flight and the hotel", ["TRAVEL"], "The flight sounds lovely.", False),  # 0.65: not raised
        ("flight, hotel, itinerary: all set", ["TRAVEL"], "The flight sounds lovely.", True),
        ("good morning", [], "The flight sounds lovely.", True),
        ("good morning", [], "I hate it when the tea gets cold, so let us cut the cake.", True),  # everyday words
        ("good morning", [], "Maybe therapy would help with the depression.", False),
    ],
)
def test_topics_that_were_not_raised(
    bundle: Bundle, engine: Engine, said: str, suppressed: list[str], reply: str, passes: bool
) -> None:
    """POL-06, SAFE-12, C-02, C-04."""
    topics = [TopicID(topic) for topic in suppressed]
    given = gate_input(
        decided(engine, said, suppressed=topics),
        reply=reply,
        user_text=said,
        targets=Targets(),
        suppressed_topics=topics,
    )
    assert check(bundle, engine, given).fails(GateID.TABOO_TOPIC) is not passes


def test_a_raised_suppressed_topic_is_not_asked_about(bundle: Bundle, engine: Engine) -> None:
    """POL-09: answered, but without a question that opens it again."""
    said = "the president lost the election and the parliament votes now"
    decision = decided(engine, said, suppressed=[TopicID.POLITICS])

    def verdict(reply: str) -> bool:
        given = gate_input(decision, reply=reply, user_text=said, targets=PLAIN, suppressed_topics=[TopicID.POLITICS])
        return check(bundle, engine, given).passed

    assert verdict("The parliament votes on Friday.")
    assert not verdict("The parliament votes on Friday. Who would you vote for?")


# --- questions --------------------------------------------------------------------------------------------------------

TEA, RAIN, BREAD = "Tea first. Green or black?", "The rain has stopped.", "The bread is still warm."


@pytest.mark.parametrize(
    ("rate", "reply", "before", "passes"),
    [
        ("medium", "A walk sounds right. Which park?", [TEA], False),
        ("medium", "A walk sounds right. Which park?", [TEA, RAIN], True),
        ("low", "A walk sounds right. Which park?", [TEA, RAIN, BREAD], False),
        ("low", "A walk sounds right. Which park?", [TEA, RAIN, BREAD, RAIN], True),
        ("medium", "A walk sounds right. Which park? At what hour?", [], False),
        ("medium", "A walk sounds right.", [TEA, TEA], True),  # a reply that asks nothing is not to blame
        ("medium", "좋은 생각이에요. 어느 공원이요？", [TEA], False),
        ("medium", "فكرة جميلة. أي حديقة؟", ["هل نمت جيدا؟"], False),
    ],
)
def test_followup_rate(bundle: Bundle, engine: Engine, rate: str, reply: str, before: list[str], passes: bool) -> None:
    """C-72: the window holds the reply being judged."""
    targets = replace(PLAIN, followup=FollowupRate(rate))
    report = judged(bundle, engine, reply, targets=targets, previous_replies=tuple(before))
    assert report.fails(GateID.FOLLOWUP_RATE) is not passes


# --- mechanics --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "said", "passes"),
    [
        ("<thinking>be warm</thinking> Glad you are here.", "", False),
        ("Glad you are here. <memories>mem1", "", False),
        ("On 2026-03-02T12:00:00Z you had green tea.", "", False),
        ("You had green tea on 2026-03-02.", "", False),
        ("Good luck on 2026-05-01.", "my exam is on 2026-05-01", True),  # their own words
        ("Note 6f1c2c1e-0000-4000-8000-000000000001 says green tea.", "", False),
        ("Green tea, score: 0.87.", "", False),
        ("I am 0.9 sure, confidence of 0.93.", "", False),
        ("점수 0.87로 기억해요.", "", False),
        ("Our rapport score is 45.", "", False),
        ("Your fact:current_city is Lisbon.", "", False),
        ("My memory database says you like tea.", "", False),
        ("Green tea at half past nine, table 12.", "", True),
        ("The score was 3-2 in the end.", "", True),
        ("I <3 this, and 2 < 3.", "", True),
        ("It costs 12.50 and weighs 0.5 kilos.", "", True),
    ],
)
def test_leaked_mechanics(bundle: Bundle, engine: Engine, reply: str, said: str, passes: bool) -> None:
    """GATE-13, C-69."""
    assert judged(bundle, engine, reply, user_text=said).fails(GateID.LEAKED_MECHANICS) is not passes
