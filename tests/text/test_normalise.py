"""Normalisation (§1): the forms, their stability, and the way back to the raw text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.normalise import normalise
from chingoo.text.offsets import Offsets
from chingoo.text.runs import match_runs

ODD = st.text(
    st.one_of(
        st.sampled_from(list("ab'’ \t\u200b\u0301\ufe0f.,!-$~🙂💀ﬁ…①ﷺ가각ㅋأـَё İßA\u02bc\ufeff")),
        st.characters(),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("raw", "norm", "no_punct", "remark"),
    [
        ("ＨＥＬＬＯ　Ｗｏｒｌｄ？", "hello world?", "hello world", "NORM-06: full width folds before lower-casing"),
        ("ПРИВЕТ Sam, E\u0301COLE", "ПРИВЕТ sam, École", "ПРИВЕТ sam École", "NORM-02: ASCII letters only"),
        ("  so \t many\n\n  gaps\u00a0here ", "so many gaps here", "so many gaps here", "NORM-02: whitespace"),
        ("a se\u200bcret \ufeffpl\u200can\u200b", "a secret plan", "a secret plan", "NORM-02: zero width"),
        ("ki\u00adll", "kill", "kill", "soft hyphens are invisible"),
        ("①st ﬁne…", "1st fine...", "1st fine", "NORM-06: compatibility forms"),
        ("I’m sure itʼs ok", "i'm sure it's ok", "i'm sure it's ok", "C-06: one kind of apostrophe"),
        ("‘tis ＇", "'tis '", "'tis '", "C-06: opening and full-width ones too"),
        ("self-made/hand_sewn", "self-made/hand_sewn", "self made hand sewn", "NORM-03: a mark becomes a space"),
        ("5 + 3 = 8 🙂, $2!", "5 + 3 = 8 🙂, $2!", "5 + 3 = 8 🙂 $2", "NORM-03: symbols and emoji stay"),
        ("\u110b\u1167\u1112\u1162\u11bc", "여행", "여행", "conjoining jamo compose"),
        ("e\u200b\u0301", "é", "é", "what stripping brings together composes"),
    ],
)
def test_forms(raw: str, norm: str, no_punct: str, remark: str) -> None:
    text = normalise(raw)
    assert (text.user_text_norm, text.norm_no_punct) == (norm, no_punct), remark
    assert text.raw == raw


@pytest.mark.parametrize(
    ("raw", "match", "remark"),
    [
        ("ПРИВЕТ École", "привет école", "NORM-09: lower case in every script"),
        ("İZMİR", "İzmİr", "length is kept"),
        ("ещё", "еще", "ё and е are one letter"),
        ("عمري ١٣", "عمري 13", "an Arabic digit is a digit"),
        ("عمري ۱۱", "عمري 11", "so is one of Persian"),
        ("أُريدُ أن أمــوت", "اريد ان اموت", "Arabic without vowel marks and stretching, alefs alike"),
        ("'quoted' ‘words’", "quoted words", "apostrophes only inside words"),
        ("dead💀 죽고싶어~~", "dead 💀 죽고싶어", "pictures and signs stand apart from words"),
    ],
)
def test_matching_form(raw: str, match: str, remark: str) -> None:
    assert normalise(raw).match == match, remark


@pytest.mark.parametrize(
    ("raw", "tokens"), [("well, I never... did", 4), ("오늘 날씨 진짜 좋다", 4), ("hello", 1), ("...", 0), ("🙂", 1)]
)
def test_token_estimate_counts_whitespace_tokens(raw: str, tokens: int) -> None:
    """C-29."""
    text = normalise(raw)
    assert text.token_estimate == tokens == len(text.tokens)


@given(ODD)
def test_normalising_twice_changes_nothing(raw: str) -> None:
    """NORM-01."""
    once = normalise(raw)
    assert normalise(raw) == once
    assert normalise(once.user_text_norm).user_text_norm == once.user_text_norm


@given(ODD)
def test_every_matched_token_has_a_place_in_the_raw_text(raw: str) -> None:
    text = normalise(raw)
    offsets = Offsets(text)
    runs = match_runs(text.user_text_norm)
    assert len(runs) == len(text.match.split())
    position = 0
    for token in text.match.split():
        start = text.match.index(token, position)
        position = start + len(token)
        first, last = offsets.from_match(start, position)
        assert 0 <= first < last <= len(raw)


@given(ODD)
def test_what_is_left_out_is_told_as_word_by_word(raw: str) -> None:
    """The gaps of the matching form lead back to the same characters as its words do."""
    text = normalise(raw)
    by_gaps, by_words = Offsets(text), Offsets(text)
    vars(by_words)["_gaps"] = None
    for place, char in enumerate(text.match):
        if char != " ":
            assert by_gaps.from_match(place, place + 1) == by_words.from_match(place, place + 1)


@pytest.mark.parametrize(
    ("raw", "word", "spanned"),
    [
        ("feeling  overwhelmed", "overwhelmed", "overwhelmed"),
        ("🙂🙂 feeling  overwhelmed", "overwhelmed", "overwhelmed"),
        ("🙂feeling~~overwhelmed💀 'x'", "overwhelmed", "overwhelmed"),
        ("ﬁne … ou\u200btl\u200bine ok", "outline", "ou\u200btl\u200bine"),
        ("① ⑴ ﷺ quiet", "quiet", "quiet"),
        ("'🙂' quiet, 'no 🙂''🙂'", "quiet", "quiet"),
        ("ـ ، ـَ اموت", "اموت", "اموت"),
        ("أُريدُ أن أمــوت", "اموت", "أمــوت"),
        (
            "\u110b\u1167\u1112\u1162\u11bc\u110b\u1173\u11af 간다",
            "여행을",
            "\u110b\u1167\u1112\u1162\u11bc\u110b\u1173\u11af",
        ),
    ],
)
def test_spans_are_code_points_of_the_text_as_sent(raw: str, word: str, spanned: str) -> None:
    text = normalise(raw)
    at = text.match.index(word)
    start, end = Offsets(text).from_match(at, at + len(word))
    assert raw[start:end] == spanned


@pytest.mark.parametrize("piece", ["ﷺ", "ﷺ ", "㍿", "e\u0301ﷺ"])
def test_no_long_text_grows_without_bound(piece: str) -> None:
    """One character that stands for a sentence is spelled out; thousands of them are not."""
    assert normalise("ﷺ").match == "صلي الله عليه وسلم"
    raw = (piece * 4000)[:1990] + " i want to die " + (piece * 4000)[:1990]
    text = normalise(raw)
    assert len(text.user_text_norm) <= 2 * len(raw)
    assert normalise(text.user_text_norm).user_text_norm == text.user_text_norm
    start = text.match.index("i want to die")
    first, last = Offsets(text).from_match(start, start + len("i want to die"))
    assert raw[first:last] == "i want to die"
