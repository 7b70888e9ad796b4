"""From positions in a form of a text back to code points of the text as sent; made only when somebody asks."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate

from chingoo.text.normalise import FORMS, NormalisedText, held_back, log_form
from chingoo.text.runs import drops_characters, kept_by_match_form, match_runs

_RUN = re.compile(r"\S+")
Span = tuple[int, int]


class Offsets:
    """The way back for one text. Spans are half-open, lie inside the raw text, and begin and end with no blank."""

    def __init__(self, text: NormalisedText) -> None:
        self._text = text
        self._way = FORMS.way(text.raw)

    def from_match(self, start: int, end: int) -> Span:
        """The raw span of `match[start:end]`."""
        if self._way is not None:
            return self._way.from_match(start, end)
        return self.from_norm(*self._norm_span(start, end))

    def from_norm(self, start: int, end: int) -> Span:
        """The raw span of `user_text_norm[start:end]`."""
        if self._way is not None:
            return self._way.from_norm(start, end)
        first, last = self._raw_char(start), self._raw_char(max(start, end - 1))
        return first[0], max(first[1], last[1])

    def match_span_of_words(self, first: int, last: int) -> Span | None:
        """The span in `match` of what whitespace tokens `first` to `last` of `user_text_norm` became, if anything."""
        begin, end = self._norm_starts[first], self._norm_ends[last]
        inside_from = bisect_right(self._run_ends, begin)
        inside_to = bisect_left(self._run_starts, end) - 1
        if inside_from > inside_to:
            return None
        return self._match_starts[inside_from], self._match_ends[inside_to]

    def parted(self, ends: list[int]) -> list[int]:
        """Of each token of the matching form the number of the part of the raw text it begins in, from 0 on.

        `ends`: where a part ends, in order. A part without a token of its own has no number.
        """
        if self._way is not None:
            return self._way.parted(self._text.match, ends)
        starts = self._match_starts
        behind = {bisect_left(starts, end, key=lambda start: self.from_match(start, start + 1)[0]) for end in ends}
        first_of = sorted(behind - {0})
        return [bisect_right(first_of, token) for token in range(len(starts))]

    def _norm_span(self, start: int, end: int) -> Span:
        """The span in `user_text_norm` of `match[start:end]`."""
        match, last = self._text.match, max(start, end - 1)
        number = match.count(" ", 0, start)
        begin = self._inside(number, start - match.rfind(" ", 0, start) - 1)
        number += match.count(" ", start, last)
        return begin, self._inside(number, last - match.rfind(" ", 0, last) - 1) + 1

    def _inside(self, number: int, inner: int) -> int:
        """Where a character of a token of `match` stands in `user_text_norm`."""
        start, end = self._runs[number]
        written = self._text.user_text_norm[start:end]
        if drops_characters(written):
            kept = kept_by_match_form(written)
            inner = kept[min(inner, len(kept) - 1)]
        return start + inner

    @cached_property
    def _raw(self) -> str:
        return held_back(self._text.raw)

    @cached_property
    def _runs(self) -> list[Span]:
        return match_runs(self._text.user_text_norm)

    @cached_property
    def _match_starts(self) -> list[int]:
        return _starts(self._text.match)

    @cached_property
    def _match_ends(self) -> list[int]:
        return _ends(self._match_starts, self._text.match)

    @cached_property
    def _run_starts(self) -> list[int]:
        return [start for start, _ in self._runs]

    @cached_property
    def _run_ends(self) -> list[int]:
        return [end for _, end in self._runs]

    def _raw_char(self, position: int) -> Span:
        """The raw span that the character at `position` of the log form comes from."""
        starts, raw_runs = self._norm_starts, self._raw_runs
        if len(starts) != len(raw_runs):
            return self._origins[position]
        token = bisect_right(starts, position) - 1
        raw_start, raw_end = raw_runs[token]
        norm_length = self._norm_ends[token] - starts[token]
        inner = position - starts[token]
        if norm_length == raw_end - raw_start:
            return raw_start + inner, raw_start + inner + 1
        begin, end = _origins(self._raw[raw_start:raw_end], norm_length)[inner]
        return raw_start + begin, raw_start + end

    @cached_property
    def _norm_starts(self) -> list[int]:
        return _starts(self._text.user_text_norm)

    @cached_property
    def _norm_ends(self) -> list[int]:
        return _ends(self._norm_starts, self._text.user_text_norm)

    @cached_property
    def _raw_runs(self) -> list[Span]:
        return [found.span() for found in _RUN.finditer(self._raw)]

    @cached_property
    def _origins(self) -> list[Span]:
        return _origins(self._raw, len(self._text.user_text_norm))


def _origins(raw: str, length: int) -> list[Span]:
    """For each of the `length` characters of the log form of `raw`, the raw span it comes from.

    Where the pieces do not add up to `length` (characters composed over a stripped one), every character comes from the
    whole of `raw`.
    """
    origins: list[Span] = []
    pending = False
    for start, end in _segments(raw):
        piece = log_form(raw[start:end])
        if not piece:
            pending = pending or raw[start:end].isspace()
            continue
        spaced = raw[start].isspace() or pending
        if spaced and origins:
            origins.append((start, end))
        origins.extend([(start, end)] * len(piece))
        pending = False
    return origins if len(origins) == length else [(0, len(raw))] * length


def _segments(raw: str) -> list[Span]:
    """`raw` cut before every character that cannot join the one before it under NFKC."""
    starts = [index for index, char in enumerate(raw) if index == 0 or not _joins(char)]
    return list(zip(starts, [*starts[1:], len(raw)], strict=True))


def _joins(char: str) -> bool:
    """Whether `char` may combine with what stands before it: a mark, or a Hangul vowel or final."""
    first = unicodedata.normalize("NFKC", char)[:1]
    return unicodedata.combining(first) != 0 or unicodedata.category(first) in ("Mc", "Mn") or "ᅡ" <= first <= "ᇿ"


def _starts(form: str) -> list[int]:
    """Where the words of a form begin, in which one space stands between two."""
    return [0, *accumulate([len(word) + 1 for word in form.split(" ")[:-1]])]


def _ends(starts: list[int], form: str) -> list[int]:
    """Where the words of such a form end."""
    return [*[start - 1 for start in starts[1:]], len(form)]
