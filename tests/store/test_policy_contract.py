"""What processes tell one another about policies: the fake and PostgreSQL answer alike (S-20, S-28, JOB-07)."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from datetime import date, timedelta
from uuid import UUID

import pytest

from chingoo.adapters.clock import RandomIds
from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.notifications import PostgresNotifications
from chingoo.adapters.postgres.policy_records import PostgresPolicyRecords
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.model.policies import EntryCount, Process, Verdict
from chingoo.testing.policy_records import FakePolicyRecords
from chingoo.testing.scenes import START, meet

Records = FakePolicyRecords | PostgresPolicyRecords
_fresh = itertools.count()


@pytest.fixture(params=["fake", "postgres"])
async def records(request: pytest.FixtureRequest, server: EmbeddedPostgres) -> AsyncIterator[Records]:
    """Each of the two in turn, without switches and processes of other tests."""
    if request.param == "fake":
        yield FakePolicyRecords()
        return
    database = await Database.open(server.url, connections=3, wait_s=20.0)
    for table in ("policy_switches", "policy_processes", "policy_hits", "policy_bundles"):
        await database.rows(Statement(f"delete from {table} returning 1"), {})
    yield PostgresPolicyRecords(database)
    await database.close()


@pytest.fixture
def digests() -> Iterator[str]:
    """Digests that no other test has used."""
    return (f"{next(_fresh):064x}" for _ in itertools.count())


async def test_a_stored_set_comes_back_as_it_was(records: Records, digests: Iterator[str]) -> None:
    digest = next(digests)
    assert await records.bundle(digest) is None
    await records.store(digest, b"\x00one\xff", "here:1")
    await records.store(digest, b"another", "here:1")
    assert await records.bundle(digest) == b"\x00one\xff", "a digest names one content for ever"


async def test_the_newest_switch_is_in_force(records: Records, digests: Iterator[str]) -> None:
    one, two = next(digests), next(digests)
    assert await records.newest() is None
    first = await records.switch(one, "here:1", "start", START)
    assert await records.switch(one, "here:2", "start", START) == first, "in force already"
    second = await records.switch(two, "editor", "new words", START + timedelta(hours=1))
    assert second.switch_id > first.switch_id
    assert await records.newest() == second
    third = await records.switch(one, "editor", "back", START + timedelta(hours=2))
    assert third.switch_id > second.switch_id
    assert await records.history(2) == [
        {"digest": one, "who": "editor", "reason": "back", "at": START + timedelta(hours=2)},
        {"digest": two, "who": "editor", "reason": "new words", "at": START + timedelta(hours=1)},
    ]
    assert await records.was_in_force(two)
    assert not await records.was_in_force(next(digests))


async def test_processes_are_known_while_they_live(records: Records, digests: Iterator[str]) -> None:
    one, two = next(digests), next(digests)
    api, worker = Process("a:1", "api", one), Process("b:2", "worker", one)
    assert await records.beat(api) is None
    switch = await records.switch(two, "editor", "new", START)
    assert await records.beat(worker) == switch
    moved = Process("a:1", "api", two)
    assert await records.beat(moved) == switch
    assert list(await records.processes()) == [moved, worker]
    await records.leave("a:1")
    assert list(await records.processes()) == [worker]


async def test_counts_add_up_by_day_set_and_entry(records: Records) -> None:
    day = date(2026, 3, 2)
    first = EntryCount("d1", "policies/topics.yaml:7", day, hits=3, refusals=1)
    other = EntryCount("d1", "policies/topics.yaml:8", day - timedelta(days=1), hits=5, refusals=0)
    await records.add_hits([first, other])
    await records.add_hits([first])
    await records.add_hits([])
    twice = EntryCount("d1", "policies/topics.yaml:7", day, hits=6, refusals=2)
    assert await records.hits(day) == [twice]
    assert await records.hits(day - timedelta(days=1)) == [other, twice]


async def test_a_verdict_stands_beside_its_decision(server: EmbeddedPostgres, postgres: PostgresStore) -> None:
    records = PostgresPolicyRecords(postgres._database)
    scene = await meet(postgres, RandomIds())
    await scene.say("hello")
    await scene.say("hello again")
    decision = (await postgres.decisions(scene.user_id, None, None, 10, None)).items[0]
    assert decision["verdict"] is None
    for verdict, note in ((Verdict.RIGHT, None), (Verdict.FALSE_ALARM, "a film title")):
        assert await records.give_verdict(decision["decision_id"], verdict, note, "editor", START)
    shown = {"verdict": "false_alarm", "note": "a film title", "who": "editor", "given_at": START}
    for user_id in (scene.user_id, None):
        page = await postgres.decisions(user_id, None, None, 200, None)
        mine = [row["verdict"] for row in page.items if row["user_id"] == scene.user_id]
        assert mine == [shown, *[None] * (len(mine) - 1)]
        assert len(mine) > 1
    assert not await records.give_verdict(UUID(int=1), Verdict.RIGHT, None, "editor", START)


async def test_what_is_said_is_heard(server: EmbeddedPostgres, digests: Iterator[str]) -> None:
    database = await Database.open(server.url, connections=2, wait_s=20.0)
    records, digest = PostgresPolicyRecords(database), next(digests)
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def listen() -> None:
        async for said in PostgresNotifications(server.url).listen():
            heard.put_nowait(said)

    task = asyncio.ensure_future(listen())
    try:
        while heard.empty():  # until it listens
            await records.store(digest, b"", "here:1")
            await asyncio.sleep(0.02)
        assert await heard.get() == f"prepare {digest} here:1"
        await records.switch(digest, "editor", "new", START)
        async with asyncio.timeout(20):
            while (said := await heard.get()) != f"switch {digest}":
                assert said.startswith("prepare ")
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await database.close()
