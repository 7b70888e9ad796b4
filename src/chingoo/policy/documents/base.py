"""What all documents are made of: places, list entries and named lists, conditions over lists.

A document is a frozen dataclass whose field names are the YAML keys. Allowed field types: str, int, float, bool, a
StrEnum, Literal, `T | None`, `tuple[T, ...]`, `Mapping[str, T]` (keys may be a StrEnum), and other documents. A field
named `place` is filled by the parser with where the node stands and is no YAML key. A field with a default may be left
out in YAML.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from msgspec import Struct

from chingoo.source.places import Place

__all__ = ["Distances", "Entry", "Near", "Place", "Sight", "View", "WordList"]


class Entry(Struct, frozen=True, gc=False):
    """One word or phrase of a list: a plain scalar, or a mapping with `text`.

    `requires` names a list of which at least one other entry must be seen in the same message for this one to count
    (드립 only beside a sexual hit).
    """

    text: str
    place: Place
    requires: str | None = None


class View(StrEnum):
    """On which form of the text a list is matched.

    PLAIN: whole words of `norm_no_punct`, case-insensitive in every script, with the language's own word rules (Hangul
    particles and endings). COMPACT: also, for Hangul entries, on a copy without spaces (C-09). EVASION: also on the
    folded views (leet, mixed scripts, stretched, spaced and dotted letters; C-17), for guard and crisis only. SOUND:
    also, for Arabizi entries, on a copy in which every spelling of a sound is the same.
    """

    PLAIN = "plain"
    COMPACT = "compact"
    EVASION = "evasion"
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class WordList:
    """A named list of entries by language code (`en`, `ko`, …, `arabizi`; `any` for language-independent ones)."""

    place: Place
    entries: Mapping[str, tuple[Entry, ...]]
    views: tuple[View, ...] = (View.PLAIN,)
    owner: str | None = None
    since: str | None = None
    review_by: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Near:
    """All the named lists must be seen; `within` so many tokens, if given; if `ordered`, in the order written.

    A place does not count where a word of an `unless` list stands in it, or up to `beside` tokens before or after it
    (if given). Where `Distances` are set, what is not given is as they say. `overlap` says that one phrase may hold
    words of all the lists; it changes nothing but what the checks make of that.
    """

    place: Place
    lists: tuple[str, ...]
    within: int | None = None
    ordered: bool = False
    unless: tuple[str, ...] = ()
    beside: int | None = None
    overlap: bool = False


@dataclass(frozen=True, slots=True)
class Distances:
    """How far apart words may stand where a Near does not say it, in tokens.

    The words of two lists stand within `pair`, of more within `more`, or within `pair` too; words of `unless` lists
    count up to so far off.
    """

    place: Place
    pair: int
    unless: int
    more: int | None = None

    def of(self, near: Near) -> Near:
        """The Near with its distances."""
        within, beside = near.within, near.beside
        if within is None and len(near.lists) > 1:
            within = self.pair if self.more is None or len(near.lists) == 2 else self.more
        return replace(near, within=within, beside=self.unless if beside is None and near.unless else beside)


@dataclass(frozen=True, slots=True)
class Sight:
    """A condition over lists: any of the alternatives is seen, and none of the `none` lists is."""

    place: Place
    any: tuple[Near, ...]
    none: tuple[str, ...] = ()
