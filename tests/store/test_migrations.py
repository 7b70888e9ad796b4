"""The schema: what migrations make is what the tables say, on any server, whoever else starts at the same time."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlsplit

import psycopg
import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg import sql

from chingoo.adapters.clock import RandomIds
from chingoo.adapters.postgres import migrations
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.migrations import HEAD, current, upgrade
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.adapters.postgres.tables import METADATA
from chingoo.errors import DatabaseUnreachableError, SettingsError
from chingoo.model.people import MemoryChange
from chingoo.testing.scenes import meet

REVISIONS = tuple(f"{number:04}" for number in range(1, int(HEAD) + 1))
FOREIGN = os.environ.get("CHINGOO_TEST_DATABASE_URL")
"""A server of another version to try as well; its user may create databases."""

CATALOG = """
select 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
    pg_get_expr(d.adbin, d.adrelid), a.attidentity::text
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
union all
select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), condeferrable::text, null, null
from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
union all
select 'index', tablename, indexname, indexdef, null, null, null from pg_indexes where schemaname = 'public'
union all
select 'option', relname, unnest(reloptions), null, null, null, null from pg_class
where relnamespace = 'public'::regnamespace
union all
select 'word', t.typname, e.enumlabel, e.enumsortorder::text, null, null, null
from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = 'public'::regnamespace
"""


@contextmanager
def database(server_url: str, name: str) -> Iterator[str]:
    """An empty database of the test's own."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("create database {} encoding utf8 template template0").format(sql.Identifier(name)))
        try:
            yield server_url.replace(urlsplit(server_url).path, f"/{name}", 1)
        finally:
            connection.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


@pytest.fixture
def empty(server: EmbeddedPostgres) -> Iterator[str]:
    """An empty database."""
    with database(server.url, f"empty_{os.getpid()}") as url:
        yield url


def engine(url: str) -> sqlalchemy.Engine:
    """For SQLAlchemy's side of the comparison."""
    return sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=sqlalchemy.NullPool
    )


def catalog(url: str) -> set[tuple[object, ...]]:
    """All columns, constraints, indexes, options and words of our tables."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(CATALOG).fetchall()
    ours = set(METADATA.tables)
    return {row for row in rows if (row[0] == "word" and "procrastinate" not in row[1]) or row[1] in ours}


def ours(name: str | None, kind: str, _: object) -> bool:
    """The job queue's tables are its own, and so is Alembic's."""
    return kind != "table" or name in METADATA.tables


def test_an_empty_database_becomes_ours(empty: str) -> None:
    assert current(empty) is None
    said: list[str] = []
    assert upgrade(empty, said.append) == REVISIONS
    assert said == [f"upgrading the database from nothing to {HEAD}"]
    assert current(empty) == HEAD
    assert upgrade(empty, said.append) == ()
    assert len(said) == 1


def test_head_is_the_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations._FOLDER))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_migrations_make_what_the_tables_say(empty: str) -> None:
    """Column by column, down to the words of every vocabulary."""
    upgrade(empty)
    migrated = catalog(empty)
    with engine(empty).connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": ours, "compare_type": True})
        assert compare_metadata(context, METADATA) == []
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    with engine(empty).begin() as connection:
        METADATA.create_all(connection)
    said = catalog(empty)
    assert sorted(map(str, migrated - said)) == sorted(map(str, said - migrated)) == []


def test_processes_that_start_together_take_turns(empty: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        applied = list(pool.map(upgrade, [empty] * 4))
    assert sorted(applied, key=len)[-1] == REVISIONS
    assert sum(map(len, applied)) == len(REVISIONS)


def test_a_failed_upgrade_changes_nothing(empty: str) -> None:
    """All revisions or none: 0002 finds something in its way."""
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("create table procrastinate_jobs ()")
    with pytest.raises(SettingsError, match=r"is as it was: .* already exists"):
        upgrade(empty)
    assert current(empty) is None


def test_a_newer_database_is_left_alone(empty: str) -> None:
    upgrade(empty)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    with pytest.raises(SettingsError, match="start the newer version"):
        upgrade(empty)


def test_a_job_queue_of_another_version_is_told(empty: str) -> None:
    upgrade(empty)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("comment on table procrastinate_jobs is 'procrastinate schema, sha256 0'")
    with pytest.raises(SettingsError, match="job queue"):
        upgrade(empty)


def test_the_installed_procrastinate_is_the_one_we_know(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "procrastinate_jobs" in migrations.job_schema()
    monkeypatch.setattr(migrations, "JOB_SCHEMA_SHA256", "0" * 64)
    with pytest.raises(SettingsError, match=r"requirements\.lock"):
        migrations.job_schema()


def test_missing_rights_are_named(empty: str) -> None:
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("drop role if exists guest")
        connection.execute("create role guest login")
        connection.execute("revoke create on schema public from public")
    with pytest.raises(SettingsError, match="may not create tables"):
        upgrade(empty.replace("postgres@", "guest@"))


ADDRESSES = [
    ("postgresql://me:hunter2@127.0.0.1:1/none", DatabaseUnreachableError, "nothing listens"),
    ("postgresql://me:hunter2@no-such-host.invalid/none", DatabaseUnreachableError, "no such host"),
    ("postgresql://me:hunter2@home@127.0.0.1:1/none", DatabaseUnreachableError, "does not answer"),
    ("postgresql://me:hunter2@127.0.0.1:many/none", SettingsError, "no PostgreSQL address"),
    ("postgresql://me:hunter2/x y?z", SettingsError, "no PostgreSQL address"),
    ("me hunter2", SettingsError, "no PostgreSQL address"),
    ("mysql://me:hunter2@127.0.0.1/none", SettingsError, "no PostgreSQL address"),
]


@pytest.mark.parametrize(("url", "kind", "said"), ADDRESSES)
async def test_a_bad_address_is_told_without_its_password(url: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said) as migrating:
        upgrade(url)
    with pytest.raises(kind, match=said) as opening:
        await PostgresStore.open(url, wait_s=0.5)
    for error in (migrating, opening):
        assert "hunter2" not in str(error.value)
        assert error.value.__suppress_context__ or error.value.__context__ is None


@pytest.mark.skipif(FOREIGN is None, reason="CHINGOO_TEST_DATABASE_URL names no other server")
async def test_another_server_will_do() -> None:
    """PostgreSQL 14 or newer, without any extension: the schema, and turns on it."""
    assert FOREIGN is not None
    with database(FOREIGN, f"chingoo_test_{os.getpid()}") as url:
        assert upgrade(url) == REVISIONS
        store = await PostgresStore.open(url, connections=4)
        scene = await meet(store, RandomIds())
        memory = scene.memory()
        await scene.say("i live in Porto", memory_changes=(MemoryChange("insert", memory),))
        newer = scene.memory(value="Faro")
        superseded = replace(memory, status="SUPERSEDED", superseded_by=newer.memory_id)
        changes = (MemoryChange("insert", newer), MemoryChange("update", superseded))
        _, known = await scene.say("no, in Faro", memory_changes=changes)
        assert known.memories == (memory,)
        assert await store.memories(scene.user_id, include_inactive=False) == [newer]
        assert len((await store.decisions(None, None, None, 50, None)).items) == 3
        assert await store.expire_memories(known.received_at, None) == 0
        assert await store.stuck_turns(0, 10, None) == []
        assert await store.users_without_after_turn(10) == []
        await store.aclose()
