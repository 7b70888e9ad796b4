"""Valence and emotion tags (C-64, REL-04)."""

import pytest
from tests.engine.conftest import Decide


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("this is the happiest day of my life, everything is wonderful", 0.6, 1),
        ("this is a terrible, miserable, horrible day", -1, -0.6),
        ("the train stops at four stations", 0, 0),
        ("not happy", -0.6, -0.2),
        ("very happy", 0.45, 0.7),
        ("a bit sad", -0.45, -0.2),
        ("i like sushi", 0.2, 0.59),
        ("i love old maps", 0.2, 0.59),
        ("I am absolutely devastated, heartbroken and miserable", -1, -0.6),
        ("오늘 너무 행복해", 0.4, 1),
        ("기분이 좋지 않아", -0.6, -0.1),
        ("мне так грустно и страшно", -1, -0.4),
        ("estoy muy triste", -1, -0.3),
        ("ich bin so glücklich", 0.3, 1),
        ("ma cousine a eu un bébé", 0.2, 1),
        ("ma sono felice", 0.2, 1),
        ("je ne suis pas content", -1, -0.2),
        ("non sono felice", -1, -0.2),
        ("c'est pas cool", -1, -0.1),
        ("ma mabsout", -1, -0.2),
    ],
)
def test_sign_and_size(text: str, low: float, high: float, decide: Decide) -> None:
    assert low <= decide(text).signals.valence <= high


def test_a_question_of_taste_is_no_feeling(decide: Decide) -> None:
    signals = decide("do you like winter?").signals
    assert (signals.valence, signals.emotion_tags) == (0.0, ("asks_taste",))


def test_tags(decide: Decide) -> None:
    assert decide("I am sad").signals.emotion_tags == ("sadness",)
    assert decide("I feel lonely").signals.emotion_tags == ("loneliness",)
    assert decide("I am not sad").signals.emotion_tags == ()
    assert decide("thank you so much").signals.emotion_tags == ("gratitude",)
    assert "strong_negative" in decide("devastated, heartbroken, miserable").signals.emotion_tags
    assert "strong_positive" in decide("amazing, wonderful, fantastic").signals.emotion_tags
