"""patterns/lexicons/ and patterns/heuristics/: what the engine knows of languages, and what announces a memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chingoo.policy.documents.base import Entry, Place, WordList


@dataclass(frozen=True, slots=True)
class LexiconDocument:
    """One file of patterns/lexicons/: named sets of words, tables of replacements, numbers, and word lists."""

    place: Place
    note: str
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)
    lists: Mapping[str, WordList] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HeuristicsDocument:
    """One language's phrases that announce something worth remembering (MEM-06).

    `object` says on which side of a preference phrase the thing liked stands.
    """

    place: Place
    object: Literal["after", "before"]
    preference: tuple[Entry, ...]
    fact: tuple[Entry, ...]
    event: tuple[Entry, ...]
    correction: tuple[Entry, ...]
