"""The closed fact record of one message: every declared fact, made from the input and what was seen."""

from collections.abc import Callable, Mapping

from chingoo.engine.conditions import FactCodec, RuleTableError
from chingoo.engine.crisis import CRISIS
from chingoo.engine.detector import DETECTOR
from chingoo.engine.guard import GUARD
from chingoo.engine.seen import Seen
from chingoo.model.decision import CrisisSignal, EvaluationInput, FactRecord, FactValue, GuardSignal
from chingoo.model.enums import AgeBand
from chingoo.policy.documents.facts import FactDecl, FactsDocument

NONE = "none"
CLAIMED_UNDER_13 = "claimed_under_13"
_GIVEN: Mapping[str, Callable[[EvaluationInput, AgeBand, int], FactValue]] = {
    "user_state": lambda given, _age, _tokens: given.user_state.value,
    "source": lambda given, _age, _tokens: given.source.value,
    "mode": lambda given, _age, _tokens: given.mode.value,
    "age_band": lambda _given, age, _tokens: age.value,
    DETECTOR: lambda given, _age, _tokens: given.detector,
    "tokens": lambda _given, _age, tokens: tokens,
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
        record = self._nothing.copy()
        for name, make in self._given.items():
            record[name] = _cut(make(given, age_band, tokens), self._limits[name])
        for name, one in seen.items():
            if name in self._signals:
                record[name] = True
            elif name in self._counts:
                record[name] = _cut(len(one.hits), self._counts[name])
        # What was claimed in an earlier message holds on (S-15).
        if given.claimed_under_13 and CLAIMED_UNDER_13 in self._signals:
            record[CLAIMED_UNDER_13] = True
        record[CRISIS] = crisis.level.value if crisis.level is not None else NONE
        record[GUARD] = guard.category if guard.category is not None else NONE
        return record


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
