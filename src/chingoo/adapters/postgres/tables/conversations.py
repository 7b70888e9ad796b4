"""Conversations with their lease, messages, and attempts of those who may not chat yet (LIFE-01…07, S-02, C-12)."""

from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSON

from chingoo.adapters.postgres.tables.base import IDS, INSTANT, METADATA, NO, NO_TEXTS, NOW, key, word
from chingoo.model.enums import Mode, ReplyOrigin, Role, Source


class MessageStatus(StrEnum):
    """Whether a message is answered (LIFE-04)."""

    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"


conversations = Table(
    "conversations",
    METADATA,
    key("user_id"),
    key("conversation_id"),
    Column("ai_friend_id", Uuid, nullable=False),
    # The lease: who may settle (a token), for which message, until when by the database's clock (S-02, S-04).
    Column("lease", Uuid),
    Column("lease_message_id", Uuid),
    Column("lease_until", INSTANT),
    Column("turn_seq", BigInteger, nullable=False, server_default=text("0")),
    Column("message_seq", BigInteger, nullable=False, server_default=text("0")),
    Column("last_received_at", INSTANT),
    Column("last_extraction_at", INSTANT),
    Column("pending_extraction_count", Integer, nullable=False, server_default=text("0")),
    Column("extracted_seq", BigInteger, nullable=False, server_default=text("0")),  # how far batches have looked
    UniqueConstraint("user_id", "ai_friend_id"),
    ForeignKeyConstraint(["user_id", "ai_friend_id"], ["friends.user_id", "friends.ai_friend_id"], ondelete="CASCADE"),
    CheckConstraint("num_nulls(lease, lease_message_id, lease_until) in (0, 3)", name="lease"),
    CheckConstraint("pending_extraction_count >= 0", name="pending_extraction_count"),
    postgresql_with={"fillfactor": "80"},
)

messages = Table(
    "messages",
    METADATA,
    key("user_id"),
    key("message_id"),
    Column("conversation_id", Uuid, nullable=False),
    word("mode", Mode),
    Column("seq", BigInteger, nullable=False),  # the order within the conversation
    word("role", Role),
    word("source", Source),
    word("status", MessageStatus),
    Column("text", Text),  # null once a forgotten message is blanked
    Column("text_sha256", LargeBinary),  # what a repeated id is compared with, and stays when the text goes
    Column("created_at", INSTANT, nullable=False),  # the instant of the turn
    Column("admitted_at", INSTANT, nullable=False, server_default=NOW),  # by the database's clock
    Column("activates", Boolean, nullable=False, server_default=NO),  # the message that made its user ACTIVE
    Column("client_locale", Text),
    Column("client_timezone", Text),
    Column("reply_to_id", Uuid),
    word("origin", ReplyOrigin, null=True),
    Column("rewritten", Boolean, nullable=False, server_default=NO),
    Column("surfaced_memory_ids", IDS, nullable=False, server_default=NO_TEXTS),
    Column("extracted_memory_candidate_ids", IDS, nullable=False, server_default=NO_TEXTS),
    Column("is_forgotten", Boolean, nullable=False, server_default=NO),
    Column("answer", JSON),  # the response body that replays, byte for byte
    CheckConstraint("text is not null or is_forgotten", name="text"),
    CheckConstraint("role = 'assistant' or text_sha256 is not null", name="text_sha256"),
    CheckConstraint("role = 'assistant' or (status = 'COMPLETED') = (answer is not null)", name="answer"),
    CheckConstraint(
        "role = 'user' or (status = 'COMPLETED' and origin is not null and reply_to_id is not null)", name="reply"
    ),
    Index("messages_history", "user_id", "conversation_id", "mode", "seq", unique=True),
    # For `reap`. Said by `answer`, not by `status`, so that no plan takes this index to find a turn's own message.
    Index(
        "messages_unanswered",
        "admitted_at",
        "user_id",
        "message_id",
        postgresql_where=text("role = 'user' and answer is null"),
    ),
)

attempts = Table(
    "attempts",
    METADATA,
    key("user_id"),
    key("message_id"),
    Column("conversation_id", Uuid, nullable=False),
    Column("ai_friend_id", Uuid, nullable=False),
    word("mode", Mode),
    word("source", Source),
    Column("text_sha256", LargeBinary, nullable=False),
    Column("created_at", INSTANT, nullable=False),
    Column("answer", JSON, nullable=False),
)
