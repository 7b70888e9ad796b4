"""Counts how often each word of the lists was seen in decisions, and tells dead words and noisy ones."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from chingoo.engine.engine import lists_of
from chingoo.model.enums import Pipeline
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry

Where = str
"""Where an entry stands, as decisions record it: `policies/topics.yaml:31`."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is counted of one recorded decision: where the entries stand that were seen, its pipeline, and its time."""

    entries: tuple[Where, ...]
    pipeline: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Tally:
    """How many messages an entry was seen in, how many of them were refused, and when it was last seen."""

    hits: int
    refused: int
    last: datetime

    @property
    def share_refused(self) -> float:
        """The share of its messages that were refused, from 0 to 1."""
        return self.refused / self.hits


@dataclass(frozen=True, slots=True)
class WordHits:
    """One line of the lists with its tally, None when it was never seen. Entries of one line are counted together."""

    where: Where
    list_id: str
    language: str
    words: tuple[str, ...]
    tally: Tally | None


def tallied(recorded: Iterable[Recorded]) -> dict[Where, Tally]:
    """The tally of every line that was seen; a message counts once for each."""
    tallies: dict[Where, Tally] = {}
    for decision in recorded:
        refused = decision.pipeline == Pipeline.REFUSAL
        for where in dict.fromkeys(decision.entries):
            known = tallies.get(where)
            if known is None:
                tallies[where] = Tally(1, int(refused), decision.at)
            else:
                tallies[where] = Tally(known.hits + 1, known.refused + refused, max(known.last, decision.at))
    return tallies


def word_hits(bundle: Bundle, tallies: Mapping[Where, Tally]) -> tuple[WordHits, ...]:
    """Every line of every list, those seen most often first, those never seen last.

    Tallies of lines that no longer hold an entry are left out.
    """
    lines: dict[tuple[Where, str, str], list[str]] = {}
    for list_id, language, entry in _entries(bundle):
        where = f"{entry.place.file}:{entry.place.line}"
        lines.setdefault((where, list_id, language), []).append(entry.text)
    found = [
        WordHits(where, list_id, language, tuple(words), tallies.get(where))
        for (where, list_id, language), words in lines.items()
    ]
    return tuple(sorted(found, key=lambda one: -one.tally.hits if one.tally is not None else 0))


def _entries(bundle: Bundle) -> Iterator[tuple[str, str, Entry]]:
    for list_id, words in lists_of(bundle).items():
        for language, entries in words.entries.items():
            for entry in entries:
                yield list_id, language, entry
