"""Words are found whole, by the rules of their language, in every view their list asks for (TOPIC-05, C-03, C-17)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.words import HERE, matcher, scan, words

from chingoo.engine.entries import EntryError, entry_name
from chingoo.policy.documents.base import Entry, View, WordList
from chingoo.text.normalise import normalise

EVERY_VIEW = (View.PLAIN, View.COMPACT, View.EVASION)


@pytest.mark.parametrize(
    ("entry", "language", "text", "seen"),
    [
        ("cut", "en", "a cute hat", False),
        ("bet", "en", "better (bet!)", True),
        ("bet", "en", "BET", True),
        ("PC build", "en", "my Pc  Build", True),
        ("self harm", "en", "self-harm", True),
        ("mom", "en", "my mom's house", True),
        ("i don't know", "en", "i dont know", True),
        ("i'm ok", "en", "I’m ok", True),
        ("여행", "ko", "여행에서 돌아왔다", True),
        ("부모", "ko", "부모님을 뵀다", True),
        ("엄마", "ko", "엄마한테만 말했다", True),
        ("도박", "ko", "그건 도박이야", True),
        ("정치", "ko", "정치인이 왔다", False),
        ("약", "ko", "약속이 있다", False),
        ("술", "ko", "기술을 배운다", False),
        ("자해", "ko", "자해ㅠㅠ", True),
        ("자해", "ko", "자해ㅜㅜ", True),
        ("자해", "ko", "자해를ㅎㅎ", False),
        ("여행", "ko", "여행을ㅎㅎ", True),
        ("여행", "ko", "여행후", False),
        ("=나", "ko", "나라", False),
        ("=나", "ko", "나는", False),
        ("죽고 싶-", "ko", "죽고 싶었는데", True),
        ("하-", "ko", "했다", True),
        ("우울하-", "ko", "우울해서", True),
        ("보여줘-", "ko", "보여줬어", True),
        ("보여줘-", "ko", "보여줘요", True),
        ("나와-", "ko", "나왔어", True),
        ("나와-", "ko", "나완 달라", False),
        ("우울하-", "ko", "우울한 날", True),
        ("우울하-", "ko", "너무우울하다", False),
        ("-우울하-", "ko", "너무우울하다", True),
        ("انتحار", "ar", "والانتحار", True),
        ("انتحار", "ar", "كالانتحار", False),
        ("أريد", "ar", "اريد", True),
        ("alcool", "fr", "l'alcool", True),
        ("alcool", "fr", "x'alcool", False),
        ("alcool", "fr", "dell'alcool", False),
        ("alcool", "it", "d'alcool", False),
        ("envie de rien", "fr", "d'envie de rien", True),
        ("écran", "fr", "l'ecran", True),
        ("alcol", "it", "dell'alcol", True),
        ("=alcol", "it", "dell'alcol", False),
        ("größe", "de", "groesse", True),
        ("größe", "de", "grösse", True),
        ("größe", "de", "groeße", True),
        ("größe", "de", "grosse", True),
        ("größe", "de", "gröse", False),
        ("für immer", "de", "fuer immer", True),
        ("für immer", "es", "fuer immer", False),
        ("mon cœur", "fr", "mon coeur", True),
        ("=alcol", "it", "l'alcol, dell'alcol e alcol", True),
        ("dépression", "fr", "depression", True),
        ("depression", "en", "dépression", False),
        ("selbstmord-", "de", "Selbstmordgedanken", True),
        ("ещё", "ru", "еще", True),
        ("suicide", "en", "suicide💀", True),
        ("non ce la faccio", "it", "nn ce la faccio", True),
        ("non ce la faccio", "it", "nnn ce la faccio", False),
        ("lo que pasa por mí", "es", "lo q pasa x mi", True),
        ("que", "es", "q", False),
    ],
)
def test_word_rules(entry: str, language: str, text: str, seen: bool) -> None:
    assert scan(text, list=words({language: [entry]})).has("list") is seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("k1ll mys3lf", True),
        ("k.i.l.l m.y.s.e.l.f", True),
        ("k i l l myself", True),
        ("k i l l m y s e l f", True),
        ("kil\u200bl my\u200bself", True),
        ("killlll myself", True),
        ("killmyself", True),
        ("flesym llik", True),
        ("kіll mysеlf", False),  # the table of this test knows no Ukrainian і
        ("kill my shelf", False),
        ("skill myself", False),
    ],
)
def test_evasion(text: str, seen: bool) -> None:
    assert scan(text, list=words(["kill myself"], EVERY_VIEW)).has("list") is seen
    plain = {"kil\u200bl my\u200bself"}
    assert scan(text, list=words(["kill myself"])).has("list") is (text in plain)


@pytest.mark.parametrize(
    ("text", "seen"),
    [("너무 힘 들어", True), ("힘들어", True), ("그 힘 들어요", False), ("자 살", False), ("혼자 살아", False)],
)
def test_compact_hangul_starts_where_a_word_starts(text: str, seen: bool) -> None:
    """C-09: the copy without spaces keeps the word rules."""
    assert scan(text, list=words({"ko": ["힘들어", "자살은"]}, EVERY_VIEW)).has("list") is seen


@pytest.mark.parametrize(
    ("text", "seen"), [("로봇", True), ("로 봇", True), ("로봇을 샀어", False), ("로 봇을", False)]
)
def test_an_exact_form_takes_no_particle_without_spaces_either(text: str, seen: bool) -> None:
    assert scan(text, list=words({"ko": ["=로봇"]}, EVERY_VIEW)).has("list") is seen


def test_forms_of_one_entry_count_once_and_by_its_first_name() -> None:
    seen = scan("elections, an election and a vote", list=words(["election | elections", "vote"]))
    assert seen.distinct("list") == ("election", "vote")
    assert entry_name(Entry("우울하- | 우울", HERE)) == "우울하"


def test_the_same_word_of_two_languages_counts_once() -> None:
    assert scan("jesus", list=words({"en": ["jesus"], "fr": ["jésus"]})).distinct("list") == ("jesus",)


def test_slots_stand_for_the_words_of_a_list() -> None:
    ages = words({"en": ["thirteen"], "any": ["13"]})
    claims = words(["i'm {ages} years old", "aged {ages}"])
    assert scan("I'm 13 years old", ages=ages, claims=claims).distinct("claims") == ("i'm {ages} years old",)
    assert scan("aged thirteen", ages=ages, claims=claims).has("claims")
    assert not scan("aged 31", ages=ages, claims=claims).has("claims")


def test_an_entry_may_require_company() -> None:
    quips = WordList(HERE, {"ko": (Entry("드립", HERE, requires="adult"), Entry("음담패설", HERE))})
    adult = words({"ko": ["19금"]})
    assert not scan("오늘 드립이 웃겼다", quips=quips, adult=adult).has("quips")
    assert scan("19금 드립이 웃겼다", quips=quips, adult=adult).distinct("quips") == ("드립",)


def test_hits_say_where_they_stand() -> None:
    seen = scan("🙂 feeling  Overwhelmed!", list=words(["overwhelmed"]))
    (hit,) = seen.hits("list")
    assert (hit.first_token, hit.last_token, hit.name, hit.language) == (2, 2, "overwhelmed", "en")
    assert seen.span(hit) == (11, 22)


@pytest.mark.parametrize("entry", ["...", "{unknown} years", "{list}"])
def test_entries_that_cannot_be_matched_are_refused(entry: str) -> None:
    with pytest.raises(EntryError, match=r"policies/test\.yaml:1"):
        matcher(list=words([entry]))


def test_too_many_forms_are_refused() -> None:
    many = words([f"w{number}" for number in range(200)])
    with pytest.raises(EntryError, match="40000 phrases"):
        matcher(many=many, list=words(["{many} {many}"]))


WORDS = st.lists(st.text(st.sampled_from("abcdе가나 "), min_size=1, max_size=4), min_size=1, max_size=5)


@given(WORDS, st.text(st.sampled_from("abcdе가나 .1'💀"), max_size=30))
def test_every_whole_word_is_found_and_nothing_else(entries: list[str], text: str) -> None:
    """Against the plain definition: padded substrings of the padded text (Latin and Cyrillic entries)."""
    chosen = [entry for entry in entries if entry.strip() and not any("가" <= char <= "힣" for char in entry)]
    if not chosen:
        return
    seen = scan(text, list=words({"de": chosen}))
    padded = f" {normalise(text).match} "
    expected = {entry_name(Entry(entry, HERE)) for entry in chosen if f" {normalise(entry).match} " in padded}
    assert set(seen.distinct("list")) == expected


@given(st.text(max_size=60))
def test_spans_lie_inside_any_text(text: str) -> None:
    seen = scan(text, list=words(["a", "e", "1", "b c"], EVERY_VIEW))
    for hit in seen.hits("list"):
        start, end = seen.span(hit)
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(
    ("entry", "text", "seen"),
    [
        ("badde mout", "baddi moot", True),
        ("badde mout", "bas bede mut ya rab", True),
        ("badde mout", "baddo ymout", False),
        ("badde mout", "badde moutak", False),
        ("te2tol 7ali", "tetol hali", True),
        ("mout", "moot", False),
        ("ymoutou", "yemoutou", True),
    ],
)
def test_arabizi_is_heard_however_it_is_spelled(entry: str, text: str, seen: bool) -> None:
    listed = words({"arabizi": [entry]}, (View.PLAIN, View.SOUND))
    assert scan(text, list=listed).has("list") is seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [("bedde mout", True), ("bade mot", False), ("baadde mott", False), ("bade mot, bedde mout", True)],
)
def test_words_that_are_known_to_be_others_are_not_heard(text: str, seen: bool) -> None:
    listed = words({"arabizi": ["badde mout"]}, (View.PLAIN, View.SOUND))
    assert scan(text, list=listed).has("list") is seen


def test_only_arabizi_is_heard_by_its_sounds() -> None:
    assert not scan("tired of lefe", list=words({"en": ["tired of life"]}, (View.PLAIN, View.SOUND))).has("list")


def test_a_hit_by_sound_stands_on_the_words_that_were_written() -> None:
    listed = words({"arabizi": ["badde mout"]}, (View.PLAIN, View.SOUND))
    (hit,) = scan("walla 2 baddii moot bas", list=listed).hits("list")
    assert (hit.first_token, hit.last_token, hit.view) == (2, 3, View.SOUND)
    assert "walla 2 baddii moot bas"[hit.start : hit.end] == "baddii moot"


def test_a_word_of_which_nothing_is_heard_parts_a_phrase() -> None:
    listed = words({"arabizi": ["badde mout"]}, (View.PLAIN, View.SOUND))
    assert not scan("badde 22 mout", list=listed).has("list")
