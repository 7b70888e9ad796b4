"""What Alembic runs: our revisions, on the connection and in the transaction that `upgrade` opened."""

from alembic import context

from chingoo.adapters.postgres.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
