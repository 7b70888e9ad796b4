"""What of a message is heard apart."""

from hypothesis import given
from hypothesis import strategies as st

from chingoo.hearing.parts import LONGEST_PART, LONGEST_WHOLE, MOST_PARTS, parts_of


def test_one_sentence_is_heard_once() -> None:
    assert parts_of(" the tram was late ") == ["the tram was late"]
    assert parts_of("really?!") == ["really?!"]


def test_several_are_heard_together_and_apart() -> None:
    assert parts_of("Hi! The tram was late.\n😀") == ["Hi! The tram was late.\n😀", "Hi!", "The tram was late."]


def test_a_long_message_is_heard_in_parts_alone() -> None:
    text = "so it goes on and on " * 60
    parts = parts_of(text)
    assert text.strip() not in parts
    assert " ".join(parts) == text.strip()


def test_a_word_without_end_is_cut() -> None:
    assert "".join(parts_of("a" * 1000)) == "a" * 1000


@given(st.text(alphabet=st.sampled_from("ab. \n!?한"), max_size=5000))
def test_the_work_is_bounded_and_no_word_is_lost(text: str) -> None:
    parts = parts_of(text)
    apart = [part for part in parts if part != text.strip()]
    assert len(parts) <= MOST_PARTS + 1
    assert all(len(part) <= max(LONGEST_WHOLE, 2 * LONGEST_PART + len(text) // MOST_PARTS * 2) for part in parts)
    letters = [sign for sign in text if sign.isalpha()]
    heard = [sign for part in (apart or parts) for sign in part if sign.isalpha()]
    assert heard == letters
