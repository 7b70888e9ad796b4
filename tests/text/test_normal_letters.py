"""Words that need no normalising are told by their letters alone; those letters must stay as they are."""

from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.normalise import _NORMAL, normalise

LETTERS = [letter for letter in map(chr, range(0x11000)) if _NORMAL(letter)]


def test_each_letter_is_its_own_matching_form() -> None:
    assert [letter for letter in LETTERS if normalise(letter).match != letter] == []


@given(st.lists(st.text(st.sampled_from(LETTERS), min_size=1), min_size=1).map(" ".join))
def test_words_of_them_are_their_own_matching_form(text: str) -> None:
    assert normalise(text).match == text
