"""Stored policy sets, which process decides by which, counts of entries, and verdicts on decisions (S-20, S-28)."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Date, LargeBinary, Table, Text

from chingoo.adapters.postgres.tables.base import INSTANT, METADATA, NOW, key, word
from chingoo.model.policies import Verdict

# Every set that was ever in force, so that any process on any machine can go back to it. `packed` is a bundle file.
policy_bundles = Table(
    "policy_bundles",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("packed", LargeBinary, nullable=False),
    Column("created_at", INSTANT, nullable=False, server_default=NOW),
)

# A row per running process, refreshed every few seconds and deleted when it has not been for a minute.
policy_processes = Table(
    "policy_processes",
    METADATA,
    Column("process_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("seen_at", INSTANT, nullable=False),
)

# How often an entry ("file:line:column" of that bundle) was seen. Nothing here belongs to a person.
policy_hits = Table(
    "policy_hits",
    METADATA,
    Column("day", Date, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("entry", Text, primary_key=True),
    Column("hits", BigInteger, nullable=False),
    Column("refusals", BigInteger, nullable=False),
    CheckConstraint("refusals between 0 and hits", name="refusals"),
)

# What an editor says of a decision. It goes with its decision when the person is erased.
decision_verdicts = Table(
    "decision_verdicts",
    METADATA,
    key("user_id"),
    key("decision_id"),
    word("verdict", Verdict),
    Column("note", Text),
    Column("who", Text, nullable=False),
    Column("given_at", INSTANT, nullable=False),
)
