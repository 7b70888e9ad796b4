"""Where sentences end (GATE-11, C-27)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.sentences import sentence_ends, split_sentences

ABBREVIATIONS = frozenset({"mr", "dr", "e.g", "vs"})


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Hello... World! ok?? 🙂", ["Hello...", "World!", "ok??"]),
        ("Mr. Smith paid 3.5 dollars. Fine", ["Mr. Smith paid 3.5 dollars.", "Fine"]),
        ("See https://a.b/c?d=e. Next", ["See https://a.b/c?d=e.", "Next"]),
        ("Mail me at a.b@c.de. Or not!", ["Mail me at a.b@c.de.", "Or not!"]),
        (
            "e.g. this. J. R. Smith is in the U.S. now. So do I. Yes",
            [
                "e.g. this.",
                "J. R. Smith is in the U.S. now.",
                "So do I.",
                "Yes",
            ],
        ),
        ("좋아요.그래요! 뭐해？", ["좋아요.", "그래요!", "뭐해？"]),
        ("هل؟ نعم؛ لا", ["هل؟", "نعم؛", "لا"]),
        ("node.js is nice. end.Start", ["node.js is nice.", "end.", "Start"]),
        ('She said "yes." Then left', ['She said "yes."', "Then left"]),
        ("🙂", ["🙂"]),
        ("  ", []),
    ],
)
def test_splitting(text: str, sentences: list[str]) -> None:
    assert split_sentences(text, ABBREVIATIONS) == sentences


@given(st.text(st.sampled_from("aB .!?…。\"' 1/@-\n가"), max_size=80))
def test_no_word_is_lost(text: str) -> None:
    joined = "".join(split_sentences(text, ABBREVIATIONS))
    assert [char for char in joined if char.isalnum()] == [char for char in text if char.isalnum()]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("no end here", []),
        ("one. two!! three", [4, 10]),
        ("one\ntwo", [4]),
        ("it is 3.5 at node.js", []),
        ("끝. 시작", [2]),
    ],
)
def test_where_sentences_and_lines_end(text: str, ends: list[int]) -> None:
    assert sentence_ends(text) == ends
