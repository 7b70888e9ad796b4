"""Changes of single letters, each beside the regular expression that says the same."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.letterwise import Plainer, undoubled

PLAIN = {"é": "e", "ǧ": "g", "я": "y"}
DOUBLED, ACCENTED = re.compile(r"(\w)(?=\1)"), re.compile("[éǧя]")
plainer = Plainer(PLAIN)
texts = st.text(st.sampled_from("ab éèǧя죽_'\n1²\ud800\U0001d400")) | st.text()


def same(one: str, other: str) -> bool:
    """Whether texts are the same also in what Python keeps beside their letters."""
    return one == other and hash(one) == hash(other) and one.isascii() == other.isascii()


@given(texts)
def test_other_letters_are_put_for_some(text: str) -> None:
    assert same(plainer(text), ACCENTED.sub(lambda letter: PLAIN[letter[0]], text))


@given(texts)
def test_runs_of_a_letter_become_one(text: str) -> None:
    assert same(undoubled(text), DOUBLED.sub("", text))


def test_every_letter_may_be_doubled() -> None:
    assert all(same(undoubled(letter * 3), DOUBLED.sub("", letter * 3)) for letter in map(chr, range(0x110000)))


@pytest.mark.parametrize("text", ["", "plain", "이것", "a '' b"])
def test_a_text_with_nothing_to_change_is_given_back(text: str) -> None:
    assert plainer(text) is text
    assert undoubled(text) is text
