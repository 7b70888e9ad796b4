"""Looks up words and phrases at one place of a text, with the endings and clitics of their languages."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Generic, NamedTuple, TypeVar

from chingoo.engine.entries import Form
from chingoo.engine.keys import MatchTables, is_arabic, is_hangul
from chingoo.engine.reading import places_of
from chingoo.text.letters import rewritten, unaccented

M = TypeVar("M")
LONGEST_HEAD = 3
"""So many letters at most does Arabic write together with a word in front (وال)."""

_LONGEST_TAIL = 8  # the longest chain of particles that Korean writes together with a word
_SHORTEST_UNACCENTED = 4  # shorter words are others without their accents
_POSSESSIVE = ("'s", "'")


_HANGUL_EDGE = re.compile("(?<=[^가-힣 ])(?=[가-힣])|(?<=[가-힣])(?=[^가-힣 ])")


def apart(text: str) -> str:
    """`text` with Hangul set apart from digits and other letters that it is glued to (3월, M이야)."""
    return text if text.isascii() else _HANGUL_EDGE.sub(" ", text)


def _spellings(text: str, letters: Sequence[Mapping[str, str]]) -> Iterable[str]:
    """A text as it is typed: with other letters, and without accents, but short words are others then (él, el)."""
    if text.isascii():
        return (text,)
    found = [text]
    for table in letters:
        found += [rewritten(one, table) for one in found]
    if len(text) >= _SHORTEST_UNACCENTED:
        found += [unaccented(one) for one in found]
    return dict.fromkeys(found)


class _Kept(NamedTuple, Generic[M]):
    """One phrase: the words after its first, how it is matched, and what it means."""

    rest: tuple[str, ...]
    first: str
    open: bool
    exact: bool
    meaning: M


class Words(list[str]):
    """The words of one message, and what vocabularies said of them: each is asked once about a place.

    `glued` are the places of those that may be several words written together. None is added later.
    """

    __slots__ = ("_begun", "_leading", "_meant", "glued", "known")

    def __init__(self, words: list[str], heads: Set[str], firsts: Set[str]) -> None:
        """`heads` are written together with an Arabic word behind them; `firsts` are those of all vocabularies."""
        super().__init__(words)
        self.known: dict[tuple[object, int], Any] = {}
        self.glued: Set[int]
        self.glued, self._leading = places_of(words, heads, firsts, LONGEST_HEAD, _LONGEST_TAIL - 1)
        self._begun: dict[object, Set[int]] = {}
        self._meant: dict[object, Mapping[int, Set[str]]] = {}

    def begun(self, asker: object, firsts: Set[str]) -> Set[int]:
        """Where one of some words may stand, whatever is written together with it; `asker` has always the same ones.

        Most words of a message begin no phrase of any vocabulary, and each is asked about that once.
        """
        begun = self._begun.get(asker)
        if begun is None:
            begun = self._begun[asker] = {place for place, word in self._leading if word in firsts}
        return begun

    def meant(self, asker: object, meanings: Mapping[str, Set[str]]) -> Mapping[int, Set[str]]:
        """What words may mean that stand at a place, whatever is written together with them, where they mean anything;
        `asker` has always the same `meanings`."""
        meant = self._meant.get(asker)
        if meant is None:
            found: dict[int, Set[str]] = {}
            for place, word in self._leading:
                if word in meanings:
                    found[place] = found[place] | meanings[word] if place in found else meanings[word]
            meant = self._meant[asker] = found
        return meant


class Vocabulary(Generic[M]):
    """Phrases with meanings; the longest phrase at a place wins, among equals the first."""

    def __init__(self, phrases: Iterable[tuple[Form, M]], tables: MatchTables) -> None:
        """`tables` hold Hangul tails, Arabic heads and elisions; forms that may stand inside a word are tails too."""
        self._tails = tables.hangul_tails
        self._heads = tables.arabic_heads
        self._elided = frozenset(head for heads in tables.elisions.values() for head in heads)
        self._by_first: dict[str, list[_Kept[M]]] = {}
        self._open: dict[str, list[_Kept[M]]] = {}
        letters = [table for of_language in tables.letters.values() for table in of_language]
        glued: set[str] = set()
        for form, meaning in phrases:
            if form.glued:
                glued.add(form.text)
            for text in _spellings(form.text, letters):
                words = apart(text).split(" ")
                kept = _Kept(tuple(words[1:]), words[0], form.open, form.exact, meaning)
                into = self._open if form.open and len(words) == 1 else self._by_first
                into.setdefault(words[0], []).append(kept)
        self.glued = frozenset(glued)
        if glued:
            self._tails |= self.glued
        for listed in self._by_first.values():
            listed.sort(key=lambda kept: -len(kept.rest))
        self._alone = frozenset(first for first, listed in self._by_first.items() if not listed[-1].rest)
        self._led = {
            first: tuple(frozenset(kept.rest[:-1] if kept.open else kept.rest) for kept in listed)
            for first, listed in self._by_first.items()
            if first not in self._alone
        }
        self._open_lengths = sorted({len(first) for first in self._open}, reverse=True)
        self.longest = 1 + max((len(kept.rest) for listed in self._by_first.values() for kept in listed), default=0)
        """How many words the longest phrase has."""

    def at(self, words: Words, index: int, stop: int) -> tuple[M, int] | None:
        """The meaning of the longest phrase that begins at `index` and ends before `stop`, and where it ends."""
        if index >= stop or not (words[index] in self._by_first or index in words.glued or self._open):
            return None
        known, place = words.known, (self, index)
        if place in known:
            found: tuple[M, int] | None = known[place]
        else:
            found = known[place] = self._longest(words, index, len(words))
        return found if found is None or found[1] <= stop else self._longest(words, index, stop)

    def _longest(self, words: Words, index: int, stop: int) -> tuple[M, int] | None:
        word = words[index]
        found = self._listed(self._by_first.get(word), words, index, stop, clitic=False)
        if self._open and found is None:
            found = self._opened(word, index)
        if word.isascii() and "'" not in word:
            return found
        for first in self._beginnings(word):
            other = self._listed(self._by_first.get(first), words, index, stop, clitic=True)
            if other is not None and (found is None or other[1] > found[1]):
                found = other
        return found if found is not None else self._inflected(word, index)

    @property
    def firsts(self) -> Set[str]:
        """The words that phrases begin with, without what may be written together with them."""
        return self._by_first.keys() | self._open.keys()

    def may_be_of(self, words: Set[str]) -> bool:
        """Whether a phrase may stand in a text with some words: all of its own are there; said of open ones unseen."""
        if self._open or not self._alone.isdisjoint(words):
            return True
        return any(rest <= words for first in self._led.keys() & words for rest in self._led[first])

    def has(self, words: Words, start: int, stop: int) -> bool:
        """Whether any phrase stands between `start` and `stop`."""
        return any(self.at(words, index, stop) is not None for index in self.places(words, start, stop))

    def places(self, words: Words, start: int, stop: int) -> Iterable[int]:
        """The words between `start` and `stop`, in order, at which a phrase may begin: in most texts none."""
        if self._open:
            return range(start, stop)
        begun = words.begun(self, self._by_first.keys())
        return filter(begun.__contains__, range(start, stop)) if begun else ()

    def _listed(
        self, listed: list[_Kept[M]] | None, words: Sequence[str], index: int, stop: int, *, clitic: bool
    ) -> tuple[M, int] | None:
        """The longest of some phrases, whose first word is known to fit."""
        for kept in listed or ():
            end = index + 1 + len(kept.rest)
            if end > stop or (clitic and kept.exact):
                continue
            if not kept.rest or self._continues(kept, words, index + 1, end):
                return kept.meaning, end
        return None

    def _beginnings(self, word: str) -> Iterator[str]:
        """A word without what is written together with it before."""
        if is_arabic(word[0]):
            for length in range(1, min(LONGEST_HEAD + 1, len(word) - 1)):
                if word[:length] in self._heads:
                    yield word[length:]
        elif "'" in word:
            head, _, rest = word.partition("'")
            if rest and f"{head}'" in self._elided:
                yield rest

    def _endings(self, word: str) -> Iterator[str]:
        """A word without what is written together with it after."""
        if is_hangul(word[-1]):
            for length in range(len(word) - 1, max(0, len(word) - _LONGEST_TAIL), -1):
                if word[length:] in self._tails:
                    yield word[:length]
        else:
            for ending in _POSSESSIVE:
                if word.endswith(ending):
                    yield word.removesuffix(ending)

    def _inflected(self, word: str, index: int) -> tuple[M, int] | None:
        """A single word under what is written together with it after; stems are looked up first, for they are rarer."""
        if is_hangul(word[-1]):
            for length in range(len(word) - 1, max(0, len(word) - _LONGEST_TAIL), -1):
                listed = self._by_first.get(word[:length])
                if listed is not None and word[length:] in self._tails:
                    for kept in listed:
                        if not kept.rest and not kept.exact:
                            return kept.meaning, index + 1
            return None
        for stem in self._endings(word):
            for kept in self._by_first.get(stem, ()):
                if not kept.rest and not kept.exact:
                    return kept.meaning, index + 1
        return None

    def _opened(self, word: str, index: int) -> tuple[M, int] | None:
        for length in self._open_lengths:
            kept = self._open.get(word[:length])
            if kept is not None and length <= len(word):
                return kept[0].meaning, index + 1
        return None

    def _continues(self, kept: _Kept[M], words: Sequence[str], index: int, end: int) -> bool:
        last = end - 1
        if tuple(words[index:last]) != kept.rest[:-1]:
            return False
        written, wanted = words[last], kept.rest[-1]
        if written == wanted or (kept.open and written.startswith(wanted)):
            return True
        return not kept.exact and any(stem == wanted for stem in self._endings(written))
