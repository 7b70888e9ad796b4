"""What a routing rule decides in full, its pipeline's policies with its own; decisions and proofs share it."""

from dataclasses import dataclass

from chingoo.model.decision import RoutingDecision
from chingoo.model.enums import (
    MemoryReadPolicy,
    MemoryWritePolicy,
    Pipeline,
    SafetyPolicy,
    Switch,
    VectorSearchPolicy,
)
from chingoo.policy.documents.pipelines import PipelinesDocument
from chingoo.policy.documents.routing import RoutingRule


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

    def routing(self) -> RoutingDecision:
        """What a turn may do by it."""
        return RoutingDecision(
            self.pipeline,
            self.safety_policy,
            self.memory_read_policy,
            self.vector_search_policy,
            self.memory_write_policy,
            self.relationship_update_policy,
        )

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
