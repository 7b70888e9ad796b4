"""What a user's model calls cost of late, by index."""

from pathlib import Path

from alembic import op

from chingoo.adapters.postgres.migrations.script import run_script

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Run the script beside this file. There is no way back but a backup."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
