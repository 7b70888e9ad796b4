"""One message as the fact patterns read it: words with their pauses, numbers and units apart, clauses and sentences."""

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from chingoo.engine.reading import read_words
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
_FEET_SIGN, _FEET = "'", "ft"
_LAST_DAY_DIGITS = 2
_MOST_GAPS = 1024  # of which is kept what they are: people use few
CURRENCY_SIGNS = re.compile("[$€£¥₩₽₹₺₪]")
"""Signs that stand for currencies; the matching form drops them."""

_PAIRED_QUOTES = (("“", "”"), ("«", "»"), ("„", "“"))


class Glue(NamedTuple):
    """Words that are written together with a number: `units` behind it, `scales` (만) also with a unit behind them.

    A dot between a number and one of `months` ends no sentence (12. Mai). `compounds` are words that are read as two
    (Nickelallergie). `heads` are written together with an Arabic word behind them. `firsts` are the first words of all
    phrases of any vocabulary.
    """

    units: Set[str]
    scales: Set[str]
    months: Set[str]
    compounds: Mapping[str, Sequence[str]]
    heads: Set[str]
    firsts: Set[str]


class Utterance:
    """The words of one message in matching form.

    Of each: where it stands in `user_text_norm` (`starts`, `ends`), what is written before it, and the pause there.
    `first_of` and `last_of` give the words of each token; where a token is none, the last one is that before the first.
    """

    def __init__(self, text: NormalisedText, glue: Glue, most: int) -> None:
        """Of a longer text only the first `most` tokens are read."""
        self._norm = norm = text.user_text_norm
        self.glue = glue
        self.first_of: list[int] = []
        self.last_of: list[int] = []
        self._texts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.gaps: list[str] = []
        self.pauses: list[int] = []
        self._around: dict[tuple[int, int], tuple[int, int]] = {}
        runs = match_runs(norm)
        self._end = runs[most][0] if len(runs) > most else len(norm)
        tokens = text.match.split(" ", most)[:most] if text.match else []
        del runs[len(tokens) :]
        priced = CURRENCY_SIGNS.search(norm) is not None
        read_words(self, norm, tokens[: len(runs)], runs, _line_starts(text), glue.compounds, priced, _pause_of)
        sign = CURRENCY_SIGNS.search(norm, runs[-1][1] if runs else 0, self._end) if priced else None
        if sign is not None:
            self._put(sign.group(), sign.span(), "", 0)
        self.texts = Words(self._texts, glue.heads, glue.firsts)
        self.size = len(self.texts)
        """How many words there are."""

    def add(self, token: str, place: tuple[int, int], gap: str, pending: int, *, begins_line: bool) -> int:
        """Add the words of one token; gives the pause that is left for the next one, as `pending` is of the last."""
        self.first_of.append(len(self._texts))
        pieces = _pieces(token, self.glue)
        number = self._texts[-1] if self._texts and self._texts[-1].isdecimal() else None
        inside = number is not None and _goes_on(number, gap, token, self.glue.months)
        pending = max(pending, SENTENCE if begins_line else 0 if inside else _pause_of(gap))
        if not pieces:
            pending = max(pending, PAUSE)
        else:
            sign = None if gap in ("", " ") else CURRENCY_SIGNS.search(gap)
            if sign is not None:
                self._put(sign.group(), (place[0] - 1, place[0]), gap, pending)
                pending = 0
            for piece in pieces:
                self._put(piece, place, gap, pending)
                gap, pending = "", 0
        self.last_of.append(len(self._texts) - 1)
        return pending

    def _put(self, word: str, place: tuple[int, int], gap: str, pause: int) -> None:
        self._texts.append(word)
        self.starts.append(place[0])
        self.ends.append(place[1])
        self.gaps.append(gap)
        self.pauses.append(pause)

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
        pauses, start, end = self.pauses, index, index + 1
        first, last = max(0, index - REACH), min(self.size, index + REACH)
        while start > first and pauses[start] < pause:
            start -= 1
        while end < last and pauses[end] < pause:
            end += 1
        self._around[index, pause] = start, end
        return start, end

    def is_asked(self, index: int) -> bool:
        """Whether the sentence of a word ends in a question mark."""
        end = self.sentence(index)[1]
        after = self.gaps[end] if end < self.size else self._norm[self.ends[-1] : self._end]
        return any(mark in after for mark in _QUESTION)

    def is_quoted(self, index: int) -> bool:
        """Whether a word stands inside quotation marks."""
        before = self._norm[: self.starts[index]]
        if before.count('"') % 2:
            return True
        return any(before.rfind(opening) > before.rfind(closing) for opening, closing in _PAIRED_QUOTES)

    def distance(self, one: int, other: int) -> int:
        """Characters between two words."""
        first, second = sorted((one, other))
        return max(self.starts[second] - self.ends[first], 0)

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where words stand in `user_text_norm`."""
        return self.starts[start], self.ends[stop - 1]


@lru_cache(maxsize=_MOST_GAPS)
def _pause_of(gap: str) -> int:
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
