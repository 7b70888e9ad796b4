"""Evasion is undone, native text is not harmed (C-17)."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chingoo.text.fold import REACH, Folding
from chingoo.text.glance import Glance
from chingoo.text.letters import FoldTables, fold_tables, skeleton
from chingoo.text.normalise import normalise
from chingoo.text.signs import EDGES, FEWEST_SPACED_LETTERS, GLANCE, sign_of, suspicious_words

CORPUS = Path(__file__).resolve().parents[2] / "policies" / "corpus"


@pytest.fixture(scope="module")
def tables() -> FoldTables:
    return fold_tables(
        {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"},
        {"1": "l"},
        {"е": "e", "а": "a", "і": "i", "о": "o", "с": "c"},
        {"e": "е", "a": "а", "o": "о", "x": "х", "4": "ч", "0": "о"},
    )


def readings(raw: str, tables: FoldTables) -> set[str]:
    norm = normalise(raw).user_text_norm
    return {view.text for view in Folding(tables, lambda _: True).views(norm, suspicious_words(norm))}


@pytest.mark.parametrize(
    ("raw", "reading"),
    [
        ("a ch!ld", "a child"),
        ("k1ll mys3lf", "kil myself"),
        ("a b\u0435sti\u0430lity story", "a bestiality story"),
        ("s.u.i.c.i.d.e", "suicide"),
        ("b e s t", "best"),
        ("i k i l l", "i kil"),
        ("k - i - l - l", "kil"),
        ("bestiaaaality", "bestiality"),
        ("ㅈㅏㅅㅏㄹ 하고", "자살 하고"),
        ("자.살 하자1살", "자살 하자살"),
        ("k\u0336i\u0336l\u0336l", "kil"),
        ("kíll-mýself", "kilmyself"),
    ],
)
def test_what_is_disguised_is_read(raw: str, reading: str, tables: FoldTables) -> None:
    assert reading in readings(raw, tables)


@pytest.mark.parametrize(
    "raw",
    ["мой ребёнок учит алфавит", "오늘은 날씨가 좋다", "quand j'étais à l'école", "أريد أن أنام", "it's 10 o'clock"],
)
def test_plain_text_has_no_reading(raw: str, tables: FoldTables) -> None:
    assert readings(raw, tables) == set()


@given(st.text(st.characters(whitelist_categories=["Ll", "Lo"], max_codepoint=0xD7A3), min_size=1, max_size=12))
def test_a_word_of_one_script_keeps_its_letters(word: str) -> None:
    """Native words change in nothing but doubled letters and accents."""
    none = fold_tables({}, {}, {}, {})
    norm = normalise(f"{word} {word}").user_text_norm
    for view in Folding(none, lambda _: True).views(norm, suspicious_words(norm)):
        assert len(view.words) == len(view.altered) == len(view.text.split(" "))


def test_words_that_nobody_looks_for_are_not_read(tables: FoldTables) -> None:
    norm = normalise("a w3ll-known k1ll").user_text_norm
    assert Folding(tables, lambda word: word == "nothing").views(norm, suspicious_words(norm)) == ()
    assert Folding(tables, lambda word: word == "kil").views(norm, suspicious_words(norm)) != ()


@pytest.mark.parametrize("raw", ["그ㅉㅉ", "바ㄸ", "나ㅃ", "하ᄍ"])
def test_a_doubled_consonant_that_closes_no_syllable_stays(raw: str, tables: FoldTables) -> None:
    readings(raw, tables)


def test_keywords_and_views_meet_in_the_skeleton() -> None:
    assert skeleton("don't kill") == "dont kil"
    assert skeleton("café") == "cafe"


@pytest.mark.parametrize(
    "raw", ["mañana estará más fácil, mamá", "شكراً جزيلاً، أنا تقريباً جاهز", "l'été où j'ai été là"]
)
def test_accents_and_vowels_that_a_language_writes_are_no_sign_of_evasion(raw: str) -> None:
    assert suspicious_words(normalise(raw).user_text_norm) == []


def test_a_text_that_repeats_itself_is_looked_through_only_so_often() -> None:
    """Of the same disguised word, and of the same letter standing alone."""
    tables = fold_tables({"1": "i"}, {}, {}, {}, most_words=3, most_letters=6)
    for piece, times in (("k1ll ", 3), ("k i l l ", 6)):
        norm = normalise(piece * 40).user_text_norm
        views = Folding(tables, lambda word: word == "kil").views(norm, suspicious_words(norm))
        read = max(view.words[-1][1] for view in views) + 1
        assert times * len(piece.split()) <= read <= times * len(piece.split()) + REACH


LETTERS = st.sampled_from("aaabeéßÀśłжжёМ\u0483가가낟ㅋㅋᄀᆨشششًّـٰ۔字字9911٣.'-@$!? _|k\"(«…😀\u200d\u0301\ud800\u2028  ")


@given(st.text(LETTERS, max_size=30) | st.text(max_size=12))
@example("a a")
@example("a 1 b")
@example("'a' «b» (c)")
def test_plain_words_are_looked_at_in_short_and_find_the_same(raw: str) -> None:
    """A glance that knows no letters has every word looked at closely."""
    norm = normalise(raw).user_text_norm
    closely = Glance((), "").odd_words(norm, lambda word: sign_of(word.strip(EDGES)), FEWEST_SPACED_LETTERS)
    assert suspicious_words(norm) == closely


@pytest.mark.parametrize("language", ["en", "ko", "ru", "ar", "es", "fr", "de", "it"])
def test_most_of_what_people_say_is_plain(language: str) -> None:
    lines = [line for line in (CORPUS / f"{language}.txt").read_text("utf-8").splitlines() if line[:1] not in ("", "#")]
    words = " ".join(normalise(line).user_text_norm for line in lines)
    looked_at: list[str] = []
    GLANCE.odd_words(words, lambda word: looked_at.append(word) or 0, FEWEST_SPACED_LETTERS)
    assert len(looked_at) < 0.2 * len(words.split())


@given(
    st.lists(st.lists(st.sampled_from(["k1ll", "ki*l", "k*ll", "k i l l", "1st", "ㅈㅏ", "мy", "well"])), max_size=3)
)
def test_what_was_read_before_changes_no_reading(texts: list[list[str]]) -> None:
    """Words that are kept from one text to the next, and masks of which only some are filled in."""
    tables = fold_tables({"1": "i"}, {"1": "l"}, {}, {}, masks="*", masked="abil")
    kept = Folding(tables, lambda word: word == "kil")
    for words in texts:
        norm = " ".join([*words, *(f"{mark}*l" for mark in "abcdefg"), *words])
        afresh = Folding(tables, lambda word: word == "kil")
        suspects = suspicious_words(norm)
        assert kept.views(norm, suspects) == afresh.views(norm, suspects)
