"""Words that need no normalising are told by their letters alone; those letters must stay as they are."""

from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.normalise import _NORMAL, match_form, normalise

LETTERS = [letter for letter in map(chr, range(0x11000)) if _NORMAL(letter)]


def test_each_letter_is_its_own_matching_form() -> None:
    assert [letter for letter in LETTERS if normalise(letter).match != letter] == []


words = st.text(st.sampled_from(LETTERS), min_size=1)
parted = st.tuples(st.sampled_from(" '"), words).map("".join)


@given(st.tuples(words, st.lists(parted).map("".join)).map("".join))
def test_words_of_them_are_their_own_matching_form(text: str) -> None:
    assert _NORMAL(text)
    assert normalise(text).match == text == match_form(text)


@given(st.text(st.sampled_from("aœ 'я이")))
def test_what_is_told_to_be_normal_is(text: str) -> None:
    assert not _NORMAL(text) or normalise(text).match == text
