"""What is kept of decisions, guard hits, crises and model calls: no text (S-28, GUARD-10, CRISIS-09, TEL-01)."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Date,
    Double,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from chingoo.adapters.postgres.tables.base import INSTANT, METADATA, NOW, TEXTS, key, word
from chingoo.model.enums import CrisisLevel, Pipeline, SafetyPolicy
from chingoo.model.reviews import ReviewVerdict

decisions = Table(
    "decisions",
    METADATA,
    key("user_id"),
    key("decision_id"),
    Column("trace_id", Uuid, nullable=False),
    Column("message_id", Uuid, nullable=False),
    Column("received_at", INSTANT, nullable=False),
    word("pipeline", Pipeline),
    word("safety_policy", SafetyPolicy),
    Column("rules", TEXTS, nullable=False),
    Column("digest", Text, nullable=False),
    Column("facts_record", JSONB, nullable=False),
    Column("spans", JSONB, nullable=False),
    Column("timings_ms", JSONB, nullable=False),
    Column("language", Text, nullable=False),
    Index("decisions_of_user", "user_id", "received_at", "decision_id"),
    Index("decisions_of_pipeline", "pipeline", "received_at", "decision_id"),
    # A verdict names its decision alone.
    Index("decisions_by_id", "decision_id", postgresql_using="hash"),
)

guard_log = Table(
    "guard_log",
    METADATA,
    key("user_id"),
    key("message_id"),
    Column("category", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("created_at", INSTANT, nullable=False),
    Index("guard_log_of_user", "user_id", "created_at", "message_id"),
    Index("guard_log_newest", "created_at", "message_id", "user_id"),
)

crisis_log = Table(
    "crisis_log",
    METADATA,
    key("user_id"),
    key("message_id"),
    word("level", CrisisLevel),
    Column("phrases", TEXTS, nullable=False),
    Column("language", Text, nullable=False),
    Column("created_at", INSTANT, nullable=False),
    Index("crisis_log_of_user", "user_id", "created_at", "message_id"),
    Index("crisis_log_newest", "created_at", "message_id", "user_id"),
)

# How many there were, without a trace of whose: for the reports the law asks for, and so kept when a user is erased.
# A count is spread over a few rows, so that turns at the same moment need not wait for one another.
safety_counts = Table(
    "safety_counts",
    METADATA,
    Column("month", Date, primary_key=True),
    Column("log", Text, primary_key=True),
    Column("category", Text, primary_key=True),
    Column("level", Text, primary_key=True),
    Column("language", Text, primary_key=True),
    Column("slot", SmallInteger, primary_key=True, autoincrement=False),
    Column("events", BigInteger, nullable=False),
    CheckConstraint("events > 0", name="events"),
)

# Crises that a human is to be told of: written with the turn, sent afterwards, again until it is taken.
crisis_events = Table(
    "crisis_events",
    METADATA,
    key("user_id"),
    key("event_id"),
    Column("message_id", Uuid, nullable=False),
    word("level", CrisisLevel),
    Column("language", Text, nullable=False),
    Column("country", Text),
    Column("created_at", INSTANT, nullable=False),
    Column("due_at", INSTANT, nullable=False, server_default=NOW),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("delivered_at", INSTANT),
    Index("crisis_events_due", "due_at", postgresql_where=text("delivered_at is null")),
)

llm_calls = Table(
    "llm_calls",
    METADATA,
    key("user_id"),
    key("call_id"),
    Column("message_id", Uuid, nullable=False),
    Column("operation", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("duration_ms", Double, nullable=False),
    Column("cost_usd", Double, nullable=False),
    Column("error", Text),
    Column("created_at", INSTANT, nullable=False, server_default=NOW),
    Index("llm_calls_spent", "user_id", "created_at", postgresql_include=["cost_usd"]),
)

# One for each batch of messages that a model looked at, from before it is asked (BATCH-03, BATCH-15).
extraction_runs = Table(
    "extraction_runs",
    METADATA,
    key("user_id"),
    key("run_id"),
    Column("conversation_id", Uuid, nullable=False),
    Column("triggered_by", Text, nullable=False),
    Column("up_to", BigInteger, nullable=False),
    Column("messages_analyzed", Integer, nullable=False),
    Column("deltas_applied", Integer, nullable=False),
    Column("counts", JSONB, nullable=False),
    Column("llm_model", Text),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("duration_ms", Double, nullable=False),
    Column("error", Text),
    Column("created_at", INSTANT, nullable=False),
    Index("extraction_runs_newest", "user_id", "created_at"),
)

# Memories that batches made and people are to look at. A sample goes with its memory.
extraction_samples = Table(
    "extraction_samples",
    METADATA,
    key("user_id"),
    key("memory_id"),
    Column("language", Text, nullable=False),
    Column("revision", Text, nullable=False),
    Column("sampled_at", INSTANT, nullable=False),
    word("verdict", ReviewVerdict, null=True),
    Column("note", Text),
    Column("example", Text),
    Column("who", Text),
    Column("given_at", INSTANT),
    Index("extraction_samples_judged", "revision", "given_at", postgresql_where=text("verdict is not null")),
    Index("extraction_samples_open", "sampled_at", "memory_id", postgresql_where=text("verdict is null")),
    # A verdict names its memory alone.
    Index("extraction_samples_by_id", "memory_id", postgresql_using="hash"),
)
