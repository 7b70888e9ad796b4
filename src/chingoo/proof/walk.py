"""What laws look at: a bundle's documents, the lists they declare and use, and the words as they are looked for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from msgspec import Struct

from chingoo.engine.entries import EntryError, Form, entry_name, forms_of
from chingoo.policy.areas import AREAS
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry, Near, Place, Sight, WordList
from chingoo.policy.documents.crisis import CrisisContext, CrisisException, CrisisPhrases, ThirdParty
from chingoo.policy.documents.gates import LexiconLimits, TopicMentions
from chingoo.policy.documents.safety import CountRule
from chingoo.policy.documents.signals import QuestionRule, ValenceRule
from chingoo.policy.documents.topics import TopicRule
from chingoo.policy.documents.weighing import TalkWeighing, Weighing

_NAMES_LISTS: Mapping[type, tuple[str, ...]] = {
    Near: ("lists", "unless"),
    Sight: ("none",),
    TopicRule: ("words",),
    QuestionRule: ("first_words", "anywhere"),
    ValenceRule: ("strengths", "negations", "boosters", "dampeners"),
    CountRule: ("lists", "none", "unless"),
    CrisisPhrases: ("lists",),
    CrisisException: ("covers",),
    ThirdParty: ("lists",),
    CrisisContext: ("words", "hints", "before", "burdens", "whispers"),
    LexiconLimits: ("slang", "shorthand"),
    TopicMentions: ("everyday",),
    Weighing: ("weights",),
    TalkWeighing: ("now", "before"),
}
"""Which fields of which documents hold names of word lists (the keys, where the field is a mapping)."""
_SLOT = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class DeclaredList:
    """A word list and where it is declared."""

    id: str
    words: WordList

    @property
    def place(self) -> Place:
        """Where its name stands."""
        return self.words.place


@dataclass(frozen=True, slots=True)
class ListUse:
    """A name of a word list, the document that uses it (None: an entry does), and the text there that names it."""

    id: str
    place: Place
    written: str
    by: Any = None


class Word(Struct, frozen=True, gc=False):
    """An entry of a list as the matcher looks for it. `error` says why it cannot; then it has no forms."""

    list: DeclaredList
    language: str
    entry: Entry
    forms: tuple[Form, ...]
    error: str | None = None

    @property
    def name(self) -> str:
        """What it is called in hits: entries of one name count once."""
        return entry_name(self.entry)


@dataclass(frozen=True)
class Subject:
    """A bundle before its laws; what several of them need is worked out once."""

    bundle: Bundle

    @cached_property
    def parts(self) -> tuple[Any, ...]:
        """Every document inside every document of the bundle."""
        return tuple(part for document in documents(self.bundle) for part in parts(document))

    @cached_property
    def lists(self) -> tuple[DeclaredList, ...]:
        """Every word list, also when two have the same name."""
        return tuple(
            DeclaredList(name, words)
            for document in documents(self.bundle)
            for name, words in getattr(document, "lists", {}).items()
        )

    @cached_property
    def by_id(self) -> Mapping[str, DeclaredList]:
        """The word lists by name; of two with the same name the first."""
        return {declared.id: declared for declared in reversed(self.lists)}

    @cached_property
    def uses(self) -> tuple[ListUse, ...]:
        """Every use of a word list's name."""
        return tuple(self._uses())

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Every entry of every list, in the order of the files."""
        known = {name: declared.words for name, declared in self.by_id.items()}
        return tuple(
            _word(declared, language, entry, known)
            for declared in self.lists
            for language, entries in declared.words.entries.items()
            for entry in entries
        )

    def _uses(self) -> Iterator[ListUse]:
        for part in self.parts:
            for name in _NAMES_LISTS.get(type(part), ()):
                value = getattr(part, name)
                for used in (value,) if isinstance(value, str) else tuple(value or ()):
                    yield ListUse(used, part.place, used, part)
            if isinstance(part, ValenceRule):
                for used in part.tags.values():
                    yield ListUse(used, part.place, used, part)
        for declared in self.lists:
            for entries in declared.words.entries.values():
                for entry in entries:
                    if entry.requires is not None:
                        yield ListUse(entry.requires, entry.place, entry.requires)
                    for slot in _SLOT.findall(entry.text) if "{" in entry.text else ():
                        yield ListUse(slot, entry.place, entry.text)


def _word(declared: DeclaredList, language: str, entry: Entry, known: Mapping[str, WordList]) -> Word:
    try:
        return Word(declared, language, entry, forms_of(entry, language, known))
    except EntryError as error:
        return Word(declared, language, entry, (), error.what)


def documents(bundle: Bundle) -> Iterator[Any]:
    """The document of every file."""
    for area in AREAS:
        value = getattr(bundle, area.field)
        yield from value.values() if area.keyed else (value,)


def parts(document: Any) -> Iterator[Any]:
    """Every document inside a document, itself first; the entries of word lists are left out."""
    kind = type(document)
    if kind in _NO_PARTS:
        return
    if issubclass(kind, tuple):
        for value in document:
            yield from parts(value)
    elif (names := _field_names(kind)) is not None:
        yield document
        for name in names:
            yield from parts(getattr(document, name))
    elif isinstance(document, Mapping):
        for value in document.values():
            yield from parts(value)


_NO_PARTS = frozenset((str, int, float, bool, type(None), Place, Entry))


_FIELDS: dict[type, tuple[str, ...] | None] = {WordList: ()}
"""What `_field_names` has worked out."""


def _field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a kind of document in which further ones may stand; None for what is no document."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
    return _FIELDS[kind]


def repeated(named: Iterable[tuple[str, Place]]) -> Iterator[tuple[str, Place, Place]]:
    """(name, where it is repeated, where it was first) for every name that comes again."""
    first: dict[str, Place] = {}
    for name, place in named:
        if name in first:
            yield name, place, first[name]
        else:
            first[name] = place
