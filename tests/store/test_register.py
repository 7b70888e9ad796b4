"""The register of everything that is stored: no table without an entry, no entry that loses somebody's rows."""

import psycopg
from tests.store.conftest import EmbeddedPostgres

from chingoo.adapters.postgres.queries.erasure import SECTIONS
from chingoo.adapters.postgres.queries.register import REGISTER
from chingoo.adapters.postgres.tables import METADATA

OURS = {holding.table: holding for holding in REGISTER}


def tables(server: EmbeddedPostgres) -> set[str]:
    """All tables there are, the job queue's included."""
    with psycopg.connect(server.url) as connection:
        rows = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
    return {row[0] for row in rows}


def test_every_table_is_registered_once(server: EmbeddedPostgres) -> None:
    assert len(OURS) == len(REGISTER)
    assert set(OURS) == tables(server)


def test_what_names_a_person_is_erased() -> None:
    for name, table in METADATA.tables.items():
        assert ("user_id" in table.c) == (OURS[name].erase is not None), name


def test_what_is_not_exported_says_why() -> None:
    for holding in REGISTER:
        assert holding.holds
        assert (holding.export is None) == (holding.section is None) == (holding.not_exported is not None), (
            holding.table
        )
    assert {*SECTIONS} - {holding.section for holding in REGISTER} == {"retention"}


def test_the_columns_that_name_messages_and_memories_are_there() -> None:
    """Whoever adds a column of ids of messages or memories adds it to the register."""
    for name, table in METADATA.tables.items():
        holding = OURS[name]
        named = {*holding.by_message, *holding.by_memory}
        ids = {
            column.name
            for column in table.c
            if column.name.endswith(("message_id", "message_ids", "memory_id", "memory_ids", "candidate_ids"))
        }
        assert ids <= named <= {column.name for column in table.c}, name


def test_what_refers_is_erased_first() -> None:
    order = [holding.table for holding in REGISTER]
    for name, table in METADATA.tables.items():
        for key in table.foreign_keys:
            assert order.index(name) <= order.index(key.column.table.name), name
