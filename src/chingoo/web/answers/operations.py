"""Logs, jobs, policies and health, as the API answers them."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec

from chingoo.model.enums import (
    CrisisLevel,
    Pipeline,
    SafetyPolicy,
)
from chingoo.model.policies import Verdict
from chingoo.model.reviews import ReviewVerdict


class VerdictNoted(msgspec.Struct):
    """What an editor said of a decision, and when."""

    verdict: Verdict
    note: str | None
    who: str
    given_at: datetime


class VerdictAnswer(msgspec.Struct):
    """The verdict as it is kept."""

    decision_id: UUID
    verdict: VerdictNoted


class DecisionRecord(msgspec.Struct):
    """A decision; it holds no message text (S-28)."""

    decision_id: UUID
    trace_id: UUID
    message_id: UUID
    user_id: UUID
    received_at: datetime
    pipeline: Pipeline
    safety_policy: SafetyPolicy
    rules: list[str]
    digest: str
    timings_ms: dict[str, float]
    verdict: VerdictNoted | None


class DecisionPage(msgspec.Struct):
    """Decisions, newest first."""

    items: list[DecisionRecord]
    next: str | None


class ReviewNoted(msgspec.Struct):
    """What an editor said of a sample, and when. `example` is a sentence of the editor's own, for a test."""

    verdict: ReviewVerdict
    note: str | None
    example: str | None
    who: str
    given_at: datetime


class ExtractionSample(msgspec.Struct):
    """A memory that a batch made and that is drawn for review; no words of the person."""

    memory_id: UUID
    user_id: UUID
    type: str
    language: str
    sampled_at: datetime
    review: ReviewNoted | None


class ExtractionSamples(msgspec.Struct):
    """Samples of what batches made."""

    items: list[ExtractionSample]


class AuditRow(msgspec.Struct):
    """A row of one of the two logs: GUARD-10's fields for `guardrail`, `level` and `phrases` for `crisis`."""

    user_id: UUID
    message_id: UUID
    created_at: datetime
    event_type: str | msgspec.UnsetType = msgspec.UNSET
    event_category: str | msgspec.UnsetType = msgspec.UNSET
    action: str | msgspec.UnsetType = msgspec.UNSET
    resource_type: str | msgspec.UnsetType = msgspec.UNSET
    event_data: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    result: str | msgspec.UnsetType = msgspec.UNSET
    level: CrisisLevel | msgspec.UnsetType = msgspec.UNSET
    phrases: list[str] | msgspec.UnsetType = msgspec.UNSET


class AuditPage(msgspec.Struct):
    """Rows, newest first. No message text."""

    items: list[AuditRow]
    next: str | None


class AuditCount(msgspec.Struct):
    """How many events of one kind a month had. A guardrail event has a category, a crisis its level."""

    month: str
    log: Literal["guardrail", "crisis"]
    category: str | None
    level: CrisisLevel | None
    language: str
    events: int


class AuditCounts(msgspec.Struct):
    """The counts, by month."""

    items: list[AuditCount]


class JobDone(msgspec.Struct):
    """What a job did; `reason`, where it would do nothing at all."""

    name: str
    processed: int
    reason: str | msgspec.UnsetType = msgspec.UNSET


class PolicyFile(msgspec.Struct):
    """A file of the bundle."""

    path: str
    sha256: str


class PolicyProcess(msgspec.Struct):
    """A process, and the bundle it decides by."""

    id: str
    kind: str
    digest: str


class PoliciesActive(msgspec.Struct):
    """The bundle in force."""

    digest: str
    built_at: datetime
    files: list[PolicyFile]
    counts: dict[str, int]
    processes: list[PolicyProcess]


class PolicySwitch(msgspec.Struct):
    """A switch: to what, by whom, why and when."""

    digest: str
    who: str
    reason: str
    at: datetime


class PolicyHistory(msgspec.Struct):
    """The switches, newest first."""

    items: list[PolicySwitch]


class Alive(msgspec.Struct):
    """The process is up."""

    status: str


class Ready(msgspec.Struct):
    """The service can work; `degraded` names the parts that are away but not needed."""

    degraded: list[str]
