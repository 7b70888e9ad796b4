"""Samples of what batches made, for people to look at."""

from pathlib import Path

from alembic import op

from chingoo.adapters.postgres.migrations.script import run_script

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Run the script beside this file. There is no way back but a backup."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
