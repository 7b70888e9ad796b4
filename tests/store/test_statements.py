"""Every statement is planned by PostgreSQL as our sessions plan it: none reads a whole table that grows with use."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

import psycopg
import pytest

from chingoo.adapters.postgres import queries
from chingoo.adapters.postgres.database import _SESSION
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.statements import Statement


def statements() -> Iterator[tuple[str, Statement]]:
    """All statements of the package, by where they stand."""
    for module in pkgutil.iter_modules(queries.__path__):
        for name, value in vars(importlib.import_module(f"{queries.__name__}.{module.name}")).items():
            if isinstance(value, Statement):
                yield f"{module.name}.{name}", value
            elif isinstance(value, Mapping) and not name.startswith("__"):
                for key, each in value.items():
                    if isinstance(each, Statement):
                        yield f"{module.name}.{name}{key}", each


ALL = dict(statements())
WALKS = {
    "register.STATEMENTSerase procrastinate_jobs": "procrastinate_jobs",
    "upkeep.UNATTENDED": "after_turn_due",
    "policies.KNOWN": "policy_switches",
    "policies.BEAT": "policy_processes",
    "policies.PROCESSES": "policy_processes",
}
"""What reads a whole table on purpose: those of what is owed or queued, of a row per switch of policy, per process."""


def test_there_are_statements() -> None:
    assert len(ALL) > 40


@pytest.mark.parametrize("name", ALL)
def test_a_statement_goes_by_indexes(server: EmbeddedPostgres, name: str) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(_SESSION)
        with psycopg.RawCursor(connection) as cursor:
            plan = [row[0] for row in cursor.execute(b"explain (generic_plan) " + ALL[name].text)]
    scans = [line.strip() for line in plan if "Seq Scan" in line and WALKS.get(name, "-") not in line]
    assert scans == []


@pytest.mark.parametrize("name", [name for name in ALL if name.split(".")[0] in ("admit", "settle", "known")])
def test_a_turn_finds_its_rows_by_their_keys(server: EmbeddedPostgres, name: str) -> None:
    """A turn's own message by its primary key, never by the index of what `reap` looks for."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(_SESSION)
        with psycopg.RawCursor(connection) as cursor:
            plan = "\n".join(row[0] for row in cursor.execute(b"explain (generic_plan) " + ALL[name].text))
    assert "messages_unanswered" not in plan
    assert "users_pkey" in plan or name == "settle._SETTLED_BY_THIS"


def test_parameters_are_numbered_by_first_use() -> None:
    statement = Statement("select %(b)s, %(a)s, %(b)s")
    assert statement.text == b"select $1, $2, $1"
    assert statement.bind({"a": 1, "b": 2, "c": 3}) == (2, 1)
    with pytest.raises(KeyError):
        statement.bind({"a": 1})
