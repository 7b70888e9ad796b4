"""The worker: runs what turns queued, once for many, at once, again after failure, and after a worker was killed."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from tests.store.conftest import temporary_server

from chingoo.adapters.clock import RandomIds
from chingoo.adapters.jobs import AFTER_TURN, QUEUE, SCHEDULE, JobQueue
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.testing.scenes import meet

STOPPED_WITHIN_S = 60


class Recording:
    """Bodies that note what they were asked; `after_turn` fails as often as told and takes as long as told."""

    def __init__(self) -> None:
        self.after_turns: list[UUID] = []
        self.ran: list[str] = []
        self.finished = 0
        self.failures = 0
        self.takes_s = 0.0
        self.called = asyncio.Event()

    async def after_turn(self, user_id: UUID) -> None:
        self.after_turns.append(user_id)
        self.called.set()
        await asyncio.sleep(self.takes_s)
        if self.failures:
            self.failures -= 1
            raise RuntimeError("my secret")
        self.finished += 1

    async def sweep(self) -> int:
        self.ran.append("sweep")
        return 0

    async def run(self, name: str, now: datetime | None, user_ids: Sequence[UUID] | None) -> Mapping[str, Any]:
        assert (now, user_ids) == (None, None)
        self.ran.append(name)
        return {}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server of its own: a worker takes every job there is."""
    with temporary_server() as server:
        yield server.url


@pytest.fixture
async def store(url: str) -> AsyncIterator[PostgresStore]:
    """The store, its queue empty."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("truncate procrastinate_jobs, procrastinate_events, procrastinate_periodic_defers")
    opened = await PostgresStore.open(url, connections=4)
    yield opened
    await opened.aclose()


@contextlib.asynccontextmanager
async def working(url: str, bodies: Recording) -> AsyncIterator[asyncio.Task[None]]:
    """A worker, stopped in order in the end."""
    task = asyncio.create_task(JobQueue(url, bodies).run())
    yield task
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def jobs(url: str) -> list[tuple[str, str]]:
    """The after-turn jobs there are, with their states."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select queue_name, status::text from procrastinate_jobs where task_name = %s", [AFTER_TURN]
        )
        return rows.fetchall()


async def test_turns_of_a_user_queue_one_job(store: PostgresStore, url: str) -> None:
    """Many turns, one job; a turn after the job began, another."""
    scene = await meet(store, RandomIds())
    for _ in range(3):
        await scene.say()
    assert jobs(url) == [(QUEUE, "todo")]
    bodies = Recording()
    bodies.takes_s = 0.3
    async with working(url, bodies):
        await asyncio.wait_for(bodies.called.wait(), 5)
        await scene.say()
        assert sorted(jobs(url)) == [(QUEUE, "doing"), (QUEUE, "todo")]
        while jobs(url):
            await asyncio.sleep(0.02)
    assert bodies.after_turns == [scene.user_id] * 2


async def test_a_waiting_worker_is_woken(store: PostgresStore, url: str) -> None:
    """By the job's own notification, long before it would look again."""
    scene = await meet(store, RandomIds(), active=False)
    bodies = Recording()
    async with working(url, bodies):
        await asyncio.sleep(0.5)
        await scene.say()
        await asyncio.wait_for(bodies.called.wait(), 1.5)


async def test_a_worker_that_stops_finishes_what_it_does(store: PostgresStore, url: str) -> None:
    scene = await meet(store, RandomIds())
    bodies = Recording()
    bodies.takes_s = 0.5
    async with working(url, bodies):
        await asyncio.wait_for(bodies.called.wait(), 5)
    assert (bodies.after_turns, bodies.finished) == ([scene.user_id], 1)
    assert jobs(url) == []


async def test_a_failed_job_comes_again_and_is_logged_by_name(
    store: PostgresStore, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    scene = await meet(store, RandomIds())
    bodies = Recording()
    bodies.failures = 1
    with caplog.at_level(logging.DEBUG):
        async with working(url, bodies):
            for _ in range(500):
                await asyncio.sleep(0.02)
                if bodies.finished:
                    break
    assert bodies.finished == 1
    assert "job after_turn failed: RuntimeError" in caplog.text
    assert "secret" not in caplog.text
    assert str(scene.user_id) not in caplog.text


async def test_the_schedule_runs_what_is_due(store: PostgresStore, url: str) -> None:
    """A worker that starts catches up with the minute that has just gone by."""
    bodies = Recording()
    async with working(url, bodies):
        for _ in range(500):
            await asyncio.sleep(0.02)
            if {"sweep", "reap"} <= set(bodies.ran):
                break
    assert {"sweep", "reap"} <= set(bodies.ran)
    assert set(SCHEDULE) == {"decay", "expire-memories", "extract"}


async def test_the_job_of_a_killed_worker_is_put_back(store: PostgresStore, url: str) -> None:
    """It would hold up the user's later jobs for ever (S-33)."""
    scene = await meet(store, RandomIds())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "with dead as (insert into procrastinate_workers (last_heartbeat) values (now() - interval '5 min') "
            "returning id) update procrastinate_jobs set status = 'doing', worker_id = dead.id from dead "
            "where task_name = %s",
            [AFTER_TURN],
        )
    bodies = Recording()
    queue = JobQueue(url, bodies)
    async with queue._app.open_async():
        await queue._sweep()
    assert jobs(url) == [(QUEUE, "todo")]
    await queue.drain()
    assert bodies.after_turns == [scene.user_id]


async def test_a_worker_outlives_its_connections(store: PostgresStore, url: str) -> None:
    bodies = Recording()
    async with working(url, bodies):
        await asyncio.sleep(0.3)
        with psycopg.connect(url, autocommit=True) as operator:
            operator.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() "
                "and datname = 'chingoo'"
            )
        await asyncio.sleep(0.3)
        scene = await meet(store, RandomIds())
        await asyncio.wait_for(bodies.called.wait(), 15)
    assert bodies.after_turns == [scene.user_id]


async def test_a_worker_that_is_told_to_stop_stops_without_a_database() -> None:
    bodies = Recording()
    with temporary_server() as server:
        task = asyncio.create_task(JobQueue(server.url, bodies).run())
        with psycopg.connect(server.url, autocommit=True) as connection:
            while not connection.execute("select 1 from procrastinate_workers").fetchall():
                await asyncio.sleep(0.05)
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=STOPPED_WITHIN_S)
    assert done, "it tries again for ever"
    assert task.cancelled()
