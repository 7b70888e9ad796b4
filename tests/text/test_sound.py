"""Spellings of one sound are alike, and words stay words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.sound import Sounds

SOUNDS = Sounds(
    {"kh": "x", "5": "x", "oo": "u", "o": "u", "e": "a", "i": "a", "2": "", "^y": "ja", "^ye": "ja", "ah$": "a"}
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("khalas", "5alas"),
        ("moot", "mot"),
        ("badde", "badi"),
        ("2albe", "albi"),
        ("ymot", "yemoot"),
        ("bokra", "bokrah"),
    ],
)
def test_spellings_of_one_sound_are_alike(one: str, other: str) -> None:
    assert SOUNDS(one) == SOUNDS(other)


def test_marks_hold_at_the_edges_of_words_only() -> None:
    assert SOUNDS("ay mahal") == "ay mahal"


def test_a_table_of_nothing_changes_nothing_but_doubles() -> None:
    assert Sounds({})("all") == "al"


@given(st.text(alphabet="abkho25ye '"))
def test_as_many_spaces_are_left_as_there_were(text: str) -> None:
    spaced = " ".join(text.split())
    assert SOUNDS(spaced).count(" ") == spaced.count(" ")
