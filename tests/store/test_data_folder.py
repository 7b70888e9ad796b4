"""Data folders of the embedded server: any name, shut to others, no words of people in the log, or a remedy."""

import os
import subprocess
from pathlib import Path

import psycopg
import pytest
from tests.store.conftest import answers, private_folder

from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.folders import lay_out
from chingoo.errors import DataFolderError


def test_crashes_lose_nothing_that_was_said_to_be_kept(data: Path) -> None:
    with EmbeddedPostgres.attach(data) as server, psycopg.connect(server.url) as connection:
        settings = ("fsync", "synchronous_commit", "full_page_writes", "data_checksums")
        assert [connection.execute(f"show {name}").fetchone() for name in settings] == [("on",)] * 4  # type: ignore[arg-type]
        assert connection.execute("show listen_addresses").fetchone() == ("",)


def test_nobody_else_can_look_in(data: Path) -> None:
    """A folder of our own making is shut to others; as root they may pass through it, and no more."""
    with EmbeddedPostgres.attach(data):
        assert (data / "postgres").stat().st_mode & 0o777 == 0o700
        assert (data / "postgres" / "data").stat().st_mode & 0o777 == 0o700
    fresh = lay_out(data / "fresh")
    assert (data / "fresh").stat().st_mode & 0o776 == 0o700
    assert (data / "fresh" in fresh.loosened) is (os.geteuid() == 0)


def test_a_half_made_folder_is_made_anew() -> None:
    """initdb was killed."""
    with private_folder() as data:
        half = data / "postgres" / "data.new"
        half.mkdir(parents=True)
        (half / "PG_VERSION").write_text("18")
        with EmbeddedPostgres.attach(data) as server:
            answers(server)


@pytest.mark.parametrize("name", ["two words", 'it\'s "odd", 100% naïve & 한국어', "d" * 120])
def test_any_folder_name_will_do(made: Path, name: str) -> None:
    """Spaces, quotes, commas, and a path too long for a socket."""
    with private_folder(name) as data:
        subprocess.run(["cp", "-a", f"{made}/postgres", data], check=True)
        with EmbeddedPostgres.attach(data) as server, EmbeddedPostgres.attach(data) as other:
            assert server.pid == other.pid
            answers(server)


def test_initdb_takes_spaces_too() -> None:
    with private_folder("two words") as data, EmbeddedPostgres.attach(data) as server:
        answers(server)


BAD = [
    ("a\nb", "control character"),
    ("made-by-another-version", "another PostgreSQL version"),
    ("foreign-files", "holds files but no PostgreSQL data"),
    ("a-file", "cannot be used"),
]


@pytest.mark.parametrize(("name", "said"), BAD)
def test_a_folder_that_will_not_do_is_named(made: Path, name: str, said: str) -> None:
    with private_folder() as above:
        data = above / name
        if name == "a-file":
            data.write_text("in the way")
        elif name != "a\nb":
            data.mkdir()
            subprocess.run(["cp", "-a", f"{made}/postgres", data], check=True)
        if name == "made-by-another-version":
            (data / "postgres" / "data" / "PG_VERSION").write_text("12\n")
        if name == "foreign-files":
            (data / "postgres" / "data" / "PG_VERSION").unlink()
        with pytest.raises(DataFolderError, match=said) as refused:
            EmbeddedPostgres.attach(data)
        assert "CHINGOO_DATA_DIR" in refused.value.detail or "pg_dump" in refused.value.detail


def test_a_full_disk_is_said_in_plain_words() -> None:
    """/dev/full has no room for anything; a folder cannot be made below it."""
    with pytest.raises(DataFolderError, match="CHINGOO_DATA_DIR"):
        EmbeddedPostgres.attach(Path("/dev/full/data"))
    with pytest.raises(DataFolderError, match="CHINGOO_DATA_DIR"):
        EmbeddedPostgres.attach(Path("/proc/chingoo"))


def test_the_log_holds_nothing_that_people_wrote(data: Path) -> None:
    """A row that breaks a rule, and a statement that fails: neither is repeated."""
    with EmbeddedPostgres.attach(data) as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("create table said (what text check (what <> 'my secret'))")
            with pytest.raises(psycopg.errors.CheckViolation):
                connection.execute("insert into said values (%s)", ["my secret"])
            with pytest.raises(psycopg.errors.CheckViolation):
                connection.execute("insert into said values ('my secret')")
        assert "violates check constraint" in (data / "postgres" / "server.log").read_text()
        assert "secret" not in (data / "postgres" / "server.log").read_text()
