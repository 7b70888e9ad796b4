"""What a text can be seen to lack without reading it word by word, so that most messages are never read for facts."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from chingoo.engine.vocabulary import Vocabulary, apart

_DIGIT = re.compile(r"\d")
_JOINED_DIGITS = re.compile(r"\d[./-]\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_GLUED_DIGITS = re.compile(r"\d[가-힣]{2}")
_HANGUL = re.compile("[가-힣]+")
_ARABIC = re.compile("[\u0600-\u06ff]+")
_LONGEST_HEAD = 4  # letters that Arabic writes together with a word, at most three (وال)


class Glimpse:
    """One text, or a part of one."""

    __slots__ = ("__dict__", "_compounds", "_match", "_norm", "_parts")

    def __init__(self, match: str, norm: str, compounds: Mapping[str, Sequence[str]]) -> None:
        """`match` may be a part alone of what `norm` has become. `compounds` are words that are read as several."""
        self._norm = norm
        self._match = match
        self._compounds = compounds
        self._parts: dict[tuple[int, int], Glimpse] = {}

    def near(self, first: int, last: int, before: int, after: int) -> "Glimpse":
        """Two tokens and what is between them, with so many words before and after; pictures are no words."""
        spoken = self._spoken
        start = bisect_left(spoken, first) - before
        stop = bisect_right(spoken, last) + after
        place = (spoken[start] if start > 0 else 0, spoken[stop] if stop < len(spoken) else len(self._tokens))
        part = self._parts.get(place)
        if part is None:
            match = " ".join(self._tokens[place[0] : place[1]])
            part = self._parts[place] = Glimpse(match, self._norm, self._compounds)
        return part

    @cached_property
    def _tokens(self) -> Sequence[str]:
        return self._match.split(" ")

    @cached_property
    def _spoken(self) -> Sequence[int]:
        """The tokens that begin as words do."""
        if self._match.isascii():
            return range(len(self._tokens))
        return [number for number, token in enumerate(self._tokens) if token[0].isalnum()]

    @cached_property
    def has_digits(self) -> bool:
        """Whether a number may be written in digits."""
        return _DIGIT.search(self._match) is not None

    @cached_property
    def has_joined_digits(self) -> bool:
        """Whether a day may be written in digits."""
        return self.has_digits and _JOINED_DIGITS.search(self._norm) is not None

    @cached_property
    def has_glued_digits(self) -> bool:
        """Whether Hangul of more than one syllable is written together with a number, and may be read in pieces."""
        return self.has_digits and _GLUED_DIGITS.search(self._match) is not None

    def may_hold(self, vocabulary: Vocabulary[Any]) -> bool:
        """Whether a phrase of a vocabulary may stand in the text."""
        return vocabulary.may_begin_with(self.words)

    def may_hold_in_disguise(self, vocabulary: Vocabulary[Any], look_alikes: Mapping[int, str]) -> bool:
        """The same, also where letters are written that only look like those of a phrase."""
        if self.may_hold(vocabulary):
            return True
        return not self._match.isascii() and vocabulary.may_begin_with(set(self._match.translate(look_alikes).split()))

    @cached_property
    def words(self) -> Set[str]:
        """Every word as it may be looked up: also without an apostrophe, a number or a clitic it is written with."""
        match = self._match
        words = set(match.split())
        if not match.isascii():
            hangul = _HANGUL.findall(match)
            if hangul:
                words.update(apart(match).split(" "))
            for word in hangul:
                words.update([word[:length] for length in range(1, len(word))])
            for word in _ARABIC.findall(match):
                words.update([word[length:] for length in range(1, min(_LONGEST_HEAD, len(word)))])
        if "'" in match:
            words.update(match.replace("'", " ").split())
            words.update(word.partition("'")[2] for word in tuple(words))
        if self.has_digits:
            words.update(_LETTERS.findall(match))
        words.update(part for word in self._compounds.keys() & words for part in self._compounds[word])
        return words
