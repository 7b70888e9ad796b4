"""The friends can be told apart by their words alone (PERS-04, PLAN-02)."""

from dataclasses import replace

import pytest
from tests.reply.situations import CHAIR, composing, decided, planned, style_of
from tests.reply.voices import guess_voices

from chingoo.engine.engine import Engine
from chingoo.model.enums import Language, Mode, Pipeline
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.replies import Clauses, ComposerTexts
from chingoo.reply.composer import compose
from chingoo.reply.typed import casual

languages = pytest.mark.parametrize("language", list(Language), ids=str)
TURNS = 24


def test_a_reply_tells_who_wrote_it(bundle: Bundle, engine: Engine) -> None:
    """Blind, one of 24 friends is guessed far more often than by chance, and its archetype mostly."""
    guesses = guess_voices(bundle, engine, replies=16)
    assert guesses.friends >= 11 / len(bundle.personas), guesses.mistaken.most_common(8)
    assert guesses.archetypes >= 0.7, guesses.mistaken.most_common(8)


def all_clauses(texts: ComposerTexts) -> tuple[Clauses, ...]:
    """Of every tone and every moment."""
    return (*texts.tones.values(), texts.farewell, texts.info, texts.joy, texts.itself, *texts.moments.values())


def said_by(bundle: Bundle, engine: Engine, template: str, language: Language, **situation: object) -> list[str]:
    """What a friend says of a blue chair, many times over."""
    decision = decided(engine, CHAIR[language], reply_language=language.value, **situation)  # type: ignore[arg-type]
    persona = bundle.personas[template]
    return [compose(bundle, engine, composing(bundle, decision, persona, seed=turn * 101)) for turn in range(TURNS)]


@languages
def test_everybody_begins_in_a_way_of_their_own(bundle: Bundle, engine: Engine, language: Language) -> None:
    """In everyday talk, again and again, and nobody else does; never to somebody who hurts."""
    leads = bundle.replies[language].composer.leads
    assert set(leads) == set(bundle.personas)
    every = [lead.casefold() for own in leads.values() for lead in own]
    assert len(every) == len(set(every))
    for template, own in leads.items():
        begun = tuple(lead.casefold() for lead in own)
        everyday = said_by(bundle, engine, template, language)
        assert 4 <= sum(text.casefold().startswith(begun) for text in everyday) <= TURNS - 2, template
        for serious in ({"valence": -0.7, "pipeline": Pipeline.EMOTIONAL_SUPPORT}, {"pipeline": Pipeline.INFO_QA}):
            for text in said_by(bundle, engine, template, language, **serious)[:8]:
                assert not text.casefold().startswith(tuple(f"{lead}," for lead in begun)), text


@languages
def test_habits_of_punctuation_are_the_friends_own(bundle: Bundle, engine: Engine, language: Language) -> None:
    """PERS-03: shown by those who have them, in everyday talk alone; shorthand is typed without capitals."""
    habits = bundle.replies[language].composer.habits
    for template, persona in bundle.personas.items():
        style = planned(bundle, decided(engine, CHAIR[language]), persona).constraints
        everyday = "\n".join(said_by(bundle, engine, template, language))
        serious = "\n".join(said_by(bundle, engine, template, language, valence=-0.7)[:8])
        for habit, ending in habits.items():
            assert (ending in everyday) is (habit in style.quirks), (template, habit)
            assert ending not in serious, (template, habit)
        if language is Language.EN:
            small = sum(line[:1].islower() for line in everyday.splitlines())
            assert (small > 0) is (persona.lexicon_bias.language_cleanliness == "internet_shorthand"), template


@languages
def test_no_sentence_is_joined_twice_with_the_same_word(bundle: Bundle, language: Language) -> None:
    """Two main clauses with a tail: some tail begins with another word than the one that joins the two."""
    texts = bundle.replies[language].composer
    joint = texts.pair.partition("{main}")[2].strip(" ,،").partition(" ")[0]
    for clauses in all_clauses(texts):
        assert {more.strip(" ,،").partition(" ")[0].casefold() for more in clauses.more} - {joint}


@languages
def test_no_sentence_has_two_tails(bundle: Bundle, engine: Engine, language: Language) -> None:
    """Nor does a reply hear one twice, however long the friend's sentences are."""
    texts = bundle.replies[language].composer
    decision = decided(engine, CHAIR[language], reply_language=language.value)
    for template in bundle.personas.values():
        forms = texts.casual.get(style_of(bundle, template).lexicon_bias, {})
        tails = {casual(tail, forms) for clauses in all_clauses(texts) for tail in (*clauses.add, *clauses.more)}
        for seed in range(6):
            said = compose(bundle, engine, composing(bundle, decision, template, seed=seed * 101))
            for sentence in said.split(". "):
                assert sum(tail in sentence for tail in tails) <= 1, said
            assert all(said.count(tail) <= 1 for tail in tails), said


def test_in_intimate_mode_the_chosen_voice_is_heard(bundle: Bundle, engine: Engine) -> None:
    """PERS-20: no lead of the friend's own before it."""
    decision = decided(engine, CHAIR[Language.EN])
    for template, own in bundle.replies[Language.EN].composer.leads.items():
        begun = tuple(f"{lead.casefold()}," for lead in own)
        for seed in range(8):
            given = composing(bundle, decision, bundle.personas[template], seed=seed * 101)
            close = replace(given, gates=replace(given.gates, mode=Mode.INTIMATE))
            assert not compose(bundle, engine, close).casefold().startswith(begun), template
