"""Gates of style: emoji, sentences, register, punctuation, repetition (GATE-07…12, GATE-16, C-72)."""

from dataclasses import replace

import pytest
from tests.reply.situations import PLAIN, judged

from chingoo.engine.engine import Engine
from chingoo.model.enums import EmojiFreq, Length, LexiconBias, Source
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import GateID
from chingoo.reply.gates.report import Targets

# --- emoji and sentences ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frequency", "reply", "count", "passes"),
    [
        ("none", "That sounds like a good plan.", 0, True),
        ("none", "That sounds like a good plan. 🌿", 1, False),
        ("light", "That sounds like a good plan. 🌿🍵", 2, True),
        ("light", "That sounds like a good plan. 🌿🍵🌙", 3, False),
        ("frequent", "That sounds like a good plan.", 0, False),
        ("frequent", "Good plan. 🌿🍵🌙🌊🌸🐢", 6, True),
        ("frequent", "Good plan. 🌿🍵🌙🌊🌸🐢🍋", 7, False),
        ("light", "Say hello to them 👨‍👩‍👧‍👦 from here 👋🏽", 2, True),  # families and skin tones count once
        ("none", "Room 12, door #3, and a * on the map.", 0, True),
    ],
)
def test_emoji_band(bundle: Bundle, engine: Engine, frequency: str, reply: str, count: int, passes: bool) -> None:
    """GATE-10, C-26."""
    report = judged(bundle, engine, reply, targets=replace(PLAIN, emoji=EmojiFreq(frequency)))
    assert report.measures.emoji_count == count
    assert report.fails(GateID.EMOJI_BAND) is not passes


WORDS_14 = "We walked along the old canal for an hour until the cold rain stopped."
LONG = (
    "We walked along the old canal for an hour until the cold rain finally stopped. "
    "Then the sun came out over the water and the small birds began their evening songs. "
    "A boat passed under the bridge and the man at the wheel waved to us."
)
MEDIUM_10 = "We walked along the old canal until the rain stopped. Then the sun came out and the birds began singing."


@pytest.mark.parametrize(
    ("length", "reply", "sentences", "words", "passes"),
    [
        ("short", "Good morning. The rain stopped. Take a coat anyway.", 3, 3.0, True),
        ("short", "Good morning. The rain stopped. Take a coat anyway. It is cold.", 4, 3.0, False),
        ("short", WORDS_14, 1, 14.0, True),
        ("short", WORDS_14.replace("rain", "rain finally"), 1, 15.0, False),
        ("medium", MEDIUM_10, 2, 10.0, True),
        ("medium", MEDIUM_10.replace("old ", ""), 2, 9.5, False),
        ("medium", "We walked along the old canal until the rain stopped.", 1, 10.0, False),
        ("long", LONG, 3, pytest.approx(15.3333), True),
        ("long", LONG.partition(" A boat")[0], 2, pytest.approx(15.0, abs=0.6), False),
        ("short", "Wait... what?! You won!!", 3, pytest.approx(1.3333), True),
        ("short", "Mr. Park walked 3.5 kilometres to www.example.com today.", 1, 8.0, True),
        ("short", "오늘은 쉬자. 내일 다시 하자！ 좋지？", 3, 2.0, True),
        # Korean says the same in fewer words: 0.65 of ten is enough
        (
            "medium",
            "오늘은 비가 와서 창가에 오래 앉아 있었어요. 내일은 날이 개면 강가를 천천히 걸어 볼까 해요.",
            2,
            7.5,
            True,
        ),
        ("medium", "비가 와서 창가에 앉아 있었어요. 내일은 강가를 걸어 볼까 해요.", 2, 5.0, False),
    ],
)
def test_sentence_band(
    bundle: Bundle, engine: Engine, length: str, reply: str, sentences: int, words: float, passes: bool
) -> None:
    """GATE-11, GATE-12, C-27."""
    report = judged(bundle, engine, reply, targets=replace(PLAIN, length=Length(length)))
    assert report.measures.sentence_count == sentences
    assert report.measures.avg_words_per_sentence == words
    assert report.fails(GateID.SENTENCE_BAND) is not passes


def test_what_the_sentence_band_measures_and_allows(bundle: Bundle, engine: Engine) -> None:
    report = judged(bundle, engine, "One. Two. Three. Four.", targets=replace(PLAIN, length=Length.LONG))
    (violation,) = [one for one in report.violations if one.gate is GateID.SENTENCE_BAND]
    assert violation.measured == {"sentence_count": 4, "avg_words_per_sentence": 1.0}
    assert violation.allowed == {"sentence_count": [3, 8], "avg_words_per_sentence": [15.0, None]}
    assert "3 to 8 sentences, 15 or more words a sentence" in violation.rewrite


def test_proactive_messages_have_a_band_of_their_own(bundle: Bundle, engine: Engine) -> None:
    """C-27, RET-11: at most two sentences, whatever the friend's length."""
    long = replace(PLAIN, length=Length.LONG)
    for reply, passes in (("Any chess?", True), (LONG, False)):
        report = judged(bundle, engine, reply, targets=long, source=Source.RETENTION)
        assert report.fails(GateID.SENTENCE_BAND) is not passes


# --- register and habits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("register", "reply", "passes"),
    [
        ("clean", "That is a lovely idea.", True),
        ("clean", "omg lol that is lit.", False),
        ("clean", "Damn, that was close.", False),
        ("slang", "lol that is a lovely idea.", True),
        ("slang", "omg lol idk tbh brb.", False),
        ("slang", "lol okay. omg yes. tbh fine. ngl great.", True),  # one a sentence
        ("internet_shorthand", "omg lol idk tbh brb.", True),
        ("clean", "와 대박ㅋㅋ 정말 잘됐다.", False),
        ("clean", "정말 잘됐네요, 축하해요.", True),
        ("clean", "Digga, das ist ja krass, was du da heute erzählst.", False),
        ("clean", "Das ist ja schön, was du da heute erzählst.", True),
        ("clean", "Putain, c'est vraiment une bonne nouvelle pour toi.", False),
        # words of one language that are slang in another
        ("clean", "Estoy aquí con mis amigos y sus hermanos, parece que todo va bien.", True),
        ("clean", "Tu es en retard, mais le lit est prêt et il fait chaud ici.", True),
        ("clean", "Ich mag es sehr, wenn du mir nah bist und von deinem Tag erzählst.", True),
    ],
)
def test_lexicon(bundle: Bundle, engine: Engine, register: str, reply: str, passes: bool) -> None:
    """GATE-16, C-72."""
    targets = replace(PLAIN, lexicon=LexiconBias(register), length=None)
    assert judged(bundle, engine, reply, targets=targets).fails(GateID.LEXICON) is not passes


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("Nooo waaay!!!!! ~~~ really?!?!?!", ["exclamation_run", "question_run", "tilde", "stretched_letters"]),
        ("Hmm… maybe", ["ellipsis"]),
        ("GO GO GO, you can do it.", ["shouting"]),
        ("Sounds good :)", ["text_smiley"]),
        ("Love it <3 and you", ["text_smiley"]),
        ("No way, really?", []),
        ("I am an AI, OK, and I read on www.example.com about Louis XIII.", []),
        ("ㅋㅋㅋ 그래요", []),
        ("The NASA film was good!", []),
    ],
)
def test_quirks_are_seen_by_name(bundle: Bundle, engine: Engine, reply: str, shown: list[str]) -> None:
    report = judged(bundle, engine, reply, targets=Targets(quirks=0))
    found = [violation.measured for violation in report.violations if violation.gate is GateID.PUNCTUATION_QUIRKS]
    assert found == ([shown] if shown else [])


@pytest.mark.parametrize(
    ("allowed", "names", "reply", "passes"),
    [
        (2, None, "Wait... yes!!", True),  # without a template, any two
        (2, None, "Wait... yes!! ~", False),
        (1, ("ellipsis", "tilde"), "Wait... yes.", True),
        (1, ("ellipsis", "tilde"), "Wait, yes~", False),  # the second is not allowed yet
        (2, ("ellipsis", "tilde"), "Wait, yes~", True),
        (2, ("ellipsis", "tilde"), "Wait, yes!!", False),
        (0, ("ellipsis", "tilde"), "Wait... yes.", False),
    ],
)
def test_only_the_friends_own_quirks_show(
    bundle: Bundle, engine: Engine, allowed: int, names: tuple[str, ...] | None, reply: str, passes: bool
) -> None:
    report = judged(bundle, engine, reply, targets=Targets(quirks=allowed, quirk_names=names))
    assert report.fails(GateID.PUNCTUATION_QUIRKS) is not passes


# --- repetition -------------------------------------------------------------------------------------------------------

KETTLE = "The kettle is on and the chairs are out."


@pytest.mark.parametrize(
    ("before", "opener", "similar"),
    [
        ([KETTLE], True, True),
        ([f"🌿 {KETTLE.upper()}"], True, True),
        ([KETTLE, *["Something else."] * 19], True, True),
        ([KETTLE, *["Something else."] * 20], False, False),  # the twenty-first back
        (["The kettle is on and the chairs are in."], False, True),
        (["Nothing like it at all."], False, False),
        ([], False, False),
    ],
)
def test_repetition(bundle: Bundle, engine: Engine, before: list[str], opener: bool, similar: bool) -> None:
    """GATE-07…09: the last twenty count, oldest first."""
    report = judged(bundle, engine, KETTLE, previous_replies=tuple(before))
    assert report.fails(GateID.OPENER_REPEAT) is opener
    assert report.fails(GateID.SIMILARITY) is similar


def test_the_opener_is_normalised(bundle: Bundle, engine: Engine) -> None:
    report = judged(bundle, engine, "🌟✨  Well,  HELLO — it’s you! One, two three four five six seven eight nine.")
    assert report.measures.opener_norm == "well hello it's you one two three four five six seven eight"
