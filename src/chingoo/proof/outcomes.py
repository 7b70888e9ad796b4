"""How strict an outcome is, and whether it is what an invariant asks for."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chingoo.engine.outcomes import FullOutcome
from chingoo.model.enums import (
    MemoryReadPolicy,
    MemoryWritePolicy,
    SafetyPolicy,
    Switch,
    VectorSearchPolicy,
)
from chingoo.policy.documents.invariants import OutcomeTest
from chingoo.policy.documents.routing import RoutingRule

STRICTNESS: Mapping[str, Sequence[str]] = {
    "safety_policy": (SafetyPolicy.ALLOW, SafetyPolicy.SOFT_REFUSE, SafetyPolicy.HARD_REFUSE),
    "memory_read_policy": (MemoryReadPolicy.FULL, MemoryReadPolicy.LIGHT, MemoryReadPolicy.NONE),
    "vector_search_policy": (VectorSearchPolicy.ON_DEMAND, VectorSearchPolicy.OFF),
    "memory_write_policy": (MemoryWritePolicy.SELECTIVE, MemoryWritePolicy.NONE),
    "relationship_update_policy": (Switch.ON, Switch.OFF),
}
"""The values of each outcome field from the loosest to the strictest; pipelines have no such order."""


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
