"""What a grammar parser says of the words of a text, and what such a parser is (HEXT-05)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ParsedWord:
    """One word. `start` and `end` are its place in the text; the rest is as Universal Dependencies has it.

    `head` is the number of the word it hangs on (its own at the top of a sentence), `role` how; `features` are written
    `Person=1`.
    """

    start: int
    end: int
    lemma: str
    kind: str
    role: str
    head: int
    features: frozenset[str] = frozenset()


class GrammarParser(Protocol):
    """Parses sentences; the same text gives the same words, whatever was parsed before."""

    @property
    def languages(self) -> Collection[str]:
        """The languages it knows."""
        ...

    def parse(self, text: str, language: str) -> Sequence[ParsedWord]:
        """The words of a text in one of these languages, in order."""
        ...
