"""Normalisation (§1): the forms, their stability, and the way back to the raw text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.text.normalise import FORMS, forms_in_steps, normalise
from chingoo.text.offsets import Offsets
from chingoo.text.runs import match_runs, runs_in_steps

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


COMMON = st.text(
    st.one_of(st.sampled_from(list("abA'’ㅋㅏㅠㄳ①！اَُّ \t\u200b\ufe0f.,!-_$~🙂❤가ㅋأـёßİ١﷼\u200d")), st.characters()),
    max_size=60,
)


@given(COMMON)
def test_one_pass_makes_the_forms_that_all_the_steps_make(raw: str) -> None:
    forms = FORMS.read(raw)
    assert forms is None or forms == forms_in_steps(raw)


@given(COMMON)
def test_one_pass_finds_the_runs_that_all_the_steps_find(raw: str) -> None:
    norm = normalise(raw).user_text_norm
    runs = FORMS.runs(norm)
    assert runs is None or runs == runs_in_steps(norm)


@given(COMMON)
def test_one_pass_leads_back_to_the_characters_that_all_the_steps_lead_back_to(raw: str) -> None:
    text = normalise(raw)
    known, found = Offsets(text), Offsets(text)
    vars(found)["_way"] = None
    for place, char in enumerate(text.match):
        if char != " ":
            assert known.from_match(place, place + 1) == found.from_match(place, place + 1)
    for place, char in enumerate(text.user_text_norm):
        if char != " ":
            assert known.from_norm(place, place + 1) == found.from_norm(place, place + 1)


@given(COMMON, st.lists(st.integers(0, 60), unique=True).map(sorted))
def test_tokens_have_the_number_of_the_part_of_the_text_they_begin_in(raw: str, ends: list[int]) -> None:
    text = normalise(raw)
    if not text.match:
        return
    starts = [place for place in range(len(text.match)) if f" {text.match}"[place] == " "]
    known, found = Offsets(text), Offsets(text)
    vars(found)["_way"] = None
    parts = [sum(end <= known.from_match(start, start + 1)[0] for end in ends) for start in starts]
    numbers = {part: number for number, part in enumerate(dict.fromkeys(parts))}
    assert known.parted(ends) == found.parted(ends) == [numbers[part] for part in parts]


@pytest.mark.parametrize(
    "raw",
    [
        "so, what's up?",
        "ПРИВЕТ École",
        "ich Größe 5$",
        "오늘 날씨 ㅋㅋ",
        "كيف حالُك؟",
        "I ❤️ you 👨‍👩‍👧 ’tis",
        "a\u200bb ١٣",
        "Ａ\u3000ㅠㅠ　①！",
    ],
)
def test_common_texts_are_read_in_one_pass(raw: str) -> None:
    assert FORMS.read(raw) == forms_in_steps(raw)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (4, 4), (2, 5), (9, 12)])
def test_no_way_leads_back_from_outside_a_text(start: int, end: int) -> None:
    way = FORMS.way("a, bc")
    assert way is not None
    assert way.from_match(0, 4) == way.from_norm(0, 5) == (0, 5)
    with pytest.raises(IndexError):
        way.from_match(start, end)


@pytest.mark.parametrize(
    "raw", ["e\u0301", "أحبّكَ وأمّي قُوَّة", "Σας", "\u110b\u1167", "ﬁne", "a\ufe0f", "ㅋㅏ", "ʼ\ufe0f", "\ud800", "…"]
)
def test_what_depends_on_its_neighbours_is_left_to_the_steps(raw: str) -> None:
    assert FORMS.read(raw) is None
    assert FORMS.way(raw) is None


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
