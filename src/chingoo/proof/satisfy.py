"""Finds the smallest records that satisfy a formula: those that are as everyday as can be."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import z3

from chingoo.model.decision import FactRecord
from chingoo.proof.formula import FactSpace, Formula

_STEPS = 64


class Measured(NamedTuple):
    """A variable, and the value it should rather have."""

    variable: Formula
    neutral: Formula


class Search:
    """Looks for records. `others` are spaces of records beside the first, which share variables with it."""

    def __init__(self, space: FactSpace, neutral: FactRecord, others: Sequence[FactSpace] = ()) -> None:
        self.space = space
        self._solver: Any = z3.Solver(ctx=space.context)
        self._measured: list[Measured] = []
        seen: set[str] = set()
        for one in (space, *others):
            self._solver.add(*one.bounds())
            for name, variable in one.variables.items():
                if variable.decl().name() not in seen:
                    seen.add(variable.decl().name())
                    self._measured.append(Measured(variable, one.coded(name, neutral[name])))

    def possible(self, *formulas: Formula) -> bool:
        """Whether any record satisfies all of them."""
        self._solver.push()
        self._solver.add(*formulas)
        found = self._solver.check() == z3.sat
        self._solver.pop()
        return bool(found)

    def smallest(self, *formulas: Formula) -> Any | None:
        """The model of a record that differs from the neutral one in as few facts as possible, or None.

        Of several such records it is always the same one: earlier facts rather keep their neutral value, and numbers
        are as near to it as they can be.
        """
        scopes = self._solver.num_scopes()
        self._solver.push()
        self._solver.add(*formulas)
        model = self._smallest() if self._solver.check() == z3.sat else None
        self._solver.pop(self._solver.num_scopes() - scopes)
        return model

    def core(self, formula: Formula, barriers: Sequence[Formula]) -> list[int]:
        """Which of the barriers are enough to make the formula impossible: none can be left out of them."""
        needed = list(range(len(barriers)))
        for index in range(len(barriers)):
            fewer = [one for one in needed if one != index]
            if not self.possible(formula, *(barriers[one] for one in fewer)):
                needed = fewer
        return needed

    def _smallest(self) -> Any:
        self._bound_differences()
        for one in self._measured:
            self._settle(one)
        self._solver.check()
        return self._solver.model()

    def _bound_differences(self) -> None:
        differ = [(one.variable != one.neutral, 1) for one in self._measured]
        for most in range(len(differ) + 1):
            self._solver.push()
            self._solver.add(z3.PbLe(differ, most))
            if self._solver.check() == z3.sat:
                return
            self._solver.pop()

    def _settle(self, one: Measured) -> None:
        """Give a variable its neutral value if it can have it, else the nearest it can have."""
        if self.possible(one.variable == one.neutral):
            self._solver.add(one.variable == one.neutral)
            return
        if z3.is_bool(one.variable):
            return
        neutral = one.neutral.as_long()
        near, far = 1, 2**_STEPS
        while near < far:
            middle = (near + far) // 2
            if self.possible(one.variable >= neutral - middle, one.variable <= neutral + middle):
                far = middle
            else:
                near = middle + 1
        below = self.possible(one.variable == neutral - near)
        self._solver.add(one.variable == (neutral - near if below else neutral + near))
