"""The routing table as a formula over the typed fact record, for a solver that looks at all records at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import z3

from chingoo.errors import ChingooError
from chingoo.model.decision import FactRecord, FactValue
from chingoo.policy.documents.facts import FactDecl
from chingoo.policy.documents.routing import Condition, RoutingRule
from chingoo.proof.records import highest

Formula = Any
"""A z3 expression; its library has no types."""


_OPERATIONS: Mapping[int, Callable[[Iterator[Any]], bool]] = {
    z3.Z3_OP_AND: all,
    z3.Z3_OP_OR: any,
    z3.Z3_OP_NOT: lambda parts: not next(parts),
    z3.Z3_OP_EQ: lambda parts: next(parts) == next(parts),
    z3.Z3_OP_GE: lambda parts: next(parts) >= next(parts),
    z3.Z3_OP_LE: lambda parts: next(parts) <= next(parts),
}


class FormulaError(ChingooError):
    """A condition that no formula can be made of; the checks of conditions and facts say where and why."""


class FactSpace:
    """All fact records: a variable for each fact, and how conditions, values and models read over them.

    Truth values are truth values, members and integers are integers within their bounds. `shared` are variables to take
    over from another space, so that two records can be compared that differ in the other facts alone.
    """

    def __init__(
        self, facts: Mapping[str, FactDecl], context: Any, name: str = "", shared: Mapping[str, Formula] | None = None
    ) -> None:
        self.context = context
        self.facts = facts
        self.variables: dict[str, Formula] = {}
        for fact, decl in facts.items():
            make = z3.Bool if decl.type == "boolean" else z3.Int
            known = (shared or {}).get(fact)
            self.variables[fact] = make(f"{name}{fact}", context) if known is None else known

    def bounds(self) -> list[Formula]:
        """What makes a record one: every value is one the fact can have."""
        bounds = []
        for name, decl in self.facts.items():
            if decl.type != "boolean":
                top = len(decl.members) - 1 if decl.type == "enum" else highest(decl)
                bounds += [self.variables[name] >= 0, self.variables[name] <= top]
        return bounds

    def holds(self, condition: Condition | None) -> Formula:
        """The condition as a formula. FormulaError: it names what is not there."""
        if condition is None:
            return z3.BoolVal(True, self.context)
        if condition.all is not None:
            return self.both(*(self.holds(part) for part in condition.all))
        if condition.any is not None:
            return self.either(*(self.holds(part) for part in condition.any))
        if condition.not_ is not None:
            return z3.Not(self.holds(condition.not_))
        return self._compares(condition)

    def coded(self, fact: str, value: FactValue) -> Formula:
        """A value as the solver's variable of that fact has it. FormulaError: the fact never has it."""
        decl = self.facts.get(fact)
        if decl is not None and decl.type == "boolean" and isinstance(value, bool):
            return z3.BoolVal(value, self.context)
        if decl is not None and decl.type == "enum" and value in decl.members:
            return z3.IntVal(decl.members.index(str(value)), self.context)
        if decl is not None and decl.type == "integer" and isinstance(value, int) and not isinstance(value, bool):
            return z3.IntVal(value, self.context)
        raise FormulaError(f"`{fact}` is never `{value}`")

    def both(self, *parts: Formula) -> Formula:
        """All of them."""
        return z3.And(*parts, z3.BoolVal(True, self.context))

    def either(self, *parts: Formula) -> Formula:
        """Any of them."""
        return z3.Or(*parts, z3.BoolVal(False, self.context))

    def read(self, model: Any) -> FactRecord:
        """The record of a model; facts the solver left open get the value it completes them with."""
        record: FactRecord = {}
        for name, decl in self.facts.items():
            value = model.eval(self.variables[name], model_completion=True)
            if decl.type == "boolean":
                record[name] = bool(z3.is_true(value))
            else:
                number = value.as_long()
                record[name] = decl.members[number] if decl.type == "enum" else number
        return record

    def _compares(self, condition: Condition) -> Formula:
        fact = condition.fact or ""
        decl = self.facts.get(fact)
        if decl is None:
            raise FormulaError(f"{condition.place}: there is no fact `{fact}`")
        variable = self.variables[fact]
        if condition.is_ is not None:
            return variable == self.coded(fact, condition.is_)
        if condition.in_ is not None:
            return self.either(*(variable == self.coded(fact, member) for member in condition.in_))
        if decl.type != "integer" or (condition.gte is None and condition.lte is None):
            raise FormulaError(f"{condition.place}: `{fact}` cannot be compared like this")
        return variable >= condition.gte if condition.gte is not None else variable <= condition.lte


def firings(space: FactSpace, rules: Sequence[RoutingRule]) -> list[Formula]:
    """For each rule the formula that it is the one that fires: it holds, and none before it does."""
    fires: list[Formula] = []
    earlier: list[Formula] = []
    for rule in rules:
        held = space.holds(rule.when)
        fires.append(space.both(held, *earlier))
        earlier.append(z3.Not(held))
    return fires


def as_function(formula: Formula, space: FactSpace) -> Callable[[FactRecord], bool]:
    """The formula as the solver holds it, made a function of records: to hold it against what runs."""
    evaluate = _compiled(formula, {space.variables[name].decl().name(): name for name in space.facts})
    codes = {
        name: {member: number for number, member in enumerate(decl.members)}
        for name, decl in space.facts.items()
        if decl.type == "enum"
    }

    def function(record: FactRecord) -> bool:
        coded = {name: codes[name][str(value)] if name in codes else value for name, value in record.items()}
        return bool(evaluate(coded))

    return function


def _compiled(node: Formula, names: Mapping[str, str]) -> Callable[[Mapping[str, Any]], Any]:
    """One node of an expression, as a function of coded facts."""
    if z3.is_true(node) or z3.is_false(node):
        truth = z3.is_true(node)
        return lambda _: truth
    if z3.is_int_value(node):
        number = node.as_long()
        return lambda _: number
    if node.num_args() == 0:
        fact = names[node.decl().name()]
        return lambda record: record[fact]
    parts = [_compiled(part, names) for part in node.children()]
    combine = _OPERATIONS.get(node.decl().kind())
    if combine is None:
        raise FormulaError(f"an operation that routing formulas do not have: {node.decl().name()}")
    return lambda record: combine(part(record) for part in parts)
