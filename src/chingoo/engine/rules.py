"""The routing table run by durable-rules: one event per evaluation, exactly one rule fires, no error goes unseen."""

import json
from itertools import count
from typing import Any, Literal

import durable_rules_engine
from durable.engine import Closure, MessageNotHandledException, MessageObservedException, Promise, Ruleset

from chingoo.engine.conditions import Combine, RuleTable, Test
from chingoo.errors import RuleEngineError
from chingoo.model.decision import FactRecord, FactValue
from chingoo.policy.documents.routing import RoutingRule

_MARKER = "m0"
_MOST_DECIDED = 20_000  # records whose rule is remembered; then all are forgotten and it begins again
_ENGINE_ERRORS = (
    MessageNotHandledException,
    MessageObservedException,
    durable_rules_engine.error,
    MemoryError,
    ValueError,
)
_OPERATORS: dict[Literal["ne", "gte", "lt"], str] = {"ne": "$neq", "gte": "$gte", "lt": "$lt"}


class _NoHost:
    """A host that knows no actions and no other rule sets: this rule set never leaves itself."""

    def get_action(self, name: str) -> Any:
        """Never called: every rule carries its action."""
        raise RuleEngineError(f"the rule engine asked for an action it was not given: {name}")


class _OneRuleOnly(Ruleset):  # type: ignore[misc]
    """A rule set of which only the name of the fired rule is wanted.

    `Ruleset.do_actions` runs an action in Python, where an exception looks like success and a second parameter never
    completes. Here no Python runs: the engine says which rule it would act on, and is told that this is done.
    """

    def fired_by(self, event: dict[str, Any]) -> str | None:
        """The name of the one rule an event fires, or None. RuleEngineError: there is a second one."""
        state = self.assert_event(event)
        action = durable_rules_engine.start_action_for_state(self._handle, state)
        if not action:
            return None
        if durable_rules_engine.complete_and_start_action(self._handle, state):
            raise RuleEngineError("more than one rule fired")
        return str(next(iter(json.loads(action[1]))))


class DurableRules:
    """One table in the rule engine. Close it after the last use: the engine frees nothing by itself."""

    def __init__(self, table: RuleTable, name: str) -> None:
        self._table = table
        self._names = {fact: f"f{number}" for number, fact in enumerate(table.mentioned)}
        self._sids = count()
        self._closed = False
        self._decided: dict[tuple[FactValue | None, ...], RoutingRule] = {}
        self._rules = {f"r{index:04}": coded.rule for index, coded in enumerate(table.rules)}
        definition = {name: self._definition(index) for index, name in enumerate(self._rules)}
        self._ruleset = _OneRuleOnly(name, _NoHost(), definition)

    def first_rule(self, record: FactRecord) -> RoutingRule:
        """The rule that decides this record. RuleEngineError: the engine raised, or not exactly one rule fired.

        The engine is asked once for the same facts: what it said is kept, and no error ever is.
        """
        if self._closed:
            raise RuleEngineError("the rule set is closed")
        values = tuple(map(record.get, self._table.mentioned))
        known = self._decided.get(values)
        if known is not None:
            return known
        if len(self._decided) >= _MOST_DECIDED:
            self._decided.clear()
        facts = self._table.codec.coded(record, self._table.mentioned)
        return self._decided.setdefault(values, self.decide_afresh(facts))

    def decide_afresh(self, facts: tuple[int, ...]) -> RoutingRule:
        """Ask the engine about coded facts, whether or not it was asked before. RuleEngineError as `first_rule`."""
        if self._closed:
            raise RuleEngineError("the rule set is closed")
        sid = f"{next(self._sids)}"
        event: dict[str, Any] = {"sid": sid, _MARKER: 1}
        event.update(zip(self._names.values(), facts, strict=True))
        try:
            fired = self._ruleset.fired_by(event)
            self._ruleset.delete_state(sid)
        except _ENGINE_ERRORS as error:
            raise RuleEngineError(f"the rule engine raised: {error!r}") from error
        if fired is None:
            raise RuleEngineError("no rule fired")
        return self._rules[fired]

    def close(self) -> None:
        """Free the engine's memory; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self._decided.clear()
            durable_rules_engine.delete_ruleset(self._ruleset._handle)

    def _definition(self, index: int) -> dict[str, Any]:
        """A rule as the engine wants it. The marker makes sure that each has a positive test."""
        test = self._table.rules[index].test
        marker: dict[str, Any] = {_MARKER: 1}
        condition = marker if test is None else {"$and": [marker, self._expression(test)]}
        return {"all": [{"m": condition}], "pri": index, "run": _NOTHING}

    def _expression(self, test: Test) -> dict[str, Any]:
        """A test in the engine's notation, under short names: what an event costs grows with its length."""
        if isinstance(test, Combine):
            if len(test.parts) == 1:
                return self._expression(test.parts[0])
            return {"$and" if test.op == "all" else "$or": [self._expression(part) for part in test.parts]}
        comparison = {self._names[test.fact]: test.value}
        return comparison if test.op == "eq" else {_OPERATORS[test.op]: comparison}


def _nothing(_: Closure) -> None:
    """The action every rule must have; it is never run."""


_NOTHING = Promise(_nothing)
"""One for all rules of all tables: each holds itself, and would outlive its table until garbage is collected."""
