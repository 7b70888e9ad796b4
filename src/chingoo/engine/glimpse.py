"""What a text can be seen to lack without reading it word by word, so that most messages are never read for facts."""

import re
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from chingoo.engine.vocabulary import Vocabulary, apart
from chingoo.text.normalise import NormalisedText

_DIGIT = re.compile(r"\d")
_JOINED_DIGITS = re.compile(r"\d[./-]\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_HANGUL = re.compile("[가-힣]+")
_ARABIC = re.compile("[\u0600-\u06ff]+")
_LONGEST_HEAD = 4  # letters that Arabic writes together with a word, at most three (وال)


class Glimpse:
    """One text."""

    __slots__ = ("__dict__", "_compounds", "_match", "_norm")

    def __init__(self, text: NormalisedText, compounds: Mapping[str, Sequence[str]]) -> None:
        """`compounds` are words that are read as several."""
        self._norm = text.user_text_norm
        self._match = text.match
        self._compounds = compounds

    @cached_property
    def has_digits(self) -> bool:
        """Whether a number may be written in digits."""
        return _DIGIT.search(self._match) is not None

    @cached_property
    def has_joined_digits(self) -> bool:
        """Whether a day may be written in digits."""
        return self.has_digits and _JOINED_DIGITS.search(self._norm) is not None

    def may_hold(self, vocabulary: Vocabulary[Any]) -> bool:
        """Whether a phrase of a vocabulary may stand in the text."""
        return vocabulary.may_begin_with(self._words)

    def may_have(self, words: Set[str]) -> bool:
        """Whether one of some words may stand in the text."""
        return not words.isdisjoint(self._words)

    def may_hold_in_disguise(self, vocabulary: Vocabulary[Any], look_alikes: Mapping[int, str]) -> bool:
        """The same, also where letters are written that only look like those of a phrase."""
        if self.may_hold(vocabulary):
            return True
        return not self._match.isascii() and vocabulary.may_begin_with(set(self._match.translate(look_alikes).split()))

    @cached_property
    def _words(self) -> set[str]:
        """Every word as it may be looked up: also without an apostrophe, a number or a clitic it is written with."""
        match = self._match
        words = set(match.split())
        if not match.isascii():
            words.update(apart(match).split(" "))
            for word in _HANGUL.findall(match):
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
