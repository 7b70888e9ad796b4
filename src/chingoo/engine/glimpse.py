"""What a text can be seen to lack without reading it word by word, so that most messages are never read for facts."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Mapping, Sequence, Set
from typing import Any

from chingoo.engine.utterance import Glue
from chingoo.engine.vocabulary import LONGEST_HEAD, Vocabulary

_DIGIT = re.compile(r"\d")
_JOINED_DIGITS = re.compile(r"\d[./-]\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_GLUED_DIGITS = re.compile(r"\d[가-힣]{2}")
_HANGUL = re.compile("[가-힣]+")
_APART = re.compile("[가-힣]+|[^가-힣 ]+")
_STEMMED = re.compile("[가-힣\u0600-\u06ff]")
_ARABIC = re.compile("[\u0600-\u06ff]+")


class Glimpse:
    """One text, or a part of one."""

    __slots__ = ("_glue", "_match", "_norm", "_parts", "_spoken", "_tokens", "_words", "has_digits")

    def __init__(self, match: str, norm: str, glue: Glue) -> None:
        """`match` may be a part alone of what `norm` has become."""
        self._norm = norm
        self._match = match
        self._glue = glue
        self._tokens = match.split(" ")
        self._parts: dict[tuple[int, int], Glimpse] = {}
        self._spoken: Sequence[int] | None = None
        self._words: Set[str] | None = None
        self.has_digits = _DIGIT.search(match) is not None
        """Whether a number may be written in digits."""

    def says(self, first: int, last: int, phrases: Container[str]) -> bool:
        """Whether two tokens and what is between them are one of some phrases, and nothing else."""
        return " ".join(self._tokens[first : last + 1]) in phrases

    def near(self, first: int, last: int, before: int, after: int) -> "Glimpse":
        """Two tokens and what is between them, with so many words before and after; pictures are no words."""
        spoken = self._said()
        return self._part(bisect_left(spoken, first) - before, bisect_right(spoken, last) + after)

    def behind(self, last: int, after: int) -> "Glimpse":
        """So many words behind a token; pictures are no words."""
        start = bisect_right(self._said(), last)
        return self._part(start, start + after)

    def _said(self) -> Sequence[int]:
        """The tokens that begin as words do."""
        if self._spoken is None:
            self._spoken = _spoken(self._match, self._tokens)
        return self._spoken

    def _part(self, start: int, stop: int) -> "Glimpse":
        """The words from one of those that are said to another."""
        spoken, end = self._said(), len(self._tokens)
        place = _at(spoken, start, end), _at(spoken, stop, end)
        if place == (0, end):
            return self
        part = self._parts.get(place)
        if part is None:
            part = self._parts[place] = Glimpse(" ".join(self._tokens[slice(*place)]), self._norm, self._glue)
        return part

    @property
    def has_joined_digits(self) -> bool:
        """Whether a day may be written in digits."""
        return self.has_digits and _JOINED_DIGITS.search(self._norm) is not None

    @property
    def has_glued_digits(self) -> bool:
        """Whether Hangul of more than one syllable is written together with a number, and may be read in pieces."""
        return self.has_digits and _GLUED_DIGITS.search(self._match) is not None

    def may_hold(self, vocabulary: Vocabulary[Any]) -> bool:
        """Whether a phrase of a vocabulary may stand in the text."""
        return vocabulary.may_be_of(self.words)

    def may_hold_in_disguise(self, vocabulary: Vocabulary[Any], look_alikes: Mapping[int, str]) -> bool:
        """The same, also where letters are written that only look like those of a phrase."""
        if self.may_hold(vocabulary):
            return True
        return not self._match.isascii() and vocabulary.may_be_of(set(self._match.translate(look_alikes).split()))

    @property
    def words(self) -> Set[str]:
        """Every word as it may be looked up: also without an apostrophe, a number or a clitic it is written with."""
        if self._words is None:
            self._words = _words(self._match, self._glue, has_digits=self.has_digits)
        return self._words


def _at(spoken: Sequence[int], number: int, end: int) -> int:
    """Where a word stands, or the beginning or end where there is none so early or so late."""
    return 0 if number <= 0 else spoken[number] if number < len(spoken) else end


def _spoken(match: str, tokens: Sequence[str]) -> Sequence[int]:
    """The tokens that begin as words do."""
    if match.isascii():
        return range(len(tokens))
    return [number for number, token in enumerate(tokens) if token[0].isalnum()]


def _words(match: str, glue: Glue, *, has_digits: bool) -> Set[str]:
    words = set(match.split())
    if not match.isascii() and _STEMMED.search(match):
        arabic = _ARABIC.findall(match)
        for length in range(1, LONGEST_HEAD + 1) if arabic else ():
            words.update([word[length:] for word in arabic if word[:length] in glue.heads])
        if stems := _HANGUL.findall(match):
            if not words.issuperset(stems):
                words.update(_APART.findall(match))
            while stems := [word[:-1] for word in stems if len(word) > 1]:
                words.update(stems)
    if "'" in match:
        for word in [word for word in words if "'" in word]:
            words.update(word.split("'"))
            words.add(word.partition("'")[2])
    if has_digits:
        words.update(_LETTERS.findall(" ".join([word for word in words if not word.isalpha()])))
    for compound in glue.compounds.keys() & words:
        words.update(glue.compounds[compound])
    return words
