"""Bring a database to the schema of this version: Alembic, run by program, one process at a time."""

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
from procrastinate.schema import SchemaManager
from psycopg.rows import scalar_row

from chingoo.adapters.postgres.address import checked, unreachable
from chingoo.errors import SettingsError

HEAD = "0012"
"""The newest revision; a test compares it with the folder."""

JOB_SCHEMA_SHA256 = "c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009"
"""Digest of procrastinate's schema that revision 0002 applies and the statements of this package are written for."""

_OLDEST_SERVER = 140000
_LOCK_KEY = 0x6368696E_676F6F01  # "chingoo" and 1
_FOLDER = Path(__file__).parent


def job_schema() -> str:
    """Procrastinate's own schema, if it is the one this version was written for; else SettingsError."""
    schema = SchemaManager.get_schema()
    if hashlib.sha256(schema.encode()).hexdigest() != JOB_SCHEMA_SHA256:
        raise SettingsError(
            "the installed procrastinate has another job schema than this version of Chingoo was made for; "
            "install the packages of requirements.lock"
        )
    return schema


def job_schema_mark() -> str:
    """What revision 0002 writes on the job table, so that a start can tell whose schema it finds."""
    return f"procrastinate schema, sha256 {JOB_SCHEMA_SHA256}"


def upgrade(url: str, progress: Callable[[str], None] = lambda _: None) -> tuple[str, ...]:
    """Apply all revisions that are missing, all of them or none; the ones applied, oldest first.

    Processes that start together take turns. Blocking: call it in a thread from asynchronous code.
    DatabaseUnreachableError: no answer. SettingsError: too old a server, missing rights, or a newer schema than this
    version knows.
    """
    job_schema()
    before = current(url)
    if before == HEAD:
        return ()
    progress(f"upgrading the database from {before or 'nothing'} to {HEAD}")
    import sqlalchemy
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=partial(psycopg.connect, checked(url)), poolclass=sqlalchemy.NullPool
    )
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql("select pg_advisory_xact_lock(%s)", (_LOCK_KEY,))
            config = Config(attributes={"connection": connection})
            config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
            at = MigrationContext.configure(connection).get_current_revision()
            missing = ScriptDirectory.from_config(config).iterate_revisions("head", at or "base")
            command.upgrade(config, "head")
            return tuple(script.revision for script in missing)[::-1]
    except psycopg.Error as error:
        raise _explained(url, error) from None
    except sqlalchemy.exc.DBAPIError as error:
        raise _explained(url, error.orig) from None


def current(url: str) -> str | None:
    """The revision the database is at, or None if it holds nothing of ours. Checks that the server will do."""
    try:
        with psycopg.connect(checked(url), autocommit=True, row_factory=scalar_row, connect_timeout=10) as connection:
            _check_server(connection)
            if connection.execute("select to_regclass('alembic_version')").fetchone() is None:
                return None
            revision = connection.execute("select version_num from alembic_version").fetchone()
            if revision == HEAD:
                _check_jobs(connection)
    except psycopg.Error as error:
        raise _explained(url, error) from None
    if revision is not None and revision > HEAD:
        raise SettingsError(
            f"the database is at revision {revision}, this version of Chingoo knows {HEAD}: start the newer version"
        )
    return revision


def _check_server(connection: psycopg.Connection[str]) -> None:
    if connection.info.server_version < _OLDEST_SERVER:
        raise SettingsError("CHINGOO_DATABASE_URL names a PostgreSQL older than 14; upgrade that server")
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise SettingsError("the database of CHINGOO_DATABASE_URL is not in UTF8; make one with encoding UTF8")


def _check_jobs(connection: psycopg.Connection[str]) -> None:
    found = connection.execute("select obj_description(to_regclass('procrastinate_jobs'))").fetchone()
    if found != job_schema_mark():
        raise SettingsError(
            "the job queue in this database has another schema than this version of Chingoo was made for; "
            "start the version that made it, or one that brings a migration"
        )


def _explained(url: str, error: BaseException | None) -> Exception:
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return SettingsError(
            "the user of CHINGOO_DATABASE_URL may not create tables in that database; "
            "grant it `create` on the schema, or run `chingoo db upgrade` as the owner"
        )
    if isinstance(error, psycopg.Error) and not isinstance(error, psycopg.OperationalError):
        return SettingsError(
            f"the database cannot be upgraded, and is as it was: {error.diag.message_primary}; "
            "name a database in CHINGOO_DATABASE_URL that is empty, or was made by Chingoo"
        )
    return unreachable(url, error)
