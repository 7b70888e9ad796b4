"""The job queue: procrastinate's own schema, and the function that queues a user's after-turn job once."""

from pathlib import Path

from alembic import op

from chingoo.adapters.postgres.migrations import job_schema, job_schema_mark
from chingoo.adapters.postgres.migrations.script import run_script

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply procrastinate's schema and ours on top. There is no way back but a backup."""
    run_script(op.get_bind(), job_schema())
    run_script(op.get_bind(), f"comment on table procrastinate_jobs is '{job_schema_mark()}'")
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
