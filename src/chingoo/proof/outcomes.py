"""What a routing rule decides in full, how strict that is, and whether it is what an invariant asks for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chingoo.model.enums import (
    MemoryReadPolicy,
    MemoryWritePolicy,
    Pipeline,
    SafetyPolicy,
    Switch,
    VectorSearchPolicy,
)
from chingoo.policy.documents.invariants import OutcomeTest
from chingoo.policy.documents.pipelines import PipelinesDocument
from chingoo.policy.documents.routing import RoutingRule

STRICTNESS: Mapping[str, Sequence[str]] = {
    "safety_policy": (SafetyPolicy.ALLOW, SafetyPolicy.SOFT_REFUSE, SafetyPolicy.HARD_REFUSE),
    "memory_read_policy": (MemoryReadPolicy.FULL, MemoryReadPolicy.LIGHT, MemoryReadPolicy.NONE),
    "vector_search_policy": (VectorSearchPolicy.ON_DEMAND, VectorSearchPolicy.OFF),
    "memory_write_policy": (MemoryWritePolicy.SELECTIVE, MemoryWritePolicy.NONE),
    "relationship_update_policy": (Switch.ON, Switch.OFF),
}
"""The values of each outcome field from the loosest to the strictest; pipelines have no such order."""


@dataclass(frozen=True, slots=True)
class FullOutcome:
    """An outcome with the policies of its pipeline filled in."""

    pipeline: Pipeline
    safety_policy: SafetyPolicy
    memory_read_policy: MemoryReadPolicy
    vector_search_policy: VectorSearchPolicy
    memory_write_policy: MemoryWritePolicy
    relationship_update_policy: Switch
    reply: str | None

    def told(self) -> str:
        """The outcome in short."""
        return f"{self.pipeline} with {self.safety_policy}"


def full_outcome(rule: RoutingRule, pipelines: PipelinesDocument) -> FullOutcome:
    """What a rule decides: its own policies, else those of its pipeline."""
    then, usual = rule.then, pipelines.pipelines[rule.then.pipeline]
    return FullOutcome(
        pipeline=then.pipeline,
        safety_policy=then.safety_policy,
        memory_read_policy=then.memory_read_policy or usual.memory_read_policy,
        vector_search_policy=then.vector_search_policy or usual.vector_search_policy,
        memory_write_policy=then.memory_write_policy or usual.memory_write_policy,
        relationship_update_policy=then.relationship_update_policy or usual.relationship_update_policy,
        reply=then.reply,
    )


def fits(test: OutcomeTest, rule: RoutingRule, outcome: FullOutcome) -> bool:
    """Whether an outcome is what a test asks for."""
    return not list(misfits(test, rule, outcome))


def misfits(test: OutcomeTest, rule: RoutingRule, outcome: FullOutcome) -> Iterable[str]:
    """What is not as the test asks, in words: `safety_policy is ALLOW, not HARD_REFUSE`."""
    for name, allowed, value in _asked(test, rule, outcome):
        if value not in allowed:
            yield f"{name} is {value}, not {' or '.join(allowed)}"
    if test.says is not None and test.says != (outcome.reply is not None):
        yield "no fixed reply is said" if test.says else f"the fixed reply {outcome.reply} is said"
    if test.not_ is not None and fits(test.not_, rule, outcome):
        yield f"it is {_told(test.not_)}"


def looser(field: str, before: str, after: str) -> bool:
    """Whether `after` allows more than `before`."""
    order = STRICTNESS[field]
    return order.index(after) < order.index(before)


def _asked(test: OutcomeTest, rule: RoutingRule, outcome: FullOutcome) -> Iterable[tuple[str, tuple[str, ...], Any]]:
    for name in (*STRICTNESS, "pipeline", "reply"):
        allowed = getattr(test, name)
        if allowed:
            yield name, allowed, getattr(outcome, name)
    if test.rule:
        yield "the rule", test.rule, rule.id


def _told(test: OutcomeTest) -> str:
    named = [*STRICTNESS, "pipeline", "reply", "rule"]
    return ", ".join(f"{name} {' or '.join(getattr(test, name))}" for name in named if getattr(test, name))
