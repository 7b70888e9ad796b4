"""policies/replies/<lang>.yaml: every fixed word the service says, by id, in one language."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from chingoo.model.enums import CoreArchetype, Language, LexiconBias
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.planning import Tone


@dataclass(frozen=True, slots=True)
class FixedReply:
    """A fixed reply: one or more variants, each with `{placeholders}`; which is said depends on the message alone."""

    place: Place
    variants: tuple[str, ...]
    note: str | None = None


class OwnStay(StrEnum):
    """Which of an archetype's own clauses are meant."""

    QUIET = "quiet"
    LIVELY = "lively"


@dataclass(frozen=True, slots=True)
class Clauses:
    """What sentences of one tone or one moment are made of.

    Main clauses, each of which can stand as a sentence: `say` answers what was said, `stay` is about being there. Any
    of them goes with any `add`, and any two of `stay` with any `more`: a sentence has one tail at most. `questions`
    fit what was said; without them the composer's own are asked. `own_stay` says whether the archetype may stay with it
    in its own words, and in which.
    """

    place: Place
    say: tuple[str, ...]
    stay: tuple[str, ...]
    add: tuple[str, ...]
    more: tuple[str, ...]
    questions: tuple[str, ...] = ()
    own_stay: OwnStay | None = None


@dataclass(frozen=True, slots=True)
class Mains:
    """Main clauses alone: what `say` and `stay` of a tone are replaced by."""

    place: Place
    say: tuple[str, ...]
    stay: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnClauses:
    """Main clauses of one archetype: `quiet` ones for somebody who hurts, `lively` ones for everything else.

    `moments` answer what a step of the plan's outline asks for, in the archetype's own way.
    """

    place: Place
    quiet: Mains
    lively: Mains
    moments: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ComposerTexts:
    """What the offline composer is made of, in one language.

    `short`, `medium`, `pair` and `long` say how a sentence is put together from `{main}`, `{other}`, `{add}` and
    `{more}`, in the order of the language. `hint` puts an interjection before a sentence, whose first letter becomes
    small unless its first word is one of `keep_capital`. `leads` are what each template likes to begin with, `habits`
    the endings of sentences that stand for habits of punctuation. `close` is said among friends where others hear a
    `stay`. `archetypes` holds what tells friends apart: each says its own main clauses more often than the shared ones
    of the tone. `moments` are the clauses for steps of the plan's outline that no tone can answer; `casual` is what a
    register makes of stiff words.
    """

    place: Place
    short: str
    medium: str
    pair: str
    long: str
    hint: str
    keep_capital: tuple[str, ...]
    hints: Mapping[LexiconBias, tuple[str, ...]]
    casual: Mapping[LexiconBias, Mapping[str, str]]
    habits: Mapping[str, str]
    leads: Mapping[str, tuple[str, ...]]
    tones: Mapping[Tone, Clauses]
    farewell: Clauses
    info: Clauses
    joy: Clauses
    itself: Clauses
    moments: Mapping[str, Clauses]
    close: tuple[str, ...]
    archetypes: Mapping[CoreArchetype, OwnClauses]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepliesDocument:
    """All fixed replies of one language."""

    place: Place
    language: Language
    replies: Mapping[str, FixedReply]
    composer: ComposerTexts
