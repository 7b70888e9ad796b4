"""The window of assignments as one standing count."""

from pathlib import Path

from alembic import op

from chingoo.adapters.postgres.migrations.script import run_script

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Run the script beside this file. There is no way back but a backup."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
