"""What a person had forgotten: which messages and why, the words until they are erased, and who was erased (C-68)."""

from sqlalchemy import Boolean, CheckConstraint, Column, Index, LargeBinary, Table, Text
from sqlalchemy.dialects.postgresql import JSON

from chingoo.adapters.postgres.tables.base import INSTANT, METADATA, key

# A message and the message it was forgotten with, itself where it was asked for. `messages.is_forgotten` says the same.
forgotten_messages = Table(
    "forgotten_messages",
    METADATA,
    key("user_id"),
    key("message_id"),
    key("because_of"),
    Column("undo_until", INSTANT, nullable=False),
    Index("forgotten_messages_of_cause", "user_id", "because_of"),
)

# The words of a forgotten message and the answer to it, only so that forgetting can be taken back; then erased.
kept_words = Table(
    "kept_words",
    METADATA,
    key("user_id"),
    key("message_id"),
    Column("text", Text, nullable=False),
    Column("answer", JSON),
    Column("undo_until", INSTANT, nullable=False),
    Index("kept_words_due", "undo_until", "user_id"),
)

# Evidence ids that left memories with their messages, and come back with them. Ids only.
dropped_evidence = Table(
    "dropped_evidence",
    METADATA,
    key("user_id"),
    key("message_id"),
    key("memory_id"),
    Column("core", Boolean, primary_key=True, nullable=False),
)

# Who was erased: a digest of the id, so that nothing makes that person again. Nothing else is left of anybody here.
erased_users = Table(
    "erased_users",
    METADATA,
    Column("user_digest", LargeBinary, primary_key=True),
    Column("erased_at", INSTANT, nullable=False),
    CheckConstraint("length(user_digest) = 32", name="user_digest"),
)
