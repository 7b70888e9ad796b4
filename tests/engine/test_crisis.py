"""The crisis check: layers, languages, what makes words mean less, somebody else, and the lines (§9)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.engine.conftest import Decide

from chingoo.engine.engine import Engine, build_engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand, CrisisLevel, Mode, Pipeline, Role, SafetyPolicy, UserState
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Near
from chingoo.policy.documents.crisis import CrisisException

HIGH, CONTEXT, THIRD = CrisisLevel.HIGH_RISK, CrisisLevel.CONTEXT, CrisisLevel.THIRD_PARTY


def said(*texts: str) -> tuple[Utterance, ...]:
    """What the user said before, each answered."""
    return tuple(one for text in texts for one in (Utterance(Role.USER, text), Utterance(Role.ASSISTANT, "I hear you")))


DARK = said("it is all so hopeless", "I feel trapped here")


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("I want to kill myself", HIGH),
        ("some nights I think I should end my life", HIGH),
        ("I have been suicidal since the spring", HIGH),
        ("I don’t want to live like this", HIGH),
        ("i dont want to live", HIGH),
        ("i wanna die", HIGH),
        ("maybe i should unalive myself", HIGH),
        ("ＫＩＬＬ ＭＹＳＥＬＦ", HIGH),
        ("last night I went back to self-harm", HIGH),
        ("그냥 죽고 싶어", HIGH),
        ("요즘 죽고싶다는 생각뿐이야", HIGH),
        ("진짜죽고싶다", HIGH),
        ("죽고싶다", HIGH),
        ("자살하고 싶어", HIGH),
        ("Я хочу умереть", HIGH),
        ("أريد أن أموت", HIGH),
        ("وأريد أن أموت", HIGH),
        ("abi amoot", HIGH),
        ("quiero morirme", HIGH),
        ("j'ai envie de mourir", HIGH),
        ("ich will nicht mehr leben", HIGH),
        ("voglio morire", HIGH),
        ("i want to k1ll mys3lf", HIGH),
        ("thinking of s.u.i.c.i.d.e again", HIGH),
        ("i feel suiciiiidal", HIGH),
        ("i want to k\u0456ll mys\u0435lf", HIGH),
        ("I don't want to live in this world", HIGH),
        ("I want to diet before summer", None),
        ("I feel so connected to you", None),
        ("혼자 살아요", None),
        ("배고파 죽겠다", None),
        ("I want to die laughing at this joke", None),
        ("that cake is to die for", None),
        ("я умираю со смеху", None),
        ("me muero de sueño", None),
        ("we watched the Suicide Squad movie", None),
        ("I read a book about suicide in the Roman empire", None),
        ("I don't want to live in Paris", None),
        ("ran 10 kms this morning", None),
        ("I'd never kill myself", None),
        ("I'm not going to kill myself", None),
        ("죽고 싶지 않아", None),
        ("ich will nicht sterben", None),
        ("everyone was dying with laughter and I just want to die", HIGH),
        ("Suicide Squad was on and I thought I should kill myself", HIGH),
        ("I'm not okay, I want to die", HIGH),
        ("I don't care, i want to kill myself", HIGH),
        ("my friend says she wants to kill herself", THIRD),
        ("my brother is suicidal", THIRD),
        ("내 친구가 죽고 싶대", THIRD),
        ("моя подруга хочет умереть", THIRD),
        ("I feel hopeless, trapped and alone", CONTEXT),
        ("I feel trapped and alone", None),
        ("alone, alone, alone on stage", None),
        ("I want to disappear", None),
        ("the baker cut the bread", None),
    ],
)
def test_levels(text: str, level: CrisisLevel | None, decide: Decide) -> None:
    """CRISIS-03, CRISIS-12, CRISIS-14, C-17, C-20, C-77, S-06, S-08."""
    signal = decide(text, age_band=AgeBand.B25_34).signals.crisis
    assert signal.level is level
    assert bool(signal.phrases) is (level is not None)


@pytest.mark.parametrize(
    ("text", "history", "level", "remark"),
    [
        ("and I am so alone", said("everything feels hopeless", "I am worthless"), CONTEXT, "one now and two before"),
        ("and I am so alone", said("everything feels hopeless"), None, "one before is not enough"),
        ("what is for dinner", said("hopeless, worthless, trapped"), None, "nothing now"),
        ("there is no point", said("alone at work, alone at home"), CONTEXT, "repetition in the history counts"),
        ("I want to disappear", DARK, CONTEXT, "words of other lists"),
        ("I'd never kill myself", DARK, CONTEXT, "a denied phrase falls to the second layer"),
        ("haha, I want to die laughing", DARK, CONTEXT, "so does an idiom"),
        (
            "alone again",
            (Utterance(Role.ASSISTANT, "you are not alone, not hopeless"),) * 3,
            None,
            "only the user's words",
        ),
        ("alone again", said("hopeless and worthless", "soup", "tomato"), CONTEXT, "the sixth message counts"),
        ("alone again", said("hopeless and worthless", "soup", "tomato", "a walk"), None, "the eighth does not"),
    ],
)
def test_context(
    text: str, history: tuple[Utterance, ...], level: CrisisLevel | None, remark: str, decide: Decide
) -> None:
    """CRISIS-05, C-77."""
    assert decide(text, history=history).signals.crisis.level is level, remark


def test_what_several_lists_see_in_the_same_words_weighs_once(decide: Decide) -> None:
    assert decide("надоело жить в общежитии с соседями").signals.crisis.level is None


def test_phrases_are_the_triggering_words_and_nothing_else(decide: Decide) -> None:
    """CRISIS-09."""
    assert decide("nobody at the office knows, but I want to KILL myself").signals.crisis.phrases == ("kill myself",)
    assert decide("i want to k1ll mys3lf").signals.crisis.phrases == ("kill myself",)
    context = decide("and I am so alone", history=said("everything is hopeless", "I am worthless"))
    assert context.signals.crisis.phrases == ("alone", "hopeless", "worthless")


@pytest.mark.parametrize("state", list(UserState))
@pytest.mark.parametrize("mode", list(Mode))
def test_a_crisis_is_answered_in_every_state_and_mode(state: UserState, mode: Mode, decide: Decide) -> None:
    """C-19, CRISIS-02."""
    decision = decide("no reason to live", user_state=state, mode=mode, country="US")
    assert (decision.routing.pipeline, decision.routing.safety_policy) == (
        Pipeline.EMOTIONAL_SUPPORT,
        SafetyPolicy.ALLOW,
    )
    assert decision.rules[:2] == ("routing.crisis", "crisis.direct")
    assert "988" in (decision.reply or "")


@pytest.mark.parametrize(
    ("country", "holds"),
    [
        ("US", "988"),
        ("CA", "988"),
        ("GB", "116 123"),
        ("ie", "116 123"),
        ("KR", "109"),
        ("FR", "3114"),
        ("DE", "0800 111"),
        ("AQ", "findahelpline.com"),
        (None, "findahelpline.com"),
    ],
)
def test_lines_by_country(country: str | None, holds: str, decide: Decide) -> None:
    """S-05."""
    assert holds in (decide("I want to end my life", country=country).reply or "")


def test_at_most_so_many_lines_those_in_the_language_first(decide: Decide, bundle: Bundle) -> None:
    reply = decide("i want to die", country="JP").reply or ""
    known = [line for line in bundle.crisis.lines["JP"] if line.contact in reply]
    assert 0 < len(known) <= bundle.crisis.most_lines
    assert "en" in known[0].languages


def test_every_line_says_where_it_is_from_and_when_it_was_checked(bundle: Bundle) -> None:
    for country, lines in bundle.crisis.lines.items():
        assert len(country) == 2
        assert all(line.source.startswith("https://") and line.last_checked for line in lines)
        assert not any("+82109" in line.contact or "+1988" in line.contact for line in lines)


def test_somebody_else_gets_softer_words(decide: Decide) -> None:
    """S-08."""
    decision = decide("my friend wants to die, what do i do", country="US")
    assert (decision.reply_id, decision.rules[1]) == ("crisis.third_party", "crisis.third_party")
    assert "988" in (decision.reply or "")


@pytest.mark.parametrize(
    ("text", "near_miss"),
    [
        ("hope I just don't wake up after tonight's shift", "hope I don't forget to wake up early for the shift"),
        ("honestly sick of existing, every hour of it", "sick of waiting for the bus"),
        ("gonna walk into traffic one of these days", "traffic was bad so I had to walk"),
        ("saving up my pills since March", "saving up for a bike since March"),
        ("내일이 안 왔으면 하는 밤이야", "내일이 빨리 왔으면 하는 밤이야"),
        ("차라리 죽는 게 편하겠어", "죽을 먹으니까 속이 편하겠어"),
        ("лучше бы меня вообще не было, задолбало жить", "надоело жить в общежитии с тараканами"),
        ("hochu umeret, bolshe ne mogu", "hochu v otpusk, bolshe ne mogu"),
        ("أحسد الأموات على راحتهم", "أحسد جيراني على حديقتهم"),
        ("ya rab 5odne la 3andak el leile", "ya rab ta3mol shi 7elo el leile"),
        ("estoy harta de existir, en serio", "estoy harta de estudiar, en serio"),
        ("j'aimerais m'endormir et ne plus rouvrir les yeux", "j'aimerais dormir dix heures d'affilée"),
        ("ich wünschte, ich hätte nie existiert", "ich wünschte, ich hätte nie gekündigt"),
        ("vorrei sparire per sempre da tutto", "vorrei partire per il mare domani"),
    ],
)
def test_coded_speech_counts_in_every_language_and_its_near_misses_do_not(
    text: str, near_miss: str, decide: Decide
) -> None:
    """CRISIS-06, S-06: euphemisms and slang suffice; what only looks alike is talk."""
    assert decide(text).signals.crisis.level is HIGH
    assert decide(near_miss).signals.crisis.level is None


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (
            ("they evicted us in june", "nobody calls any more, not one friend left"),
            "thanks for listening all these weeks",
        ),
        (("회사에서 잘렸어", "며칠째 잠을 못 잤어"), "그동안 고마웠어, 잘 지내"),
        (("меня уволили, одни долги", "не сплю вторую неделю"), "береги себя и прости меня"),
        (("خسرت شغلي وكلها ديون", "ما نمت من يومين"), "سامحوني كلكم"),
        (("me despidieron y tengo deudas", "llevo semanas sin dormir"), "gracias por todo, cuídate mucho"),
        (("j'ai perdu mon boulot, que des dettes", "je dors plus depuis lundi"), "merci pour tout, prends soin de toi"),
        (
            ("die wohnung ist weg, nur schulden", "kann nicht schlafen, seit wochen"),
            "danke für alles, pass auf dich auf",
        ),
        (("mi hanno licenziato, pieno di debiti", "non dormo da giorni"), "grazie di tutto, abbi cura di te"),
    ],
)
def test_a_farewell_counts_only_after_words_of_loss(before: tuple[str, str], text: str, decide: Decide) -> None:
    """CRISIS-05, C-77: hints and losses count together over messages, never alone."""
    assert decide(text, history=said(*before)).signals.crisis.level is CONTEXT
    assert decide(text).signals.crisis.level is None
    assert decide(before[0], history=said("what a sunny day", "I baked bread")).signals.crisis.level is None


@pytest.mark.parametrize(
    "text",
    [
        "my cousin gave away all his records and said goodbye to everyone",
        "우리 언니 손목에 흉터를 봤어",
        "у моего брата порезы на предплечье",
        "زميلي كتب وصيته أمس",
        "mi hermano regaló todas sus cosas ayer",
        "ma voisine parle que de mourir",
        "meine cousine hat allen lebewohl geschrieben",
        "mio cugino parla solo di morire",
    ],
)
def test_signs_of_somebody_else_at_risk(text: str, decide: Decide) -> None:
    """S-08: what is told of another person gets the softer words."""
    assert decide(text).signals.crisis.level is THIRD


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("feeling su*cidal since noon", HIGH),
        ("wanna k*ll mys*lf", HIGH),
        ("i want to kíll mýself", HIGH),
        ("ㅈr살 생각뿐", HIGH),
        ("$уицидальные планы", HIGH),
        ("the s*ndwich was great", None),
        ("café à Malmö avec Zoë", None),
        ("f**k this printer", None),
    ],
)
def test_masked_and_accented_letters(text: str, level: CrisisLevel | None, decide: Decide) -> None:
    """C-17: one masked letter is filled in, accents that no language here writes are undone."""
    assert decide(text).signals.crisis.level is level


@pytest.mark.parametrize(
    "text",
    [
        "we discussed a film about suicide in class",
        "ein Podcast über Suizid in der Literatur",
        "une émission sur le suicide en prison",
        "не собираюсь убивать себя, просто устал",
        "no voy a matarme, solo estoy cansado",
        "ich werde mich nicht umbringen, keine Angst",
        "부산에서 더는 못 살겠어 이사 갈래",
    ],
)
def test_titles_denials_and_idioms_are_no_crisis(text: str, decide: Decide) -> None:
    """C-20: what is weakened falls to the second layer."""
    assert decide(text).signals.crisis.level is None


@pytest.mark.parametrize(
    "text",
    [
        "hoping to close my eyes tonight and just never ever wake from it",
        "they could all breathe so much easier if I was gone",
        "quisiera acostarme hoy y no despertar ya jamás",
        "le pediré a la noche: ojalá el corazón se me pare",
        "vivement que je m'endorme pour ne plus me réveiller",
        "sans moi dans leur vie ils seraient tellement soulagés",
        "am liebsten einschlafen und nie wieder wach werden",
        "wenn ich weg wäre, wären alle erleichtert",
        "spero che stanotte il cuore si fermi e basta",
        "se sparissi, starebbero tutti molto meglio",
    ],
)
def test_words_that_stand_together_suffice(text: str, decide: Decide) -> None:
    """CRISIS-06: an idea is known by its words, however many others stand between them."""
    assert decide(text).signals.crisis.level is HIGH


@pytest.mark.parametrize(
    "text",
    [
        "I hope the baby does not wake up early again",
        "a los 16 quería morirme, hoy por suerte soy feliz",
        "mit 15 wollte ich sterben, heute geht es mir gut",
        "j'me flingue si le bus est encore en retard mdr",
        "autogol nel recupero, un suicidio della difesa",
    ],
)
def test_what_is_over_laughed_at_or_a_game_is_no_crisis(text: str, decide: Decide) -> None:
    """C-20: a time that is over, a trifle that is laughed at, a match."""
    assert decide(text).signals.crisis.level is None


def test_a_whisper_counts_after_words_of_despair_alone(decide: Decide) -> None:
    """C-77: what means nothing in most talk is a sign after a plain crisis, or after two words of despair."""
    whisper = "i fed the cat and the door is open"
    assert decide(whisper).signals.crisis.level is None
    assert decide(whisper, history=said("i am tired")).signals.crisis.level is None
    assert decide(whisper, history=said("i can't go on anymore")).signals.crisis.level is None
    despair = said("i can't go on anymore", "nobody would miss me")
    assert decide(whisper, history=despair).signals.crisis.level is CONTEXT
    assert decide(whisper, history=said("i want to die")).signals.crisis.level is CONTEXT
    assert decide("what is for lunch", history=said("i want to die")).signals.crisis.level is None


def test_several_burdens_count_as_one_word_and_an_idiom_as_none(decide_by_rules: Decide) -> None:
    """CRISIS-05, C-77: a strong farewell needs one plain word before, or two burdens; idioms do not count."""
    farewell = "nothing holds me now, my seat will be empty"
    assert decide_by_rules(farewell).signals.crisis.level is None
    assert decide_by_rules(farewell, history=said("the funeral was short")).signals.crisis.level is CONTEXT
    assert decide_by_rules(farewell, history=said("new painkillers", "and no cure")).signals.crisis.level is CONTEXT
    assert decide_by_rules(farewell, history=said("new painkillers")).signals.crisis.level is None
    assert decide_by_rules(farewell, history=said("we saw Suicide Squad")).signals.crisis.level is None


@pytest.fixture(scope="module")
def flying(bundle: Bundle) -> Iterator[Engine]:
    """An engine in which a flight is the one thing that makes words mean less, up to three words away."""
    place = bundle.crisis.direct.place
    exception = CrisisException(place, "crisis.flying", "for a test", Near(place, ("topics.travel",)), reach=3)
    engine = build_engine(replace(bundle, crisis=replace(bundle.crisis, exceptions=(exception,))))
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("i want to die on this flight", None),
        ("the flight, oh man, i want to die", None),  # three words from it
        ("the flight was so long, i want to die", HIGH),  # four
        ("this was a flight. i want to die", HIGH),  # another sentence
        ("this was a flight\ni want to die", HIGH),  # another line
        ("i want to die! what a flight", HIGH),
        ("what a flight! i want to die on this flight", None),
        ("i want to die on this flight. i want to die", HIGH),
    ],
)
def test_an_exception_reaches_so_many_words_and_no_further_than_its_sentence(
    flying: Engine, text: str, level: CrisisLevel | None
) -> None:
    decision = evaluate(flying, EvaluationInput(text, datetime(2026, 3, 2, 12, tzinfo=UTC)))
    assert decision.signals.crisis.level is level


def test_a_film_in_the_sentence_before_excuses_nothing(decide: Decide) -> None:
    assert decide("we saw a series about a villain. i want to kill myself").signals.crisis.level is HIGH
    assert decide("what does kms mean. i want to die").signals.crisis.level is HIGH
