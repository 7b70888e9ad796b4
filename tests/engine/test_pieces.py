"""Pieces of words: which a text holds, and what they weigh together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.engine.pieces import Pieces, pieces_of

texts = st.lists(st.text("ab'я죽", min_size=1, max_size=7), max_size=6).map(" ".join)
weights = st.dictionaries(st.text("ab_я죽'", min_size=2, max_size=6), st.integers(-300, 300), max_size=30)


def test_a_piece_has_two_to_six_letters_and_knows_the_edges_of_its_word() -> None:
    assert pieces_of("ab c") == ["_a", "_ab", "_ab_", "ab", "ab_", "b_", "_c", "_c_", "c_"]
    assert pieces_of("pillows")[-1] == "s_"
    assert max(map(len, pieces_of("pillows"))) == 6


def sums(pieces: Pieces, text: str) -> tuple[int, ...]:
    (whole,) = pieces.sums(text, [0] * (text.count(" ") + 1), [(0, 0)])
    return whole


def test_a_piece_counts_once_however_often_it_stands_there() -> None:
    pieces = Pieces([{"_pill": 5, "ow": 7}, {"low_": -2}])
    assert sums(pieces, "my pillow") == (12, -2)
    assert sums(pieces, "pillow on pillow now") == (12, -2)
    assert sums(pieces, "") == (0, 0)
    assert sums(pieces, "a caterpillar") == (0, 0)  # not at the beginning of a word


def test_a_piece_counts_once_in_each_sentence() -> None:
    pieces = Pieces([{"_a_": 1, "_b_": 10, "_c_": 100}])
    assert pieces.sums("a b c", [0, 1, -1], [(0,)] * 3) == [(11,), (1,), (10,)]  # -1: left out
    assert pieces.sums("a b a c a a", [0, 0, 1, 1, 1, 2], [(0,)] * 4) == [(111,), (11,), (101,), (1,)]
    assert pieces.sums("a b c", [0, 1, 2], [(0,)] * 2) == [(111,), (1,)]


def test_what_else_weighs_is_added() -> None:
    pieces = Pieces([{"_a_": 1}, {"_b_": 10}])
    assert pieces.sums("a b", [0, 1], [(500, -7), (-1, 0), (0, 3)]) == [(501, 3), (0, 0), (0, 13)]


@given(texts, weights, weights)
def test_the_sum_is_that_of_the_pieces_the_text_holds(text: str, one: dict[str, int], other: dict[str, int]) -> None:
    held = pieces_of(text)
    wanted = tuple(sum(part.get(piece, 0) for piece in held) for part in (one, other))
    assert sums(Pieces([one, other]), text) == wanted


@given(texts, weights, st.data())
def test_the_sum_of_a_sentence_is_that_of_the_pieces_in_it(text: str, one: dict[str, int], data: st.DataObject) -> None:
    numbers = sorted(data.draw(st.integers(0, 3)) for _ in text.split(" "))
    numbers = [data.draw(st.sampled_from([number, -1])) for number in numbers]
    sentences = [None, *range(4)]
    held = [pieces_of(text, numbers) if one is None else pieces_of(text, numbers, one) for one in sentences]
    wanted = [(sum(one.get(piece, 0) for piece in pieces),) for pieces in held]
    assert Pieces([one]).sums(text, numbers, [(0,)] * 5) == wanted


@given(texts, st.data())
def test_the_parts_of_a_text_hold_what_the_whole_does(text: str, data: st.DataObject) -> None:
    words = text.split(" ")
    numbers = [data.draw(st.integers(-1, 2)) for _ in words]
    apart = [set(pieces_of(text, numbers, number)) for number in range(3)]
    assert set().union(*apart) == set(pieces_of(text, numbers))
    assert set(pieces_of(text, [0] * len(words))) == set(pieces_of(text))


@pytest.mark.parametrize("piece", ["a", "_abcdef"])
def test_a_piece_too_short_or_too_long_is_refused(piece: str) -> None:
    with pytest.raises(ValueError, match="2 to 6 letters"):
        Pieces([{piece: 1}])
