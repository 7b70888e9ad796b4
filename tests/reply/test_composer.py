"""The offline composer: inside the friend's own bands, whoever it is and whatever it answers (GATE-03, C-78)."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reply.situations import CHAIR, composing, decided, planned, style_of

from chingoo.engine.engine import Engine
from chingoo.model.enums import EmojiFreq, HumorMode, Language, Length, Pipeline, RelationshipStage, ReplyOrigin
from chingoo.model.people import StableStyleParams
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.planning import Tone
from chingoo.reply.composer import LAST_RESORT, ComposeInput, compose, fitting_emoji
from chingoo.reply.disclosure import says_ai
from chingoo.reply.gates import check
from chingoo.reply.gates.report import GateReport
from chingoo.reply.typed import casual

KINDS: dict[str, dict[str, Any]] = {
    "talk": {},
    "bad day": {"valence": -0.7},
    "support": {"pipeline": Pipeline.EMOTIONAL_SUPPORT, "valence": -0.7},
    "question": {"pipeline": Pipeline.INFO_QA},
    "how are you": {"pipeline": Pipeline.INFO_QA, "asks_about_friend": True},
    "first words": {"pipeline": Pipeline.ONBOARDING_CHAT},
    "goodbye": {"farewell": True},
    "are you an AI": {"asks_if_ai": True},
}
languages = pytest.mark.parametrize("language", list(Language), ids=str)


def verdict(bundle: Bundle, engine: Engine, given: ComposeInput, text: str) -> GateReport:
    return check(bundle, engine, replace(given.gates, reply=text, origin=ReplyOrigin.OFFLINE))


def as_typed(bundle: Bundle, language: Language, template: PersonaTemplate, clause: str) -> str:
    """A clause in the short forms of a friend's register, for looking it up in what the friend said."""
    forms = bundle.replies[language].composer.casual.get(style_of(bundle, template).lexicon_bias, {})
    return casual(clause, forms).casefold()


@languages
def test_every_friend_at_every_stage_passes_every_gate(bundle: Bundle, engine: Engine, language: Language) -> None:
    """All 24 templates, four stages, every kind of turn."""
    for kind, situation in KINDS.items():
        for template in bundle.personas.values():
            decision = decided(
                engine, CHAIR[language], taboo=template.taboo_soft_bounds, reply_language=language.value, **situation
            )
            for seed, stage in enumerate(RelationshipStage):
                given = composing(bundle, decision, template, stage=stage, seed=seed * 31 + 7)
                text = compose(bundle, engine, given)
                report = verdict(bundle, engine, given, text)
                assert report.passed, (template.id, stage, kind, text, report.violations)
                assert text not in bundle.replies[language].replies[LAST_RESORT].variants
                if kind == "are you an AI":
                    assert says_ai(bundle, engine, text)


@settings(max_examples=60, deadline=None)
@given(
    template=st.integers(1, 24),
    language=st.sampled_from(list(Language)),
    length=st.sampled_from(list(Length)),
    emoji=st.sampled_from(list(EmojiFreq)),
    humor=st.sampled_from(list(HumorMode)),
    quirks=st.integers(0, 2),
    kind=st.sampled_from(sorted(KINDS)),
    seed=st.integers(0, 2**32 - 1),
)
def test_mutated_friends_pass_too(
    bundle: Bundle,
    engine: Engine,
    template: int,
    language: Language,
    length: Length,
    emoji: EmojiFreq,
    humor: HumorMode,
    quirks: int,
    kind: str,
    seed: int,
) -> None:
    """Every style that assignment can give; the same seed says the same."""
    persona = bundle.personas[f"PT{template:02d}"]
    style: StableStyleParams = replace(
        style_of(bundle, persona),
        msg_length_pref=length,
        emoji_freq=emoji,
        humor_mode=humor,
        punctuation_quirks=quirks,
    )
    decision = decided(engine, CHAIR[language], reply_language=language.value, **KINDS[kind])
    given_ = composing(bundle, decision, persona, style=style, seed=seed)
    text = compose(bundle, engine, given_)
    assert verdict(bundle, engine, given_, text).passed
    assert text == compose(bundle, engine, given_)


@languages
@pytest.mark.parametrize("template", ["PT03", "PT09", "PT23"])  # short, medium, long
def test_a_hundred_turns_never_repeat(bundle: Bundle, engine: Engine, language: Language, template: str) -> None:
    """GATE-08, GATE-09: given the replies before, no opener and no likeness trips, and questions stay rare."""
    said: list[str] = []
    decision = decided(engine, CHAIR[language], reply_language=language.value)
    for turn in range(100):
        given = composing(bundle, decision, bundle.personas[template], previous=said, seed=turn * 7919)
        text = compose(bundle, engine, given)
        assert verdict(bundle, engine, given, text).passed
        said.append(text)
    assert len(set(said)) > 90


@languages
def test_archetypes_can_be_told_apart(bundle: Bundle, engine: Engine, language: Language) -> None:
    """In most replies stands a clause that no other archetype says; on the day after a crisis none does."""
    decision = decided(engine, CHAIR[language], reply_language=language.value)
    own = {
        archetype: [text for mains in (one.quiet, one.lively) for text in (*mains.say, *mains.stay)]
        for archetype, one in bundle.replies[language].composer.archetypes.items()
    }
    every = [text for texts in own.values() for text in texts]
    assert len(every) == len(set(every))
    for template in bundle.personas.values():
        heard = partial(as_typed, bundle, language, template)
        given = [composing(bundle, decision, template, seed=turn * 7919) for turn in range(12)]
        said = [compose(bundle, engine, one).casefold() for one in given]
        marked = [text for text in said if any(heard(one) in text for one in own[template.core_archetype])]
        assert len(marked) >= 6, template.id
        gentle = replace(given[0], plan=planned(bundle, decision, template, gentle=True))
        text = compose(bundle, engine, gentle).casefold()
        assert not any(heard(one) in text for one in every), (template.id, text)


SMALL_TALK = {
    Language.EN: "what are you up to",
    Language.KO: "지금 뭐 하고 있어?",
    Language.RU: "как дела?",
    Language.AR: "كيف حالك؟",
    Language.ES: "¿cómo estás?",
    Language.FR: "comment vas-tu ?",
    Language.DE: "wie geht es dir?",
    Language.IT: "come stai?",
}


@languages
def test_asked_how_it_is_it_answers_that(bundle: Bundle, engine: Engine, language: Language) -> None:
    """Small talk about the friend is a question to the router (ROUTE-08), and is not answered as one of fact."""
    decision = decided(engine, SMALL_TALK[language])
    assert decision.signals.asks_about_friend
    decision = decided(engine, SMALL_TALK[language], pipeline=Pipeline.INFO_QA)
    composer = bundle.replies[language].composer
    for template in bundle.personas.values():
        heard = partial(as_typed, bundle, language, template)
        text = compose(bundle, engine, composing(bundle, decision, template)).casefold()
        assert any(heard(clause) in text for clause in composer.itself.say), text
        assert not any(heard(clause) in text for clause in (*composer.info.say, *composer.info.stay))


def test_asked_how_to_it_is_a_question_of_fact(engine: Engine) -> None:
    for text in ("how are you supposed to boil an egg?", "what is the capital of Peru?", "how are the roads today?"):
        assert not decided(engine, text).signals.asks_about_friend


@languages
def test_many_goodbyes_stay_goodbyes(bundle: Bundle, engine: Engine, language: Language) -> None:
    said: list[str] = []
    decision = decided(engine, CHAIR[language], reply_language=language.value, farewell=True)
    for turn in range(30):
        given = composing(bundle, decision, bundle.personas["PT07"], previous=said, seed=turn * 7919)
        said.append(compose(bundle, engine, given))
        assert verdict(bundle, engine, given, said[-1]).passed
        assert "?" not in said[-1]


def test_the_last_resort_passes_what_matters(bundle: Bundle, engine: Engine) -> None:
    """Where no candidate can pass – nothing may be said that begins with any words – there is still a reply."""
    impossible = replace(
        bundle,
        gates=replace(
            bundle.gates, emoji={name: replace(band, min=9, max=9) for name, band in bundle.gates.emoji.items()}
        ),
    )
    for language in Language:
        decision = decided(engine, CHAIR[language], reply_language=language.value)
        given = composing(impossible, decision, bundle.personas["PT01"])
        text = compose(impossible, engine, given)
        assert text in bundle.replies[language].replies[LAST_RESORT].variants
        assert check(impossible, engine, replace(given.gates, reply=text, origin=ReplyOrigin.SAFE)).passed


def test_no_grin_beside_sorrow(bundle: Bundle, engine: Engine) -> None:
    """Quiet emoji where the tone is supportive or calm, and on the day after a crisis."""
    template = bundle.personas["PT06"]
    quiet = bundle.gates.repairs.emoji
    sad = decided(engine, CHAIR[Language.EN], pipeline=Pipeline.EMOTIONAL_SUPPORT)
    plain = decided(engine, CHAIR[Language.EN])
    assert fitting_emoji(bundle, template, planned(bundle, sad, template)) == quiet
    assert fitting_emoji(bundle, template, planned(bundle, plain, template)) == template.emoji
    assert fitting_emoji(bundle, template, planned(bundle, plain, template, gentle=True)) == quiet


GOOD_NEWS = {
    Language.EN: "I got the job!",
    Language.KO: "나 시험 합격했어!",
    Language.RU: "я сдала экзамен!",
    Language.AR: "نجحت في الامتحان!",
    Language.ES: "¡Me ascendieron en el trabajo!",
    Language.FR: "j'ai eu le poste !",
    Language.DE: "Ich habe die Prüfung bestanden!",
    Language.IT: "mi hanno assunta!",
}
LOSSES = {
    Language.EN: "my cat died this morning",
    Language.KO: "강아지가 죽었어",
    Language.RU: "умерла моя кошка",
    Language.AR: "توفي جدي",
    Language.ES: "murió mi perro",
    Language.FR: "on a rompu hier soir",
    Language.DE: "mein Opa ist gestorben",
    Language.IT: "mi hanno licenziato",
}


@pytest.mark.parametrize("language", list(GOOD_NEWS), ids=str)
def test_good_news_makes_every_friend_glad(bundle: Bundle, engine: Engine, language: Language) -> None:
    """A friend without jokes is glad as well, and has enough words for a month of good news."""
    texts = bundle.replies[language].composer.joy
    for template in bundle.personas.values():
        own = bundle.replies[language].composer.archetypes[template.core_archetype].moments["share_joy"]
        glad = {as_typed(bundle, language, template, clause) for clause in (*texts.say, *texts.stay, *own)}
        earlier: list[str] = []
        for seed in range(5):
            given = composing(bundle, decided(engine, GOOD_NEWS[language]), template, seed=seed, previous=earlier)
            earlier.append(compose(bundle, engine, given))
            assert any(clause in earlier[-1].casefold() for clause in glad), earlier[-1]


@pytest.mark.parametrize("language", list(LOSSES), ids=str)
def test_a_loss_is_met_without_jokes(bundle: Bundle, engine: Engine, language: Language) -> None:
    """Nobody needs to name a feeling for it: a death, a parting, a job gone."""
    for template in bundle.personas.values():
        given = composing(bundle, decided(engine, LOSSES[language]), template)
        assert given.plan.emotional_tone in (Tone.SUPPORTIVE, Tone.CALM), template.id
