"""The stores under test: the fake one, and the real one on a server of the session's own."""

import asyncio
import itertools
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil
import psycopg
import pytest

from chingoo.adapters.clock import RandomIds
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.migrations import upgrade
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.ports.machine import Ids
from chingoo.testing.clock import FakeClock
from chingoo.testing.scenes import START
from chingoo.testing.store import FakeStore


@dataclass(frozen=True)
class House:
    """A store, fresh ids, and a way to let its clock go on."""

    store: FakeStore | PostgresStore
    ids: Ids
    wait: Callable[[float], Awaitable[None]]


@contextmanager
def temporary_server() -> Iterator[EmbeddedPostgres]:
    """A migrated embedded server; killed in the end, for nobody needs what a shutdown in order would write."""
    folder = tempfile.mkdtemp(prefix="chingoo-tests-")
    running = EmbeddedPostgres.attach(Path(folder))
    upgrade(running.url)
    yield running
    if running.pid is not None:
        server = psutil.Process(running.pid)
        children = server.children()
        server.kill()
        psutil.wait_procs([server, *children], 10)
    running.detach()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedPostgres]:
    """An embedded server for the whole session."""
    with temporary_server() as running:
        yield running


@pytest.fixture(scope="session")
async def postgres(server: EmbeddedPostgres) -> AsyncIterator[PostgresStore]:
    """The real store."""
    store = await PostgresStore.open(server.url, connections=12, wait_s=20.0)
    yield store
    await store.aclose()


@pytest.fixture(scope="session")
def eras() -> Iterator[datetime]:
    """Instants a year apart, each later than whatever another test has written."""
    return iter(START.replace(year=year) for year in itertools.count(START.year + 10))


@pytest.fixture
def era(eras: Iterator[datetime]) -> datetime:
    """A time that belongs to this test alone, for what is seen over all users."""
    return next(eras)


@pytest.fixture(params=["fake", "postgres"])
def house(request: pytest.FixtureRequest) -> House:
    """Each of the two in turn; users are made anew by every test."""
    if request.param == "postgres":
        return House(request.getfixturevalue("postgres"), RandomIds(), asyncio.sleep)
    clock = FakeClock()

    async def wait(seconds: float) -> None:
        clock.advance(seconds)

    return House(FakeStore(clock), RandomIds(), wait)


@pytest.fixture(scope="session")
def made() -> Iterator[Path]:
    """A data folder whose server ran once and was stopped, to be copied: making one takes the longest."""
    with private_folder() as folder:
        EmbeddedPostgres.attach(folder).detach()
        yield folder


@pytest.fixture
def data(made: Path) -> Iterator[Path]:
    """A data folder of the test's own; whatever still runs on it is ended."""
    with private_folder() as folder:
        subprocess.run(["cp", "-a", f"{made}/postgres", folder], check=True)
        yield folder


@contextmanager
def private_folder(name: str = "data") -> Iterator[Path]:
    """A fresh folder; whatever still runs on it in the end is killed."""
    above = tempfile.mkdtemp(prefix="chingoo-tests-")
    folder = Path(above) / name
    folder.mkdir()
    try:
        yield folder
    finally:
        for process in servers(folder):
            process.kill()
            process.wait(10)
        shutil.rmtree(above)


def servers(data: Path) -> list[psutil.Process]:
    """The postmasters that run on a data folder."""
    cluster = str(data.resolve() / "postgres" / "data")
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if cluster in (process.info["cmdline"] or ()) and process.status() != psutil.STATUS_ZOMBIE
    ]


def answers(server: EmbeddedPostgres) -> None:
    """The server answers."""
    with psycopg.connect(server.url) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
