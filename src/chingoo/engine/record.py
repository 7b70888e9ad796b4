"""The closed fact record of one message: every declared fact, made from the input and what was seen."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import NamedTuple

from chingoo.engine.conditions import FactCodec, RuleTableError
from chingoo.engine.crisis import CRISIS
from chingoo.engine.detector import DETECTOR
from chingoo.engine.guard import GUARD
from chingoo.engine.seen import Seen
from chingoo.model.decision import CrisisSignal, EvaluationInput, FactRecord, FactValue, GuardSignal
from chingoo.model.enums import AgeBand, Mode, Source, UserState
from chingoo.policy.documents.facts import FactDecl, FactsDocument

NONE = "none"
CLAIMED_UNDER_13 = "claimed_under_13"
TOKENS = "tokens"
_MOST_REMEMBERED = 1000


class _Given(NamedTuple):
    """What facts take over as it is."""

    user_state: UserState
    source: Source
    mode: Mode
    age_band: AgeBand
    detector: str
    tokens: int


_GIVEN: Mapping[str, Callable[[_Given], FactValue]] = {
    "user_state": lambda given: given.user_state.value,
    "source": lambda given: given.source.value,
    "mode": lambda given: given.mode.value,
    "age_band": lambda given: given.age_band.value,
    DETECTOR: lambda given: given.detector,
    TOKENS: lambda given: given.tokens,
}


class RecordMaker:
    """Makes fact records. RuleTableError: a declared fact has nothing that could make it."""

    def __init__(self, facts: FactsDocument, signals: frozenset[str], counts: frozenset[str]) -> None:
        self._codec = FactCodec(facts)
        self._signals = frozenset(facts.facts) & signals
        self._counts = {name: decl.at_most for name, decl in facts.facts.items() if name in counts}
        self._given = {name: _GIVEN[name] for name in facts.facts if name in _GIVEN}
        self._limits = {name: facts.facts[name].at_most for name in self._given}
        made = {*self._signals, *self._counts, *self._given, CRISIS, GUARD}
        for name, decl in facts.facts.items():
            if name not in made or not _fits(decl, name, signals, counts):
                raise RuleTableError(f"nothing makes a fact `{name}` of type {decl.type}", decl.place)
        self._nothing: FactRecord = dict.fromkeys(facts.facts, False)
        self._nothing.update(dict.fromkeys(self._counts, 0))
        for name in (CRISIS, GUARD):
            if name not in facts.facts:
                raise RuleTableError(f"the fact `{name}` must be declared", facts.place)
        begin = partial(_begun, self._nothing | {CRISIS: NONE, GUARD: NONE}, self._given, self._limits)
        self._begun = lru_cache(maxsize=_MOST_REMEMBERED)(begin)

    def make(
        self,
        given: EvaluationInput,
        age_band: AgeBand,
        tokens: int,
        seen: Mapping[str, Seen],
        crisis: CrisisSignal,
        guard: GuardSignal,
    ) -> FactRecord:
        """The record of one message. `age_band` is the effective one; `seen` are signals and counts by name."""
        told = tokens if TOKENS in self._given else 0
        known = _Given(given.user_state, given.source, given.mode, age_band, given.detector, told)
        record = self._begun(known).copy()
        for name, one in seen.items():
            if name in self._signals:
                record[name] = True
            elif name in self._counts:
                record[name] = _cut(len(one.hits), self._counts[name])
        # What was claimed in an earlier message holds on (S-15).
        if given.claimed_under_13 and CLAIMED_UNDER_13 in self._signals:
            record[CLAIMED_UNDER_13] = True
        if crisis.level is not None:
            record[CRISIS] = crisis.level.value
        if guard.category is not None:
            record[GUARD] = guard.category
        return record


def _begun(
    nothing: FactRecord,
    makers: Mapping[str, Callable[[_Given], FactValue]],
    limits: Mapping[str, int | None],
    given: _Given,
) -> FactRecord:
    """The record of a message in which nothing is seen: few there are, and each is made once."""
    return nothing | {name: _cut(make(given), limits[name]) for name, make in makers.items()}


def _fits(decl: FactDecl, name: str, signals: frozenset[str], counts: frozenset[str]) -> bool:
    """Whether the declared type is that of what makes the fact."""
    if name in signals:
        return decl.type == "boolean"
    if name in counts or name == "tokens":
        return decl.type == "integer"
    return decl.type == "enum"


def _cut(value: FactValue, limit: int | None) -> FactValue:
    """An integer, at most its limit."""
    return min(value, limit) if limit is not None and isinstance(value, int) else value
