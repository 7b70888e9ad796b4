"""From positions in a form of a text back to code points of the text as sent; made only when somebody asks."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate

from chingoo.text.normalise import NormalisedText, held_back, log_form
from chingoo.text.runs import Blanked, blanked, drops_characters, kept_by_match_form, runs_of

_RUN = re.compile(r"\S+")
_FEW = 4
"""Up to how many words are each looked for alone."""

Span = tuple[int, int]


class Offsets:
    """The way back for one text. Spans are half-open and always lie inside the raw text."""

    def __init__(self, text: NormalisedText) -> None:
        self._text = text
        self._asked = 0
        self._raw = raw = held_back(text.raw)
        norm = text.user_text_norm
        # whether each character of the log form comes from the raw character at the same index
        self._is_same = len(raw) == len(norm) and (raw.isascii() or unicodedata.is_normalized("NFKC", raw))
        # whether each character of `match` stands at the same index in the log form: only pictures add any
        self._is_in_place = len(text.match) == len(norm) and (norm.isascii() or not self._blanked.apart)

    def from_match(self, start: int, end: int) -> Span:
        """The raw span of `match[start:end]`."""
        return self.from_norm(*self._norm_span(start, end))

    def from_norm(self, start: int, end: int) -> Span:
        """The raw span of `user_text_norm[start:end]`."""
        if self._is_same:
            return start, end
        first, last = self._raw_char(start), self._raw_char(max(start, end - 1))
        return first[0], max(first[1], last[1])

    def match_span_of_words(self, first: int, last: int) -> Span | None:
        """The span in `match` of what whitespace tokens `first` to `last` of `user_text_norm` became, if anything."""
        begin, end = self._norm_starts[first], self._norm_ends[last]
        if self._is_in_place:
            return begin, end
        inside_from = bisect_right(self._run_ends, begin)
        inside_to = bisect_left(self._run_starts, end) - 1
        if inside_from > inside_to:
            return None
        return self._match_starts[inside_from], self._match_ends[inside_to]

    def _norm_span(self, start: int, end: int) -> Span:
        """The span in `user_text_norm` of `match[start:end]`."""
        if self._is_in_place:
            return start, end
        match, last = self._text.match, max(start, end - 1)
        number = match.count(" ", 0, start)
        run, since = self.word(number), match.rfind(" ", 0, start) + 1
        begin = self._inside(run, start - since)
        further = match.count(" ", start, last)
        if further:
            run, since = self.word(number + further), match.rfind(" ", 0, last) + 1
        return begin, self._inside(run, last - since) + 1

    def _inside(self, run: Span, inner: int) -> int:
        """Where a character of a token of `match` stands in `user_text_norm`."""
        start, end = run
        written = self._text.user_text_norm[start:end]
        if drops_characters(written):
            kept = kept_by_match_form(written)
            inner = kept[min(inner, len(kept) - 1)]
        return start + inner

    def word(self, number: int) -> Span:
        """Where a token of `match` stands in `user_text_norm`; few are asked for, so that not all are looked for."""
        self._asked += 1
        spread = self._spread if self._asked <= _FEW else None
        if spread is None:
            return self._runs[number]
        rest = spread.split(None, number)[number]
        start, length = len(spread) - len(rest), rest.find(" ")
        end = len(spread) if length < 0 else start + length
        apart = self._blanked.apart
        added = sum(2 * spread.count(picture, 0, start) for picture in apart) + (spread[start] in apart)
        return start - added, end - added

    @cached_property
    def _runs(self) -> list[Span]:
        return runs_of(self._blanked)

    @cached_property
    def _blanked(self) -> Blanked:
        return blanked(self._text.user_text_norm)

    @cached_property
    def _spread(self) -> str | None:
        """`user_text_norm` with blanks between its words and around pictures, where these are the tokens of `match`."""
        spread, apart, drops = self._blanked
        if drops:
            return None
        for picture in apart:
            spread = spread.replace(picture, f" {picture} ")
        return spread

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
