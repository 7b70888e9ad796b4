"""A message cut up for listening: tokens with what stands between them, sentences, clauses, and what is quoted."""

import re
from functools import cached_property

from chingoo.engine.scan import Scan
from chingoo.text.runs import match_runs

_QUESTION = frozenset("?？؟¿")
_ENDS = frozenset(".!?…。！？؟؛;\n")
_CLAUSE = frozenset(",،、:()[]{}—–|/") | _ENDS
_OPENING, _CLOSING = frozenset("“„«「『‹"), frozenset("”»」』›")
_STRAIGHT = frozenset('"“”„')
_WORD = re.compile(r"[^\W_]")
_SINGLE_OPENS, _SINGLE_CLOSES = re.compile(r"(?:^|\s)'$"), re.compile("^'")


class Saying:
    """The tokens of a scan's text. `gaps[i]` stands before token i, and the last gap after the last token."""

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.tokens: list[str] = scan.text.match.split(" ") if scan.text.match else []
        norm = scan.text.user_text_norm
        runs = match_runs(norm)
        if len(runs) != len(self.tokens):
            runs, self.tokens = [], []
        edges = [0, *(end for _, end in runs)]
        starts = [*(start for start, _ in runs), len(norm)]
        self.gaps = [norm[edge:start] for edge, start in zip(edges, starts, strict=True)]
        self.words = [_WORD.search(token) is not None for token in self.tokens]

    @cached_property
    def starts(self) -> list[int]:
        """Where each token starts in the matching form."""
        starts, position = [], 0
        for token in self.tokens:
            starts.append(position)
            position += len(token) + 1
        return starts

    @cached_property
    def quoted(self) -> list[bool]:
        """Whether each token stands in somebody else's words. What is opened and not closed is quoted to the end."""
        quoted, inside, single = [], False, False
        for index, gap in enumerate(self.gaps[:-1]):
            for char in gap:
                if char in _STRAIGHT:
                    inside = char == "„" or (not inside and char != "”")
                elif char in _OPENING:
                    inside = True
                elif char in _CLOSING:
                    inside = False
            if single and _SINGLE_CLOSES.match(gap):
                single = False
            if _SINGLE_OPENS.search(gap) and self._closes_single(index):
                single = True
            quoted.append(inside or single)
        return quoted

    def _closes_single(self, index: int) -> bool:
        return any(_SINGLE_CLOSES.match(gap) for gap in self.gaps[index + 1 :])

    @cached_property
    def sentences(self) -> list[int]:
        """The number of the sentence each token belongs to."""
        numbers, number = [], 0
        for index in range(len(self.tokens)):
            if index and not _ENDS.isdisjoint(self.gaps[index]):
                number += 1
            numbers.append(number)
        return numbers

    @cached_property
    def asked(self) -> frozenset[int]:
        """The sentences that end with a question mark."""
        return frozenset(
            number
            for index, number in enumerate(self.sentences)
            if not _QUESTION.isdisjoint(self.gaps[index + 1].lstrip("¿"))
        )

    def breaks(self, index: int) -> bool:
        """Whether a clause may end before token `index`: punctuation, a picture, or the end of the text."""
        if index >= len(self.tokens) or not self.words[index]:
            return True
        return not _CLAUSE.isdisjoint(self.gaps[index]) or " - " in self.gaps[index]

    def comma(self, index: int) -> bool:
        """Whether nothing but a comma stands before token `index`."""
        return index < len(self.tokens) and self.gaps[index].strip() in {",", "،", "、", "&", "+", "/"}

    def sentence(self, index: int) -> tuple[int, int]:
        """First and last token of the sentence around a token."""
        numbers, first, last = self.sentences, index, index
        while first and numbers[first - 1] == numbers[index]:
            first -= 1
        while last + 1 < len(numbers) and numbers[last + 1] == numbers[index]:
            last += 1
        return first, last

    def raw(self, first: int, last: int, start: int | None = None, end: int | None = None) -> str:
        """The words as sent, from token to token, or from and to positions of the matching form."""
        begin = self.starts[first] if start is None else start
        stop = self.starts[last] + len(self.tokens[last]) if end is None else end
        span = self.scan.offsets.from_match(begin, stop)
        return self.scan.text.raw[span[0] : span[1]]
