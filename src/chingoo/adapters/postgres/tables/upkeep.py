"""The anti-cloning window, what the after-turn job still owes, and switches of policy (PERS-13, S-33)."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Identity,
    Index,
    Interval,
    SmallInteger,
    Table,
    Text,
    false,
)
from sqlalchemy.dialects.postgresql import JSONB

from chingoo.adapters.postgres.tables.base import INSTANT, METADATA, NOW, key

# The one window over all users: append only, and without a trace of whose assignment it was.
persona_assignments = Table(
    "persona_assignments",
    METADATA,
    Column("assignment_id", BigInteger, Identity(always=True), primary_key=True),
    Column("assigned_at", INSTANT, nullable=False),
    Column("combo_key", Text, nullable=False),
    Column("fallback", Boolean, nullable=False, server_default=false()),
    Index("persona_assignments_window", "assigned_at", "combo_key"),
)

# How many of each key stand in the window that ended at the newest instant; the rows above say it anew at any time.
persona_assignment_standing = Table(
    "persona_assignment_standing",
    METADATA,
    Column("standing_id", SmallInteger, primary_key=True, autoincrement=False),
    Column("window_length", Interval, nullable=False),
    Column("ended", INSTANT, nullable=False),
    Column("counts", JSONB, nullable=False),
    CheckConstraint("standing_id = 1", name="only_one"),
    CheckConstraint("jsonb_typeof(counts) = 'object'", name="counts"),
)

# Users with a settled turn that no after-turn job has looked at: a row comes with settle and goes with the job.
after_turn_due = Table(
    "after_turn_due",
    METADATA,
    key("user_id"),
    Column("settled_at", INSTANT, nullable=False, server_default=NOW),
)

# The data keys that memories are sealed under, each with a token that only it opens. No key is here.
data_keys = Table(
    "data_keys",
    METADATA,
    Column("key_id", Text, primary_key=True),
    Column("proof", Text, nullable=False),
    Column("first_used_at", INSTANT, nullable=False),
)

policy_switches = Table(
    "policy_switches",
    METADATA,
    Column("switch_id", BigInteger, Identity(always=True), primary_key=True),
    Column("digest", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("switched_at", INSTANT, nullable=False),
)
