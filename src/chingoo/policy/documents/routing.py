"""policies/routing.yaml: the one table of precedence, from the strictest rule to the default."""

from dataclasses import dataclass

from chingoo.model.enums import (
    MemoryReadPolicy,
    MemoryWritePolicy,
    Pipeline,
    SafetyPolicy,
    Switch,
    VectorSearchPolicy,
)
from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition over facts: exactly one of `all`, `any`, `not`, or a `fact` with exactly one comparison."""

    place: Place
    all: "tuple[Condition, ...] | None" = None
    any: "tuple[Condition, ...] | None" = None
    not_: "Condition | None" = None
    fact: str | None = None
    is_: bool | int | str | None = None
    in_: tuple[str, ...] | None = None
    gte: int | None = None
    lte: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule decides. `reply` is a fixed reply's id, in which `{guard_category}` and the like stand for facts.

    Policies left out are the pipeline's, as policies/pipelines.yaml gives them.
    """

    place: Place
    pipeline: Pipeline
    safety_policy: SafetyPolicy
    reply: str | None = None
    memory_read_policy: MemoryReadPolicy | None = None
    vector_search_policy: VectorSearchPolicy | None = None
    memory_write_policy: MemoryWritePolicy | None = None
    relationship_update_policy: Switch | None = None


@dataclass(frozen=True, slots=True)
class RoutingRule:
    """One rule. The first whose `when` holds decides; the last one has no `when` and always holds.

    `owner` answers for it; it came into force on the day `since`, and is to be looked at again by the day `review_by`.
    """

    place: Place
    id: str
    because: str
    then: Outcome
    when: Condition | None = None
    owner: str | None = None
    since: str | None = None
    review_by: str | None = None


@dataclass(frozen=True, slots=True)
class NoteRule:
    """A remark for the logs, added whenever it holds, whatever is decided."""

    place: Place
    id: str
    note: str
    when: Condition


@dataclass(frozen=True, slots=True)
class RoutingDocument:
    """The rules in order of precedence, and `strictest`: what is decided when the rules cannot be evaluated."""

    place: Place
    rules: tuple[RoutingRule, ...]
    strictest: RoutingRule
    notes: tuple[NoteRule, ...] = ()
