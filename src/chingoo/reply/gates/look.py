"""One look at a reply, shared by all gates: its words, sentences, emoji, and its likeness to earlier replies."""

from dataclasses import dataclass

from chingoo.engine.engine import Engine
from chingoo.engine.hits import Hit
from chingoo.engine.scan import Scan
from chingoo.engine.sights import seen
from chingoo.model.enums import TopicID
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Sight
from chingoo.policy.documents.gates import GatesDocument
from chingoo.reply.gates.report import GateInput, Measures
from chingoo.text.emoji import count_emoji, strip_leading_emoji
from chingoo.text.language import detect_language
from chingoo.text.normalise import NormalisedText, normalise
from chingoo.text.sentences import split_sentences
from chingoo.text.similarity import OPENER_TOKENS, jaccard

_QUESTION_MARKS = ("?", "？", "؟")
_CLOSERS = "\"'”’»)]} "

Trigrams = frozenset[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply as repetition sees it."""

    opener: str
    trigrams: Trigrams


@dataclass(frozen=True, slots=True)
class Look:
    """Everything the gates share. `own_languages` are those whose everyday words count in this reply."""

    policy: GatesDocument
    engine: Engine
    given: GateInput
    text: NormalisedText
    scan: Scan
    language: str
    own_languages: frozenset[str]
    abbreviations: frozenset[str]
    sensitive_topics: tuple[TopicID, ...]
    sentences: tuple[str, ...]
    previous: tuple[Spoken, ...]
    measures: Measures

    def hits(self, sight: Sight) -> tuple[Hit, ...]:
        """The hits by which a sight is seen in the reply, or none."""
        return seen(sight, self.scan) or ()

    @property
    def questions(self) -> int:
        """How many sentences of the reply ask."""
        return sum(is_question(sentence) for sentence in self.sentences)


def look_at(bundle: Bundle, engine: Engine, given: GateInput) -> Look:
    """Measure a reply once."""
    policy = bundle.gates
    text = normalise(given.reply)
    scan = engine.output_matcher.scan(text)
    detected = detect_language(text.match, engine.languages)
    abbreviations = abbreviations_of(bundle, detected.language)
    sentences = tuple(split_sentences(given.reply, abbreviations))
    window = given.previous_replies[-policy.repetition.window :] if policy.repetition.window else ()
    previous = tuple(spoken(reply) for reply in window)
    this = spoken(given.reply)
    measures = Measures(
        emoji_count=count_emoji(given.reply),
        sentence_count=len(sentences),
        avg_words_per_sentence=_average_words(sentences),
        opener_norm=this.opener,
        max_similarity=max((jaccard(this.trigrams, other.trigrams) for other in previous), default=0.0),
        personal_fact_count=len({surfaced.memory_id for surfaced in given.surfaced}),
    )
    return Look(
        policy=policy,
        engine=engine,
        given=given,
        text=text,
        scan=scan,
        language=detected.language,
        own_languages=engine.spoken.around(detected.language, sure=detected.sure),
        abbreviations=abbreviations,
        sensitive_topics=bundle.topics.sensitive,
        sentences=sentences,
        previous=previous,
        measures=measures,
    )


def abbreviations_of(bundle: Bundle, language: str) -> frozenset[str]:
    """Short forms of a language whose dot does not end a sentence."""
    return frozenset(bundle.lexicons["abbreviations"].sets.get(language, ()))


def spoken(reply: str) -> Spoken:
    """A reply's opener and trigrams, in one normalisation where no emoji leads (GATE-07, GATE-09)."""
    tokens = normalise(reply).tokens
    bare = strip_leading_emoji(reply)
    opening = tokens if bare == reply.lstrip() else normalise(bare).tokens
    trigrams = frozenset(zip(tokens, tokens[1:], tokens[2:], strict=False))
    return Spoken(" ".join(opening[:OPENER_TOKENS]), trigrams)


def is_question(sentence: str) -> bool:
    """Whether a sentence ends as a question."""
    closing = sentence.rstrip(_CLOSERS)
    tail = closing[len(closing.rstrip("?？؟!！.…")) :]
    return any(mark in tail for mark in _QUESTION_MARKS)


def _average_words(sentences: tuple[str, ...]) -> float:
    """Whitespace tokens a sentence (GATE-11), rounded so that a boundary is where it is written."""
    if not sentences:
        return 0.0
    return round(sum(len(sentence.split()) for sentence in sentences) / len(sentences), 4)
