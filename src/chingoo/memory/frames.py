"""The frames of speech of all languages, made ready: which list of the matcher stands for what."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from chingoo.engine.engine import match_tables
from chingoo.engine.images import Matchers
from chingoo.engine.matcher import Matcher
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry, Place, WordList
from chingoo.policy.documents.listening import (
    EventFrame,
    FactFrame,
    FeelingFrame,
    ListeningDocument,
    RelationPattern,
    Stance,
    Surroundings,
)
from chingoo.text.normalise import match_form

VETOES = ("hedges", "supposed", "reported", "past", "joking", "asking", "asking_back", "neither", "plain")
NEARBY = ("others", "own", "times")
THINGS = ("cities", "countries", "jobs", "subjects", "workplaces")
ANY = "any"


class How(Enum):
    """How a phrase stands to what is said with it."""

    PHRASE = auto()
    VERB = auto()
    CLOSING = auto()
    NOUN = auto()


@dataclass(frozen=True, slots=True)
class Liking:
    """A phrase of liking (`like`) or disliking, or of a favourite of one category."""

    like: bool
    category: str | None = None


Meaning = Liking | FactFrame | EventFrame | FeelingFrame | RelationPattern


@dataclass(frozen=True, slots=True)
class Frame:
    """What a list of phrases means, in one language. `other` marks forms of somebody else than the speaker."""

    language: str
    meaning: Meaning
    how: How
    other: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """A language's surroundings, its words in matching form."""

    selves: frozenset[str]
    adverbs: frozenset[str]
    fillers: frozenset[str]
    articles: frozenset[str]
    joins: frozenset[str]
    buts: frozenset[str]
    binders: frozenset[str]
    followers: frozenset[str]
    negations: frozenset[str]
    stops: frozenset[str]
    companions: tuple[str, ...]
    subjects: tuple[str, ...]
    copulas: frozenset[str]
    refused: frozenset[str]
    schools: frozenset[str]
    elisions: tuple[str, ...]
    tails: frozenset[str]
    strict: bool
    cased: bool
    unmarked: bool


@dataclass(frozen=True, slots=True)
class Frames:
    """Everything that listening looks for. `heads` maps list ids to frames, `values` those of feelings to patterns."""

    matcher: Matcher
    heads: Mapping[str, Frame]
    around: Mapping[str, Around]


def build_frames(bundle: Bundle, matchers: Matchers) -> Frames:
    """All frames of a bundle, in one matcher of their own. EntryError: an entry cannot be matched."""
    tables = match_tables(bundle.lexicons)
    collected = _Collected()
    around: dict[str, Around] = {}
    for language, document in bundle.listening.items():
        collected.take_language(language, document)
        tails = tables.hangul_tails if language == "ko" else frozenset[str]()
        around[language] = _around(document.around, tables.elisions.get(language, ()), tails)
    for language, items in bundle.items.items():
        for category, entries in items.liked.items():
            collected.add(f"item.{category}", language, entries)
        for thing in THINGS:
            collected.add(f"thing.{thing}", language, getattr(items, thing))
    for language, relations in bundle.relations.items():
        for index, pattern in enumerate(relations.patterns):
            name = f"relation.{language}.{index}"
            collected.head(f"{name}.self", Frame(language, pattern, How.PHRASE), pattern.self_)
            collected.head(f"{name}.verb", Frame(language, pattern, How.VERB), pattern.verbs)
            collected.head(f"{name}.other", Frame(language, pattern, How.PHRASE, other=True), pattern.other)
    return Frames(matchers.matcher("frames", collected.lists(), tables), collected.heads, around)


class _Collected:
    """Word lists and frames while they are gathered."""

    def __init__(self) -> None:
        self.heads: dict[str, Frame] = {}
        self._entries: dict[str, dict[str, tuple[Entry, ...]]] = {}

    def add(self, list_id: str, language: str, entries: tuple[Entry, ...]) -> None:
        """Take a language's entries of a list."""
        if entries:
            self._entries.setdefault(list_id, {})[language] = entries

    def head(self, list_id: str, frame: Frame, entries: tuple[Entry, ...]) -> None:
        """Take the phrases of a frame."""
        if entries:
            self.heads[list_id] = frame
            self.add(list_id, frame.language, entries)

    def take_language(self, language: str, document: ListeningDocument) -> None:
        """Take all frames of a language and the words around them."""
        for name, stance in (("like", document.like), ("dislike", document.dislike)):
            self._three(f"{name}.{language}", language, Liking(name == "like"), stance)
        for category, entries in document.favourites.items():
            frame = Frame(language, Liking(True, category), How.PHRASE)
            self.head(f"favourite.{language}.{category}", frame, entries)
        for index, fact in enumerate(document.facts):
            self._three(f"fact.{language}.{index}", language, fact, fact)
        for index, event in enumerate(document.events):
            self.head(f"event.{language}.{index}", Frame(language, event, How.PHRASE), event.phrases)
            self.head(f"event.{language}.{index}.noun", Frame(language, event, How.NOUN), event.nouns)
        for index, feeling in enumerate(document.feelings):
            self.head(f"feeling.{language}.{index}", Frame(language, feeling, How.PHRASE), feeling.phrases)
            self.add(f"value.{feeling.pattern}", language, feeling.values)
        for name in (*VETOES, *NEARBY):
            self.add(f"around.{name}", language, getattr(document.around, name))

    def _three(self, name: str, language: str, meaning: Meaning, written: Stance | FactFrame) -> None:
        self.head(f"{name}.phrase", Frame(language, meaning, How.PHRASE), written.phrases)
        self.head(f"{name}.verb", Frame(language, meaning, How.VERB), written.verbs)
        self.head(f"{name}.closing", Frame(language, meaning, How.CLOSING), written.closing)

    def lists(self) -> dict[str, WordList]:
        """The lists for the matcher."""
        return {list_id: WordList(_first_place(entries), entries) for list_id, entries in self._entries.items()}


def _first_place(entries: Mapping[str, tuple[Entry, ...]]) -> Place:
    return next(iter(entries.values()))[0].place


def _around(written: Surroundings, elisions: tuple[str, ...], tails: frozenset[str]) -> Around:
    return Around(
        selves=_words(written.selves),
        adverbs=_words(written.adverbs),
        fillers=_words((*written.fillers, *written.articles, *written.adverbs)),
        articles=_words(written.articles),
        joins=_words(written.joins),
        buts=_words(written.buts),
        binders=_words(written.binders),
        followers=_words((*written.followers, *written.joins, *written.buts, *written.adverbs)),
        negations=_words(written.negations),
        stops=_words(
            (*written.stops, *written.joins, *written.buts, *written.selves, *written.negations, *written.adverbs)
        ),
        companions=tuple(match_form(word) for word in written.companions),
        subjects=tuple(match_form(word) for word in written.subjects),
        copulas=_words(written.copulas),
        refused=_words(written.refused),
        schools=_words(written.schools),
        elisions=elisions,
        tails=tails,
        strict=written.strict,
        cased=written.cased,
        unmarked=written.unmarked,
    )


def _words(written: tuple[str, ...]) -> frozenset[str]:
    return frozenset(match_form(word) for word in written)
