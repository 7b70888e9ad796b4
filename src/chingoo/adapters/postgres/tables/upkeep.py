"""The anti-cloning window, what the after-turn job still owes, and switches of policy (PERS-13, S-33)."""

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, Identity, Index, Integer, Table, Text, false

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

# The same, counted by whole minute and by whole hour, so that a window reads counts however many there were.
persona_assignment_minutes = Table(
    "persona_assignment_minutes",
    METADATA,
    Column("minute", INSTANT, primary_key=True),
    Column("combo_key", Text, primary_key=True),
    Column("assignments", Integer, nullable=False),
    CheckConstraint("assignments > 0", name="assignments"),
)
persona_assignment_hours = Table(
    "persona_assignment_hours",
    METADATA,
    Column("hour", INSTANT, primary_key=True),
    Column("combo_key", Text, primary_key=True),
    Column("assignments", Integer, nullable=False),
    CheckConstraint("assignments > 0", name="assignments"),
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
