"""patterns/instant/, synonyms.yaml and anchors.yaml: how people state facts that are remembered at once (§18)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chingoo.policy.documents.base import Entry, Place

InstantFamily = Literal["body_params", "allergy", "hard_ban", "budget", "life_event"]
"""The guaranteed families that a message can fill."""

Words = Mapping[str, tuple[Entry, ...]]
"""Words by language."""


@dataclass(frozen=True, slots=True)
class InstantPattern:
    """Phrases of one kind in one language; `say` is written as in patterns/README.md (INST-02)."""

    place: Place
    id: str
    family: InstantFamily
    say: tuple[str, ...]
    version: int = 1
    owner: str | None = None
    since: str | None = None
    review_by: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class SpeechWords:
    """Small words around a fact: what makes it no fact (S-32), what joins things, and what is no part of them."""

    place: Place
    negations: tuple[Entry, ...] = ()
    doubts: tuple[Entry, ...] = ()
    doubts_after: tuple[Entry, ...] = ()
    others: tuple[Entry, ...] = ()
    joins: tuple[Entry, ...] = ()
    breaks: tuple[Entry, ...] = ()
    leads: tuple[Entry, ...] = ()
    fillers: tuple[Entry, ...] = ()
    links: tuple[Entry, ...] = ()
    stops: tuple[Entry, ...] = ()
    specific: tuple[Entry, ...] = ()
    empty: tuple[Entry, ...] = ()


DateOrder = Literal["day", "month", "year"]
"""What days in numbers begin with."""


@dataclass(frozen=True, slots=True)
class NumberedDays:
    """Days in numbers: what they begin with, and the words behind which two numbers are a day and a month."""

    place: Place
    first: DateOrder
    after: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class DatePhrases:
    """How days to come are said. `{count}`, `{unit}`, `{day}`, `{month}`, `{year}` and `{weekday}` are filled in."""

    place: Place
    after: tuple[str, ...] = ()
    one: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    this: tuple[str, ...] = ()
    month: tuple[str, ...] = ()
    day: tuple[str, ...] = ()
    weekday: tuple[str, ...] = ()
    weekday_next_week: tuple[str, ...] = ()
    today: tuple[str, ...] = ()
    tomorrow: tuple[str, ...] = ()
    in_two_days: tuple[str, ...] = ()
    numbers: NumberedDays | None = None


@dataclass(frozen=True, slots=True)
class InstantDocument:
    """One language's patterns. `reads_also` names the languages whose small words hold beside its own."""

    place: Place
    patterns: tuple[InstantPattern, ...]
    speech: SpeechWords
    dates: DatePhrases
    reads_also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SynonymsDocument:
    """patterns/synonyms.yaml: by kind, what a thing is called in keys, and its words in all languages (INST-10).

    `same` are the names of one liked thing in different languages, by category (NORM-10).
    """

    place: Place
    values: Mapping[str, Mapping[str, Words]]
    same: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Anchor:
    """Words beside which a number means something, and the numbers that it may be."""

    place: Place
    words: Words
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest number that is believed."""

    place: Place
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class FactBounds:
    """How much of one message is looked at: the first words, the first places for facts, the first of these facts."""

    place: Place
    most_words: int
    most_hits: int
    most_facts: int


@dataclass(frozen=True, slots=True)
class ThingSlot:
    """A slot of the patterns that takes things: of which kinds, and whether also what is not listed.

    `joined`: neighbours of different kinds are one thing, named in the order of `kinds` (leather_jacket).
    """

    place: Place
    family: InstantFamily
    kinds: tuple[str, ...]
    unlisted: bool = False
    joined: bool = False


@dataclass(frozen=True, slots=True)
class EventKind:
    """What a kind of event is told apart by in its key: whose it is, or the month (INST-05)."""

    place: Place
    people: bool = False
    month: bool = False


@dataclass(frozen=True, slots=True)
class Compounds:
    """Things written together with what follows them (Nickelallergie): the word behind, and the letters between."""

    place: Place
    slot: str
    tails: tuple[str, ...]
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnchorsDocument:
    """patterns/anchors.yaml: which numbers are sizes, and what slots take (INST-06, INST-07, C-36, C-24)."""

    place: Place
    within_characters: int
    clothes: Anchor
    shoes: Anchor
    other_sizes: Words
    height_cm: Bounds
    weight_kg: Bounds
    slots: Mapping[str, ThingSlot]
    compounds: Mapping[str, Compounds]
    events: Mapping[str, EventKind]
    event_within_words: int
    person_within_words: int
    event_behind_small_words: int
    years_ahead: int
    bounds: FactBounds
    unlisted_within_words: int
