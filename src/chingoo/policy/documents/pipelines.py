"""policies/pipelines.yaml: what each pipeline may read, search, write and change (POL-01…05)."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.model.enums import MemoryReadPolicy, MemoryWritePolicy, Pipeline, Switch, VectorSearchPolicy
from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class PipelinePolicies:
    """The policies of one pipeline; a routing rule may tighten or lighten them."""

    place: Place
    because: str
    memory_read_policy: MemoryReadPolicy
    vector_search_policy: VectorSearchPolicy
    memory_write_policy: MemoryWritePolicy
    relationship_update_policy: Switch


@dataclass(frozen=True, slots=True)
class PipelinesDocument:
    """All pipelines."""

    place: Place
    pipelines: Mapping[Pipeline, PipelinePolicies]
