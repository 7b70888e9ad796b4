"""Holds what is proved against what runs: formula, reference evaluator and rule engine must name the same rule."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import z3

from chingoo.engine.conditions import RuleTable
from chingoo.engine.engine import Engine
from chingoo.engine.reference import first_rule
from chingoo.errors import RuleEngineError
from chingoo.model.decision import FactRecord
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.invariants import InvariantsDocument
from chingoo.proof.formula import FactSpace, as_function, firings
from chingoo.proof.records import Domains, domains, neighbours, neutral_record, random_records
from chingoo.proof.satisfy import Search

_MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A record for which not all name the same rule; `formula` names several, or none, when the formula is broken."""

    record: FactRecord
    engine: str
    reference: str
    formula: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many records were tried, of which kind, and the first ones on which they differ.

    `witnesses` are one record for each rule that can be reached, found by the solver.
    """

    witnesses: int
    neighbours: int
    random: int
    disagreements: tuple[Disagreement, ...]

    @property
    def holds(self) -> bool:
        """True when all agree on every record tried."""
        return not self.disagreements


def agreement(engine: Engine, bundle: Bundle, invariants: InvariantsDocument, seed: int, amount: int) -> Agreement:
    """Try the witness of each rule, all that differs from one in a single fact, and `amount` random records."""
    trial = _Trial(engine, bundle, invariants)
    witnesses = list(trial.witnesses())
    near = [record for witness in witnesses for record in neighbours(witness, trial.domains)]
    drawn = random_records(trial.domains, seed, amount)
    found = (trial.compare(record) for record in chain(witnesses, near, drawn))
    differing = [one for one in found if one is not None][:_MOST_SHOWN]
    return Agreement(len(witnesses), len(near), amount, tuple(differing))


class _Trial:
    """The three evaluators of one routing table."""

    def __init__(self, engine: Engine, bundle: Bundle, invariants: InvariantsDocument) -> None:
        self.engine = engine
        self.table: RuleTable = engine.table
        facts, self.rules = bundle.facts.facts, bundle.routing.rules
        self.space = FactSpace(facts, z3.Context())
        self.fires = firings(self.space, self.rules)
        self.functions = [as_function(formula, self.space) for formula in self.fires]
        self.neutral = neutral_record(facts, invariants.neutral)
        conditions = [rule.when for rule in self.rules if rule.when is not None]
        self.domains: Domains = domains(facts, conditions, self.neutral)

    def witnesses(self) -> Iterator[FactRecord]:
        """For each rule that can fire, the most everyday record for which it does."""
        search = Search(self.space, self.neutral)
        for formula in self.fires:
            model = search.smallest(formula)
            if model is not None:
                yield self.space.read(model)

    def compare(self, record: FactRecord) -> Disagreement | None:
        """None when all three name the same rule for a record."""
        formula = tuple(rule.id for rule, fires in zip(self.rules, self.functions, strict=True) if fires(record))
        reference = first_rule(self.table, record).id
        try:
            running = self.engine.rules.first_rule(record).id
        except RuleEngineError as error:
            running = error.detail
        if formula == (reference,) and reference == running:
            return None
        return Disagreement(record, running, reference, formula)
