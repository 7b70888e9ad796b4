"""Slugs for keys (NORM-10) and token estimates for budgets (C-29)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.budget import estimate_tokens
from chingoo.text.slug import LONGEST, slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Green Tea ", "green_tea"),
        ("rock'n'roll!", "rocknroll"),
        ("떡볶이 좋아", "떡볶이_좋아"),
        ("Ｓｕｓｈｉ", "sushi"),
        ("a_b - c", "a_b__c"),
        ("🙂", ""),
    ],
)
def test_slug(text: str, expected: str) -> None:
    assert slug(text) == expected


@given(st.text(max_size=120))
def test_slugs_are_short_and_stable(text: str) -> None:
    made = slug(text)
    assert len(made) <= LONGEST
    assert slug(text) == made
    assert " " not in made


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("안녕하세요", 3), ("привет", 3)])
def test_token_estimate_for_budgets(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
