"""The notes that go with a decision: which of them hold depends on few facts, and is found out once for each."""

from collections.abc import Iterable
from functools import lru_cache, partial

from chingoo.engine.conditions import facts_of
from chingoo.engine.reference import holds
from chingoo.model.decision import FactRecord, FactValue
from chingoo.policy.documents.routing import NoteRule

_MOST_REMEMBERED = 1000


class NoteReader:
    """The notes of a routing table."""

    def __init__(self, notes: Iterable[NoteRule]) -> None:
        self._notes = tuple(notes)
        self._facts = tuple(dict.fromkeys(fact for one in self._notes for fact in facts_of(one.when)))
        self._known = lru_cache(maxsize=_MOST_REMEMBERED)(partial(_holding, self._notes, self._facts))

    def read(self, record: FactRecord) -> tuple[str, ...]:
        """The notes that hold for a record, in the order written. KeyError: it lacks a fact they name."""
        return self._known(tuple(map(record.__getitem__, self._facts)))


def _holding(notes: Iterable[NoteRule], facts: Iterable[str], values: tuple[FactValue, ...]) -> tuple[str, ...]:
    record = dict(zip(facts, values, strict=True))
    return tuple(one.note for one in notes if holds(one.when, record))
