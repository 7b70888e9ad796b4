"""What is remembered, with its evidence, and how it was corrected (DATA-01, DATA-02, DATA-07, DATA-08, DATA-12)."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKeyConstraint,
    Index,
    String,
    Table,
    Text,
    Uuid,
    text,
)

from chingoo.adapters.postgres.tables.base import IDS, INSTANT, METADATA, NO, NO_TEXTS, NOW, key, word
from chingoo.model.enums import ExtractedFrom, MemoryStatus

memories = Table(
    "memories",
    METADATA,
    key("user_id"),
    key("memory_id"),
    Column("ai_friend_id", Uuid, nullable=False),
    Column("type", Text, nullable=False),
    Column("memory_key", Text, nullable=False),
    Column("memory_value", Text, nullable=False),
    Column("confidence", Double, nullable=False),
    word("status", MemoryStatus),
    word("extracted_from", ExtractedFrom),
    Column("created_at", INSTANT, nullable=False),
    Column("last_confirmed_at", INSTANT, nullable=False),
    Column("evidence_message_ids", IDS, nullable=False, server_default=NO_TEXTS),
    Column("context_message_ids", IDS, nullable=False, server_default=NO_TEXTS),
    Column("superseded_by", Uuid),
    Column("invalid_reason", Text),
    Column("is_disputed", Boolean, nullable=False, server_default=NO),
    Column("expires_at", INSTANT),
    Column("updated_at", INSTANT, nullable=False, server_default=NOW),
    Column("forget_at", INSTANT),  # when it is erased, with the history of its key (C-68)
    # Deferred: one change set may replace a record before the one that replaces it is written.
    ForeignKeyConstraint(
        ["user_id", "superseded_by"],
        ["memories.user_id", "memories.memory_id"],
        name="memories_superseded_by_fkey",
        deferrable=True,
        initially="DEFERRED",
    ),
    CheckConstraint("length(memory_key) <= 100 or memory_key like 'sealed:%'", name="memory_key"),
    CheckConstraint("confidence between 0 and 1", name="confidence"),
    CheckConstraint("cardinality(evidence_message_ids) > 0 or extracted_from = 'onboarding'", name="evidence"),
    CheckConstraint("(type = 'life_event') = (expires_at is not null)", name="expires_at"),
    CheckConstraint("superseded_by <> memory_id", name="superseded_by"),
    Index(
        "memories_one_active",
        "user_id",
        "ai_friend_id",
        "memory_key",
        unique=True,
        postgresql_where=text("status = 'ACTIVE'"),
    ),
    Index(
        "memories_expiring",
        "expires_at",
        "user_id",
        postgresql_where=text("status = 'ACTIVE' and expires_at is not null"),
    ),
    Index("memories_to_forget", "forget_at", "user_id", postgresql_where=text("forget_at is not null")),
    Index("memories_of_batches", "created_at", postgresql_where=text("extracted_from = 'batch'")),
    Index("memories_evidence", "evidence_message_ids", postgresql_using="gin"),
)

corrections = Table(
    "corrections",
    METADATA,
    key("user_id"),
    key("correction_id"),
    Column("trigger_message_id", Uuid, nullable=False),
    Column("corrected_message_id", Uuid),
    Column("deactivated_memory_id", Uuid),
    Column("disputed_memory_id", Uuid),
    Column("correction_type", String(30), nullable=False),
    Column("created_at", INSTANT, nullable=False),
    Index("corrections_newest", "user_id", "created_at"),
)
