"""One message as the fact patterns read it: words with their pauses, numbers and units apart, clauses and sentences."""

import re
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from chingoo.engine.vocabulary import Words, apart
from chingoo.text.normalise import NormalisedText, is_own_token, normalise
from chingoo.text.runs import match_runs

REACH = 32
"""Sentences are looked at only so many words around a place, so that the work for one place has a bound."""

SURROUNDINGS = 3 * REACH
"""So far behind a place are words looked at: a list begins in its sentence, and what ends that list in the next."""

PAUSE, SENTENCE = 1, 2
"""What may stand before a word: a comma or its like, or the end of a sentence."""

_SENTENCE_MARKS = re.compile("[.!?…;。؟؛]")
_PAUSE_MARKS = re.compile(r"[,،、()\[\]\"“”«»„/|—–*•]|\s-+\s")
_QUESTION = "?؟"
_NUMBER_AND_UNIT = re.compile(r"(\d+)(\D+)(\d*)$")
_HANGUL = re.compile("[가-힣]")
_FEET_SIGN, _FEET = "'", "ft"
_LAST_DAY_DIGITS = 2
CURRENCY_SIGNS = re.compile("[$€£¥₩₽₹₺₪]")
"""Signs that stand for currencies; the matching form drops them."""

_new = tuple.__new__  # half the price of calling a named tuple, which most words are made with
_PAIRED_QUOTES = (("“", "”"), ("«", "»"), ("„", "“"))


class Word(NamedTuple):
    """A word in matching form, where it stands in `user_text_norm`, what is written before it, and the pause there."""

    text: str
    start: int
    end: int
    gap: str
    pause: int


class Glue(NamedTuple):
    """Words that are written together with a number: `units` behind it, `scales` (만) also with a unit behind them.

    A dot between a number and one of `months` ends no sentence (12. Mai). `compounds` are words that are read as two
    (Nickelallergie).
    """

    units: Set[str]
    scales: Set[str]
    months: Set[str]
    compounds: Mapping[str, Sequence[str]]


class Utterance:
    """The words of one message."""

    def __init__(self, text: NormalisedText, glue: Glue, most: int) -> None:
        """Of a longer text only the first `most` tokens are read."""
        self._norm = text.user_text_norm
        self.glue = glue
        self.first_of: list[int] = []
        self.last_of: list[int] = []
        self.words = self._read(text, glue, most)
        self.texts = Words([word[0] for word in self.words])
        self._around: dict[tuple[int, int], tuple[int, int]] = {}

    def _read(self, text: NormalisedText, glue: Glue, most: int) -> list[Word]:
        words: list[Word] = []
        norm, first_of, last_of = self._norm, self.first_of, self.last_of
        lines = _line_starts(text)
        before = pending = 0
        runs = match_runs(text.user_text_norm)
        self._end = runs[most][0] if len(runs) > most else len(self._norm)
        tokens = text.match.split(" ", most)[:most] if text.match else []
        cut: dict[str, Sequence[str]] = {}
        for number, (token, (start, end)) in enumerate(zip(tokens, runs, strict=False)):
            gap = norm[before:start]
            before = end
            first_of.append(len(words))
            pieces = cut.get(token)
            if pieces is None:
                pieces = cut[token] = _pieces(token, glue)
            if gap == " " and not pending and len(pieces) == 1 and number not in lines:
                last_of.append(len(words))
                words.append(_new(Word, (pieces[0], start, end, gap, 0)))
                continue
            inside = bool(words) and words[-1].text.isdecimal() and _goes_on(words[-1].text, gap, token, glue.months)
            pending = max(pending, SENTENCE if number in lines else 0 if inside else _pause(gap))
            if not pieces:
                pending = max(pending, PAUSE)
                last_of.append(len(words) - 1)
                continue
            sign = None if gap in ("", " ") else CURRENCY_SIGNS.search(gap)
            if sign is not None:
                words.append(Word(sign.group(), start - 1, start, gap, pending))
                pending = 0
            for piece in pieces:
                words.append(Word(piece, start, end, gap, pending))
                gap, pending = "", 0
            last_of.append(len(words) - 1)
        sign = CURRENCY_SIGNS.search(self._norm, before, self._end)
        if sign is not None:
            words.append(Word(sign.group(), sign.start(), sign.end(), "", 0))
        return words

    @property
    def tokens(self) -> int:
        """How many tokens of the matching form were read."""
        return len(self.first_of)

    def clause(self, index: int) -> tuple[int, int]:
        """The words between two pauses around a word."""
        return self._between(index, PAUSE)

    def sentence(self, index: int) -> tuple[int, int]:
        """The words between two ends of sentences around a word."""
        return self._between(index, SENTENCE)

    def _between(self, index: int, pause: int) -> tuple[int, int]:
        known = self._around.get((index, pause))
        if known is not None:
            return known
        start = index
        while start > 0 and index - start < REACH and self.words[start].pause < pause:
            start -= 1
        end = index + 1
        while end < len(self.words) and end - index < REACH and self.words[end].pause < pause:
            end += 1
        self._around[index, pause] = start, end
        return start, end

    def is_asked(self, index: int) -> bool:
        """Whether the sentence of a word ends in a question mark."""
        end = self.sentence(index)[1]
        after = self.words[end].gap if end < len(self.words) else self._norm[self.words[-1].end : self._end]
        return any(mark in after for mark in _QUESTION)

    def is_quoted(self, index: int) -> bool:
        """Whether a word stands inside quotation marks."""
        before = self._norm[: self.words[index].start]
        if before.count('"') % 2:
            return True
        return any(before.rfind(opening) > before.rfind(closing) for opening, closing in _PAIRED_QUOTES)

    def distance(self, one: int, other: int) -> int:
        """Characters between two words."""
        first, second = sorted((one, other))
        return max(self.words[second].start - self.words[first].end, 0)

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where words stand in `user_text_norm`."""
        return self.words[start].start, self.words[stop - 1].end

    @cached_property
    def size(self) -> int:
        """How many words there are."""
        return len(self.words)


def _pause(gap: str) -> int:
    """What a gap between two words is."""
    if gap in ("", " "):
        return 0
    return SENTENCE if _SENTENCE_MARKS.search(gap) else PAUSE if _PAUSE_MARKS.search(gap) else 0


def _line_starts(text: NormalisedText) -> frozenset[int]:
    """The tokens of the matching form that begin a line, where lines can be told apart."""
    if "\n" not in text.raw:
        return frozenset()
    starts: list[int] = []
    count = 0
    for line in text.raw.split("\n"):
        match = normalise(line).match
        starts.append(count)
        count += match.count(" ") + 1 if match else 0
    return frozenset(starts) if count == text.match.count(" ") + 1 else frozenset()


def _goes_on(number: str, gap: str, token: str, months: Set[str]) -> bool:
    """Whether a number goes on after a mark: 1,500 and 1.75, 5/12, or 12. Mai."""
    if gap == "/":
        return token[0].isdecimal()
    if gap in (".", ","):
        return token[0].isdecimal() or (gap == "." and token in months)
    return gap.strip() == "." and len(number) <= _LAST_DAY_DIGITS and token in months


def _pieces(token: str, glue: Glue) -> Sequence[str]:
    """A token with Hangul apart from what it is glued to, and numbers apart from their units; none of a picture."""
    compound = glue.compounds.get(token)
    if compound is not None:
        return compound
    if token.isalpha() and (token.isascii() or not _HANGUL.search(token)):
        return (token,)
    if not token[0].isalnum() and is_own_token(token[0]):
        return ()
    pieces: list[str] = []
    for part in apart(token).split(" "):
        piece = part
        measured = _NUMBER_AND_UNIT.match(piece)
        if measured is not None and measured.group(2) in glue.units:
            pieces += filter(None, measured.groups())
            continue
        if measured is not None and measured.group(2) == _FEET_SIGN:
            pieces += filter(None, (measured.group(1), _FEET, measured.group(3)))
            continue
        if pieces and pieces[-1].isdecimal():
            scale = max((one for one in glue.scales if piece.startswith(one)), key=len, default="")
            if scale and piece != scale:
                pieces.append(scale)
                piece = piece.removeprefix(scale)
        pieces.append(piece)
    return pieces
