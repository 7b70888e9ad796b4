"""Proves the invariants of policies/invariants.yaml for all fact records at once, or shows the smallest breach."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import z3

from chingoo.engine.outcomes import FullOutcome, full_outcome
from chingoo.model.decision import FactRecord
from chingoo.policy.documents.facts import FactsDocument
from chingoo.policy.documents.invariants import Comparison, Invariant, InvariantsDocument
from chingoo.policy.documents.pipelines import PipelinesDocument
from chingoo.policy.documents.routing import RoutingDocument, RoutingRule
from chingoo.proof.formula import FactSpace, Formula, firings
from chingoo.proof.outcomes import fits, looser, misfits
from chingoo.proof.records import differences, neutral_record
from chingoo.proof.satisfy import Search


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which an invariant does not hold.

    `record` are the smallest facts that show it and `differs` those that are not as every day; None where no record is
    needed to see it. `rule` is the rule that fires for them, None where none does, or that never fires. `after` is the
    record after the change and `after_rule` the rule for it, for comparisons. `because_of` are the rules that keep
    `rule` from ever firing. `wrong` says in words what is not as it must be.
    """

    invariant: Invariant
    wrong: str
    record: FactRecord | None = None
    differs: FactRecord | None = None
    rule: RoutingRule | None = None
    outcome: FullOutcome | None = None
    after: FactRecord | None = None
    after_rule: RoutingRule | None = None
    because_of: tuple[RoutingRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """An invariant and its breaches: it is proved when there are none."""

    invariant: Invariant
    breaches: tuple[Breach, ...]

    @property
    def holds(self) -> bool:
        """True when it holds for every record there can be."""
        return not self.breaches


def prove(
    invariants: InvariantsDocument, facts: FactsDocument, routing: RoutingDocument, pipelines: PipelinesDocument
) -> tuple[Verdict, ...]:
    """A verdict for each invariant. FormulaError: a condition or a neutral value names what no fact is."""
    table = _Table(invariants, facts, routing, pipelines)
    return tuple(Verdict(one, tuple(table.breaches(one))) for one in invariants.invariants)


def first_breach(
    invariants: InvariantsDocument, facts: FactsDocument, routing: RoutingDocument, pipelines: PipelinesDocument
) -> Breach | None:
    """One breach of the first invariant that does not hold, for whoever wants to know no more. Errors as `prove`."""
    table = _Table(invariants, facts, routing, pipelines)
    return next((breach for one in invariants.invariants for breach in table.breaches(one)), None)


class _Table:
    """One routing table, ready to be asked."""

    def __init__(
        self,
        invariants: InvariantsDocument,
        facts: FactsDocument,
        routing: RoutingDocument,
        pipelines: PipelinesDocument,
    ) -> None:
        self.routing = routing
        self.rules = routing.rules
        self.pipelines = pipelines
        self.outcomes = [full_outcome(rule, pipelines) for rule in routing.rules]
        self.neutral = neutral_record(facts.facts, invariants.neutral)
        self.space = FactSpace(facts.facts, z3.Context())
        self.fires = firings(self.space, self.rules)
        self.search = Search(self.space, self.neutral)

    def breaches(self, invariant: Invariant) -> Iterator[Breach]:
        """Every way in which one invariant does not hold."""
        if invariant.then is not None:
            yield from self._then(invariant)
        elif invariant.compare is not None:
            yield from self._compare(invariant, invariant.compare)
        elif invariant.every == "rule-is-reachable":
            yield from self._unreachable(invariant)
        elif invariant.every is not None:
            yield from self._without_outcome(invariant)
        elif invariant.never is not None:
            yield from self._never(invariant, invariant.never)
        elif invariant.strictest is not None:
            yield from self._strictest(invariant)

    def _then(self, invariant: Invariant) -> Iterator[Breach]:
        when, where, then = self.space.holds(invariant.when), invariant.where, invariant.then
        asked = [
            index for index, rule in enumerate(self.rules) if where is None or fits(where, rule, self.outcomes[index])
        ]
        if not self.search.possible(when, self.space.either(*(self.fires[index] for index in asked))):
            yield Breach(invariant, "nothing is ever as its `when` and `where` want it, so that it says nothing")
            return
        for index in asked:
            wrong = list(misfits(then, self.rules[index], self.outcomes[index])) if then else []
            model = self.search.smallest(when, self.fires[index]) if wrong else None
            if model is not None:
                record = self.space.read(model)
                yield self._shown(invariant, "; ".join(wrong), record, index)

    def _compare(self, invariant: Invariant, comparison: Comparison) -> Iterator[Breach]:
        shared = {name: one for name, one in self.space.variables.items() if name not in comparison.changes}
        after = FactSpace(self.space.facts, self.space.context, "after.", shared)
        search = Search(self.space, self.neutral, (after,))
        given = [
            *(one.holds(invariant.when) for one in (self.space, after)),
            self.space.holds(comparison.before),
            after.holds(comparison.after),
        ]
        if not search.possible(*given):
            yield Breach(invariant, "no two records are as it wants them, so that it says nothing")
            return
        fires_after = firings(after, self.rules)
        for index in range(len(self.rules)):
            worse = [other for other in range(len(self.rules)) if self._worse(comparison, index, other)]
            worst = self.space.either(*(fires_after[other] for other in worse))
            model = search.smallest(*given, self.fires[index], worst) if worse else None
            if model is not None:
                record, changed = self.space.read(model), after.read(model)
                other = next(one for one in worse if z3.is_true(model.eval(fires_after[one], model_completion=True)))
                wrong = "; ".join(self._worse(comparison, index, other))
                yield self._shown(invariant, wrong, record, index, changed, self.rules[other])

    def _worse(self, comparison: Comparison, before: int, after: int) -> list[str]:
        """What gets worse from one rule's outcome to another's."""
        first, second = self.outcomes[before], self.outcomes[after]
        fields = [name for name in comparison.never_looser if looser(name, getattr(first, name), getattr(second, name))]
        fields += [name for name in comparison.same if getattr(first, name) != getattr(second, name)]
        return [f"{name} goes from {getattr(first, name)} to {getattr(second, name)}" for name in dict.fromkeys(fields)]

    def _unreachable(self, invariant: Invariant) -> Iterator[Breach]:
        held: list[Formula] = [self.space.holds(rule.when) for rule in self.rules]
        for index, rule in enumerate(self.rules):
            if self.search.possible(self.fires[index]):
                continue
            core = self.search.core(held[index], [z3.Not(one) for one in held[:index]])
            before = tuple(self.rules[one] for one in core)
            wrong = "earlier rules decide whatever it would" if before else "its condition contradicts itself"
            yield Breach(invariant, wrong, rule=rule, because_of=before)

    def _without_outcome(self, invariant: Invariant) -> Iterator[Breach]:
        model = self.search.smallest(*(z3.Not(self.space.holds(rule.when)) for rule in self.rules))
        if model is not None:
            record = self.space.read(model)
            yield Breach(invariant, "no rule decides", record, differences(record, self.neutral))

    def _never(self, invariant: Invariant, forbidden: Mapping[str, str]) -> Iterator[Breach]:
        for rule in (*self.rules, self.routing.strictest):
            outcome = full_outcome(rule, self.pipelines)
            for field, value in forbidden.items():
                if getattr(outcome, field) == value:
                    yield Breach(invariant, f"{field} is {value}", rule=rule, outcome=outcome)
        for pipeline, usual in self.pipelines.pipelines.items():
            for field, value in forbidden.items():
                if getattr(usual, field, None) == value:
                    yield Breach(invariant, f"{field} of the pipeline {pipeline} is {value}")

    def _strictest(self, invariant: Invariant) -> Iterator[Breach]:
        rule = self.routing.strictest
        outcome = full_outcome(rule, self.pipelines)
        wrong = list(misfits(invariant.strictest, rule, outcome)) if invariant.strictest else []
        if wrong:
            yield Breach(invariant, "; ".join(wrong), rule=rule, outcome=outcome)

    def _shown(
        self,
        invariant: Invariant,
        wrong: str,
        record: FactRecord,
        index: int,
        after: FactRecord | None = None,
        after_rule: RoutingRule | None = None,
    ) -> Breach:
        return Breach(
            invariant,
            wrong,
            record,
            differences(record, self.neutral),
            self.rules[index],
            self.outcomes[index],
            after,
            after_rule,
        )
