"""policies/invariants.yaml: what must hold of every decision, whatever the message, proved for all fact records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chingoo.model.enums import (
    MemoryReadPolicy,
    MemoryWritePolicy,
    Pipeline,
    SafetyPolicy,
    Switch,
    VectorSearchPolicy,
)
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.routing import Condition

Every = Literal["record-has-an-outcome", "rule-is-reachable"]
"""What is asked of the whole table: no record without a rule, no rule without a record."""

OutcomeField = Literal[
    "pipeline",
    "safety_policy",
    "memory_read_policy",
    "vector_search_policy",
    "memory_write_policy",
    "relationship_update_policy",
]
"""The parts of an outcome that can be compared; all but `pipeline` have an order from loose to strict."""


@dataclass(frozen=True, slots=True)
class OutcomeTest:
    """What an outcome must be like: each field it names must have one of the values; `not` must not hold.

    `rule` are ids of rules, `reply` ids as routing.yaml writes them; `says` asks whether a fixed reply is said at all.
    """

    place: Place
    pipeline: tuple[Pipeline, ...] = ()
    safety_policy: tuple[SafetyPolicy, ...] = ()
    memory_read_policy: tuple[MemoryReadPolicy, ...] = ()
    vector_search_policy: tuple[VectorSearchPolicy, ...] = ()
    memory_write_policy: tuple[MemoryWritePolicy, ...] = ()
    relationship_update_policy: tuple[Switch, ...] = ()
    rule: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    says: bool | None = None
    not_: "OutcomeTest | None" = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two records that differ in the facts of `changes` alone, one `before`, one `after` the change.

    The outcome after may never be looser in a field of `never_looser`, and must be the same in those of `same`.
    """

    place: Place
    changes: tuple[str, ...]
    before: Condition
    after: Condition
    never_looser: tuple[OutcomeField, ...] = ()
    same: tuple[OutcomeField, ...] = ()


@dataclass(frozen=True, slots=True)
class Invariant:
    """One invariant, of exactly one kind: `then`, `compare`, `every`, `never` or `strictest`.

    `when` narrows `then` and `compare` to the records for which it holds (both records, for `compare`), `where` narrows
    `then` to outcomes. `then` is asked of these outcomes, `strictest` of the one for when rules cannot be evaluated.
    `never` forbids values of outcome fields, also such as no outcome could have today.
    """

    place: Place
    id: str
    because: str
    when: Condition | None = None
    where: OutcomeTest | None = None
    then: OutcomeTest | None = None
    compare: Comparison | None = None
    every: Every | None = None
    never: Mapping[str, str] | None = None
    strictest: OutcomeTest | None = None


@dataclass(frozen=True, slots=True)
class InvariantsDocument:
    """All invariants. `neutral` is an everyday record, from which counterexamples differ as little as can be.

    Facts it leaves out are false, 0, or their first member.
    """

    place: Place
    invariants: tuple[Invariant, ...]
    neutral: Mapping[str, bool | int | str] = field(default_factory=dict)
