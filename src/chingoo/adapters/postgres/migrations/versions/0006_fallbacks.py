"""Which assignments broke the cap, so that late arrivals spare the others."""

from pathlib import Path

from alembic import op

from chingoo.adapters.postgres.migrations.script import run_script

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Run the script beside this file. There is no way back but a backup."""
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
