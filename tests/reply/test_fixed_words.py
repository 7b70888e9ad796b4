"""The fixed words of eight languages: complete, harmless, calm, and in the right script (contract, C-16, S-30)."""

import string
from collections.abc import Iterator

import pytest

from chingoo.engine.engine import Engine
from chingoo.model.corrections import Heeded, MemoryAnswer
from chingoo.model.enums import Language, ReplyOrigin
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import GateID
from chingoo.reply.composer import LAST_RESORT, SAYS_AI
from chingoo.reply.disclosure import says_ai
from chingoo.reply.gates import check
from chingoo.reply.gates.punctuation_quirks import shown_quirks
from chingoo.reply.gates.report import GateInput
from chingoo.text.emoji import count_emoji
from chingoo.text.language import detect_language
from chingoo.text.normalise import normalise

MEMORY_LINE = "memory.line."
MEMORY_SLOTS = {
    "memory.known_asked": {"told"},
    "memory.known_more": {"count"},
    "memory.source_asked": {"line", "told"},
    "memory.source_elsewhere": {"line"},
    "memory.source_line": {"quote", "day", "month", "year"},
    "memory.source_answers": {"line"},
}
IDS = {
    "refusal.created", "refusal.erotic", "refusal.sexual_minor", "refusal.hate", "refusal.threat", "refusal.under_13",
    "boundary.harassment", "guard.minors", "guard.non_consensual", "guard.illegal_acts", "guard.bestiality",
    "guard.torture", "guard.real_people", "guard.default", "crisis.high_risk", "crisis.context", "crisis.third_party",
    "crisis.line", "crisis.no_line", "notice.ai_disclosure", "notice.break_reminder", SAYS_AI, LAST_RESORT,
}  # fmt: skip
MEMORY_IDS = {f"memory.{one}" for one in (*Heeded, *MemoryAnswer)} | MEMORY_SLOTS.keys()
CRISIS = ("crisis.high_risk", "crisis.context", "crisis.third_party")
VARIED = {"refusal.created", "refusal.erotic", "refusal.hate", "boundary.harassment", "crisis.high_risk", LAST_RESORT}
CONTENT_GATES = {GateID.SAFETY, GateID.DEPENDENCY, GateID.INTIMACY_CAP, GateID.LEAKED_MECHANICS, GateID.LEXICON}
languages = pytest.mark.parametrize("language", list(Language), ids=str)


def spoken(bundle: Bundle, language: Language) -> Iterator[tuple[str, str]]:
    """(id, text) of every variant of a language."""
    for reply_id, reply in bundle.replies[language].replies.items():
        for text in reply.variants:
            yield reply_id, text


@languages
def test_every_id_is_written(bundle: Bundle, language: Language) -> None:
    replies = bundle.replies[language].replies
    assert set(replies) >= IDS | MEMORY_IDS | {"memory.known_nothing", "memory.source_nothing"}
    assert all(len(replies[reply_id].variants) >= 2 for reply_id in VARIED)
    assert all(len(set(reply.variants)) == len(reply.variants) for reply in replies.values())


@languages
def test_placeholders_are_the_engines(bundle: Bundle, language: Language) -> None:
    wanted = {"crisis.line": {"name", "contact"}} | {reply_id: {"lines"} for reply_id in CRISIS} | MEMORY_SLOTS
    for reply_id, text in spoken(bundle, language):
        names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        usual = {"value"} if reply_id.startswith(MEMORY_LINE) else set()
        assert names == wanted.get(reply_id, usual), reply_id


@languages
def test_the_words_are_harmless_and_plain(bundle: Bundle, engine: Engine, language: Language) -> None:
    """No emoji, no quirks, no slang; nothing unsafe, clingy or intimate; never as if a human being spoke (C-16)."""
    for reply_id, text in spoken(bundle, language):
        assert count_emoji(text) == 0, reply_id
        assert shown_quirks(bundle.gates, text) == (), reply_id
        report = check(bundle, engine, GateInput(reply=text, origin=ReplyOrigin.FIXED))
        broken = {violation.gate for violation in report.violations}
        assert not broken & CONTENT_GATES, (reply_id, text, report.violations)
        if not reply_id.startswith("notice."):
            assert GateID.AI_DENIAL not in broken, (reply_id, text)


@languages
def test_texts_are_in_their_language(bundle: Bundle, engine: Engine, language: Language) -> None:
    """Every sentence as the detector sees it, for whoever answers it is answered in its language.

    What is told of memories is labels and few words each; a short one may be taken for a neighbour's.
    """
    labels = ("crisis.line", "memory.known_more", MEMORY_LINE)
    texts = {text: reply_id for reply_id, text in spoken(bundle, language) if not reply_id.startswith(labels)}
    detected = {text: detect_language(normalise(text).match, engine.languages).language for text in texts}
    others = [text for text, seen in detected.items() if seen != language]
    assert [text for text in others if not texts[text].startswith("memory.")] == []
    assert len(others) <= 0.05 * len(texts)


@languages
def test_crisis_words_stay_and_point_to_help(bundle: Bundle, language: Language) -> None:
    """CRISIS-07: warm, with the lines and the emergency number, and no promise of any kind."""
    here = {
        Language.EN: "still here",
        Language.KO: "여기 있어요",
        Language.RU: "Я всё ещё здесь",
        Language.AR: "ما زلت هنا",
        Language.ES: "Sigo aquí",
        Language.FR: "Je suis toujours là",
        Language.DE: "noch",
        Language.IT: "Sono ancora qui",
    }
    for reply_id, text in spoken(bundle, language):
        if reply_id in CRISIS:
            assert here[language] in text
            assert "\n{lines}\n" in text
            assert "?" not in text
    assert all("findahelpline.com" in text for text in bundle.replies[language].replies["crisis.no_line"].variants)


@languages
def test_saying_what_it_is_comes_in_several_lengths(bundle: Bundle, engine: Engine, language: Language) -> None:
    """S-16: so that one fits the friend; each is understood as what it says."""
    sizes = [len(text.split()) for text in bundle.replies[language].replies[SAYS_AI].variants]
    assert min(sizes) <= 6
    assert max(sizes) >= 13
    assert all(says_ai(bundle, engine, text) for text in bundle.replies[language].replies[SAYS_AI].variants)


def test_created_users_are_told_to_finish(bundle: Bundle) -> None:
    """ONB-01."""
    for text in bundle.replies[Language.EN].replies["refusal.created"].variants:
        assert any(word in text.lower() for word in ("finish", "complete", "profile", "question"))


@languages
def test_every_clause_can_stand_where_it_is_put(bundle: Bundle, language: Language) -> None:
    """The composer's clauses bring no marks of their own, and what is hung on brings its comma."""
    texts = bundle.replies[language].composer
    every = (*texts.tones.values(), texts.farewell, texts.info, texts.joy, texts.itself, *texts.moments.values())
    for clauses in every:
        assert all(main[-1].isalpha() or main[-1] == "'" for main in (*clauses.say, *clauses.stay))
        comma = "،" if language is Language.AR else ","
        for part in (*clauses.add, *clauses.more):
            assert (part[-1] if language is Language.KO else part[0]) == comma, part
        for group in (clauses.say, clauses.stay, clauses.add, clauses.more):
            assert len(set(group)) == len(group)
    owned = [mains for own in texts.archetypes.values() for mains in (own.quiet, own.lively)]
    assert all(main[-1].isalpha() or main[-1] == "'" for mains in owned for main in (*mains.say, *mains.stay))
    for own in texts.archetypes.values():
        assert own.moments.keys() <= {"share_joy", *texts.moments}
        assert all(main[-1].isalpha() for mains in own.moments.values() for main in mains)
    questions = [*texts.questions, *(question for clauses in every for question in clauses.questions)]
    assert all(question.rstrip()[-1] in "?؟" for question in questions)


DAYTIMES = {
    Language.EN: ("evening", "rest of the day"),
    Language.KO: ("저녁", "남은 하루"),
    Language.RU: ("вечер", "остат"),
    Language.AR: ("مساء", "بقية يوم"),
    Language.ES: ("tarde", "resto del día"),
    Language.FR: ("soirée", "journée"),
    Language.DE: ("abend", "durch den tag"),
    Language.IT: ("serata", "giornata"),
}


@languages
def test_a_goodbye_fits_every_hour(bundle: Bundle, language: Language) -> None:
    """Nobody who says good night is wished a good day: the composer does not know how late it is."""
    farewell = bundle.replies[language].composer.farewell
    for clause in (*farewell.say, *farewell.add, *farewell.more):
        assert not [word for word in DAYTIMES[language] if word in clause.casefold()], clause
