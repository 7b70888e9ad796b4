"""What the policy engine answers: a decision's routing and signals, and what the gates say of a reply."""

from datetime import datetime
from typing import Any

import msgspec

from chingoo.model.enums import (
    CrisisLevel,
    MemoryReadPolicy,
    MemoryWritePolicy,
    Pipeline,
    SafetyPolicy,
    Switch,
    TopicID,
    VectorSearchPolicy,
)


class Routing(msgspec.Struct):
    """What the turn may do (TURN-02)."""

    pipeline: Pipeline
    safety_policy: SafetyPolicy
    memory_read_policy: MemoryReadPolicy
    vector_search_policy: VectorSearchPolicy
    memory_write_policy: MemoryWritePolicy
    relationship_update_policy: Switch
    notes: list[str]


class TopicSeen(msgspec.Struct):
    """A topic the message touches."""

    topic: TopicID
    confidence: float
    hits: list[str]
    user_initiated: bool


class IntentFlags(msgspec.Struct):
    """Intent flags."""

    is_question: bool
    has_personal_pronoun: bool
    has_distress: bool
    asks_for_comfort: bool
    is_pure_fact_q: bool


class MemoryHeuristics(msgspec.Struct):
    """What the message may leave in memory."""

    preference: bool
    fact: bool
    event: bool
    correction: bool


class Crisis(msgspec.Struct):
    """The crisis check."""

    detected: bool
    level: CrisisLevel | None
    phrases: list[str]


class Guard(msgspec.Struct):
    """The content guard."""

    blocked: bool
    category: str | None


class SignalsSeen(msgspec.Struct):
    """What was seen in the text, before any rule."""

    user_text_norm: str
    norm_no_punct: str
    token_estimate: int
    language: str
    topics: list[TopicSeen]
    flags: IntentFlags
    heuristics: MemoryHeuristics
    valence: float
    emotion_tags: list[str]
    crisis: Crisis
    guard: Guard


class PolicyNamed(msgspec.Struct):
    """Which bundle decided, and by which rules."""

    digest: str
    rules: list[str]


class Fact(msgspec.Struct):
    """A fact that an instant pattern would store."""

    type: str
    memory_key: str
    memory_value: str
    confidence: float
    extracted_from: str
    expires_at: datetime | None


class Matched(msgspec.Struct):
    """A list entry seen in the text; `span` is half-open, in code points of the text as sent."""

    entry: str
    file: str
    line: int
    span: tuple[int, int]


class TraceLine(msgspec.Struct):
    """Why a rule or signal held."""

    rule: str
    file: str
    line: int
    because: str
    matched: list[Matched]


class EvaluationAnswer(msgspec.Struct):
    """What a turn would be decided to be. `trace` is there only with `explain`."""

    routing: Routing
    signals: SignalsSeen
    taboo_guard: list[TopicID]
    facts: list[Fact]
    reply: str | None
    policy: PolicyNamed
    trace: list[TraceLine] | msgspec.UnsetType = msgspec.UNSET


class Violation(msgspec.Struct):
    """A gate that the reply does not pass; what `measured` and `allowed` hold depends on the gate."""

    gate: str
    detail: str
    measured: Any
    allowed: Any


class Measures(msgspec.Struct):
    """What was measured in the reply."""

    emoji_count: int
    sentence_count: int
    avg_words_per_sentence: float
    opener_norm: str
    max_similarity: float
    personal_fact_count: int


class ReplyCheckAnswer(msgspec.Struct):
    """What the gates say of a reply."""

    passed: bool
    violations: list[Violation]
    measures: Measures
