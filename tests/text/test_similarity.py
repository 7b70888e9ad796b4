"""Openers and likeness of replies (GATE-07, GATE-09)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.similarity import jaccard, opener_norm, trigrams


def test_opener_is_twelve_tokens_without_leading_emoji_case_and_marks() -> None:
    assert opener_norm("🙂 👍🏽 Hello, World! it's ME") == "hello world it's me"
    assert opener_norm("a " * 20) == " ".join("a" * 12)
    assert opener_norm("École") == "École"


@pytest.mark.parametrize(
    ("a", "b", "likeness"),
    [("a b c d", "a b c d", 1.0), ("a b c d", "a b c e", 1 / 3), ("a b", "a b", 0.0), ("", "a b c", 0.0)],
)
def test_likeness(a: str, b: str, likeness: float) -> None:
    assert jaccard(trigrams(a), trigrams(b)) == pytest.approx(likeness)


@given(st.text(max_size=40), st.text(max_size=40))
def test_likeness_is_symmetric_and_bounded(a: str, b: str) -> None:
    one, other = trigrams(a), trigrams(b)
    assert 0.0 <= jaccard(one, other) == jaccard(other, one) <= 1.0
