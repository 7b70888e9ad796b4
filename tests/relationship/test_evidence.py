"""What one message says about the relationship (REL-02…06, C-29, C-30)."""

from datetime import UTC, datetime

import pytest

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import EvaluationInput, Signals
from chingoo.policy.bundle import Bundle
from chingoo.relationship.evidence import Evidence, asks, gather_evidence

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ASKED = "That sounds nice. What was the best part of it?"
TOLD = "That sounds nice."


def signals(engine: Engine, text: str) -> Signals:
    return evaluate(engine, EvaluationInput(text=text, received_at=NOON)).signals


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("there is a blue chair near the window", TOLD, Evidence()),
        ("on most days i like sushi", TOLD, Evidence(preferences=1)),
        ("when i am bored i like sushi and i like jazz", TOLD, Evidence(preferences=2)),
        ("last time the blue chair was near the window", TOLD, Evidence(past_reference=True)),
        ("like we said the lamp is green", TOLD, Evidence(past_reference=True)),
        # REL-03: ten words, after a question
        ("it was the blue chair near the window in the corner", ASKED, Evidence(answered=True)),
        ("it was the blue chair near the window there", ASKED, Evidence()),
        ("it was the blue chair near the window in the corner", TOLD, Evidence()),
        ("it was the blue chair near the window in the corner", None, Evidence()),
        # REL-04
        ("I am absolutely devastated, heartbroken, miserable and terribly sad", TOLD, Evidence(disclosed=True)),
        # REL-06, C-30: short or listed, unless it earns something
        ("ok", TOLD, Evidence(disengaged=True)),
        ("OK!", TOLD, Evidence(disengaged=True)),
        ("the green lamp", TOLD, Evidence(disengaged=True)),
        ("it is a chair", TOLD, Evidence()),
        ("i like tea", TOLD, Evidence(preferences=1)),
        ("ㅇㅋ", TOLD, Evidence(disengaged=True)),
        ("🙂", TOLD, Evidence(disengaged=True)),
    ],
)
def test_evidence_of_a_message(
    bundle: Bundle, engine: Engine, text: str, before: str | None, expected: Evidence
) -> None:
    assert gather_evidence(bundle.relationship.limits, signals(engine, text), before) == expected


def test_a_crisis_is_marked_as_one(bundle: Bundle, engine: Engine) -> None:
    """C-81: the update scores nothing then, whatever else was seen."""
    seen = gather_evidence(
        bundle.relationship.limits, signals(engine, "remember last time, i want to kill myself"), TOLD
    )
    assert seen.crisis


@pytest.mark.parametrize(
    ("reply", "asked"),
    [(ASKED, True), (TOLD, False), ("정말？", True), ("هل نمت جيدا؟ أتمنى ذلك.", True), (None, False), ("", False)],
)
def test_whether_a_reply_asked(reply: str | None, asked: bool) -> None:
    assert asks(reply) is asked
