"""What a language needs so that statements about oneself are heard: frames of speech, words around them, and things."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chingoo.policy.documents.base import Entry, Place

Slot = Literal[
    "city", "origin", "role", "job", "employer", "school", "study", "major", "language", "timezone", "number", "thing"
]
"""What stands beside a phrase, and how it is read (memory.slots)."""

RelationSlot = Slot | Literal["count", "span", "clock"]
"""The same for relations, which know amounts and times as well."""


@dataclass(frozen=True, slots=True)
class Stance:
    """How liking or disliking is said.

    `phrases` are whole (`me gusta`, `i'm into`); `verbs` count only after a word for oneself (`love`); `closing` are
    phrases after what they are about (`초밥을 좋아해`, `Fußball mag ich`).
    """

    place: Place
    phrases: tuple[Entry, ...] = ()
    verbs: tuple[Entry, ...] = ()
    closing: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class FactFrame:
    """How one fact about oneself is said (MEM-01): `slot` says what is read beside the phrase, and so its key.

    `open` takes a thing of no list, where the phrase leaves no doubt.
    """

    place: Place
    slot: Slot
    phrases: tuple[Entry, ...] = ()
    verbs: tuple[Entry, ...] = ()
    closing: tuple[Entry, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class EventFrame:
    """How one kind of event is told (MEM-03): `phrases`, or `nouns` with a word of one's own or of time nearby."""

    place: Place
    domain: str
    slug: str
    phrases: tuple[Entry, ...] = ()
    nouns: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class FeelingFrame:
    """How an emotional pattern is stated (MEM-04): the word of `values` after a phrase of `phrases` is the value."""

    place: Place
    pattern: str
    phrases: tuple[Entry, ...]
    values: tuple[Entry, ...]
    side: Literal["after", "before"] = "after"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The words around statements.

    `selves` stand for the speaker before a verb; `adverbs` may stand between; `fillers` may stand before a thing;
    `articles` are left off a value; `joins` join two things, `buts` part a sentence; `binders` make a thing part of
    another one; `followers` are all that may follow a thing where `strict`; `negations` turn a statement around.
    `others` are people who are not the speaker; `companions` are endings that say *with*, `subjects` those that mark
    who does something, `copulas` those that say *is*. `own` and `times` go with event nouns. `neither` and `plain`
    phrases hide what is said inside them. `refused` are no values. `cased`: the script has capitals; `unmarked`: the
    forms of verbs do not say who acts.
    """

    place: Place
    selves: tuple[str, ...] = ()
    adverbs: tuple[str, ...] = ()
    fillers: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    buts: tuple[str, ...] = ()
    binders: tuple[str, ...] = ()
    followers: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    copulas: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    schools: tuple[str, ...] = ()
    others: tuple[Entry, ...] = ()
    own: tuple[Entry, ...] = ()
    times: tuple[Entry, ...] = ()
    hedges: tuple[Entry, ...] = ()
    supposed: tuple[Entry, ...] = ()
    reported: tuple[Entry, ...] = ()
    past: tuple[Entry, ...] = ()
    joking: tuple[Entry, ...] = ()
    asking: tuple[Entry, ...] = ()
    asking_back: tuple[Entry, ...] = ()
    neither: tuple[Entry, ...] = ()
    plain: tuple[Entry, ...] = ()
    strict: bool = False
    cased: bool = True
    unmarked: bool = False


@dataclass(frozen=True, slots=True)
class ListeningDocument:
    """One language's ways of saying what may be remembered (MEM-06). `favourites` announce a thing of one category."""

    place: Place
    like: Stance
    dislike: Stance
    around: Surroundings
    favourites: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)
    facts: tuple[FactFrame, ...] = ()
    events: tuple[EventFrame, ...] = ()
    feelings: tuple[FeelingFrame, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemsDocument:
    """One language's things: what can be liked, by category (MEM-02); places, countries, jobs, subjects, workplaces."""

    place: Place
    liked: Mapping[str, tuple[Entry, ...]]
    cities: tuple[Entry, ...] = ()
    countries: tuple[Entry, ...] = ()
    jobs: tuple[Entry, ...] = ()
    subjects: tuple[Entry, ...] = ()
    workplaces: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class RelationPattern:
    """How one canonical relation is said (HEXT-01, HEXT-06).

    `self` are whole forms of the speaker, `verbs` need a word for oneself before them, `other` are forms of anybody
    else; one of `prepositions` must follow within a few words (none: the object stands right after), and one of
    `closing`, if given, somewhere in the clause. `parsed` are forms of verbs in the present that only a grammar
    parser finds, where there is one (HEXT-05). `general` ones hold only where nothing more specific is said in the
    sentence (HEXT-02).
    """

    place: Place
    relation: str
    slot: RelationSlot | None = None
    self_: tuple[Entry, ...] = ()
    verbs: tuple[Entry, ...] = ()
    other: tuple[Entry, ...] = ()
    parsed: tuple[Entry, ...] = ()
    prepositions: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    key: str | None = None
    general: bool = False


@dataclass(frozen=True, slots=True)
class RelationsDocument:
    """One language's relations (§22), and the words that stand for people and things named before (HEXT-09)."""

    place: Place
    patterns: tuple[RelationPattern, ...]
    possessives: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
