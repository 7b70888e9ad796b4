"""When the database goes away or errs: said in our words, tried again where that is safe, and nothing told of texts."""

import asyncio
from collections.abc import AsyncIterator

import psutil
import psycopg
import pytest
from tests.store.conftest import temporary_server

from chingoo.adapters.clock import RandomIds
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.faults import fault_of
from chingoo.adapters.postgres.notifications import PostgresNotifications
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.errors import DatabaseUnreachableError, InvalidInputError, StoreRefusedError, UnavailableError
from chingoo.model.turn import AdmitOutcome, SettleOutcome
from chingoo.testing.scenes import meet

CUT = """
select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and datname = 'chingoo'
"""


@pytest.fixture
async def own() -> AsyncIterator[tuple[EmbeddedPostgres, PostgresStore]]:
    """A server of the test's own, to be killed."""
    with temporary_server() as server:
        store = await PostgresStore.open(server.url, connections=4, wait_s=0.5)
        yield server, store
        await store.aclose()


async def test_broken_connections_are_replaced_unnoticed(server: EmbeddedPostgres) -> None:
    store = await PostgresStore.open(server.url, connections=4)
    scene = await meet(store, RandomIds())
    for _ in range(3):
        with psycopg.connect(server.url, autocommit=True) as operator:
            operator.execute(CUT)
        await asyncio.gather(*(store.user(scene.user_id) for _ in range(8)))
        admitted, token = await scene.admit(request := scene.request())
        with psycopg.connect(server.url, autocommit=True) as operator:
            operator.execute(CUT)
        assert admitted.known is not None
        assert await store.settle(scene.settlement(request, admitted.known, token)) is SettleOutcome.SETTLED
    await store.aclose()


async def test_a_settle_repeated_after_its_commit_is_recognised(postgres: PostgresStore) -> None:
    """The connection broke after the commit: the statement that comes again finds its own decision."""
    scene = await meet(postgres, RandomIds())
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    settlement = scene.settlement(request, admitted.known, token)
    assert await postgres.settle(settlement) is SettleOutcome.SETTLED
    assert await postgres.settle(settlement) is SettleOutcome.SETTLED
    other = scene.settlement(request, admitted.known, token)
    assert await postgres.settle(other) is SettleOutcome.LEASE_LOST
    page, _ = await postgres.messages(scene.user_id, scene.conversation_id, 50, None)
    assert len(page) == 4


async def test_a_killed_server_is_told_and_comes_back(own: tuple[EmbeddedPostgres, PostgresStore]) -> None:
    """kill -9 in the middle of a turn: 503 while it is away, then the turn ends as if nothing had been."""
    server, store = own
    scene = await meet(store, RandomIds())
    admitted, token = await scene.admit(request := scene.request())
    assert server.pid is not None
    killed = psutil.Process(server.pid)
    killed.kill()
    psutil.wait_procs([killed], 10)
    for call in (store.ping(), store.user(scene.user_id), scene.admit(scene.request())):
        with pytest.raises(DatabaseUnreachableError) as away:
            await call
        assert "does not answer" in away.value.detail
    await asyncio.to_thread(server.ensure)
    assert admitted.known is not None
    assert await store.settle(scene.settlement(request, admitted.known, token)) is SettleOutcome.SETTLED
    assert (await scene.admit(request))[0].outcome is AdmitOutcome.REPLAY


@pytest.mark.parametrize(
    ("sqlstate", "meaning", "again"),
    [
        ("40001", UnavailableError, True),
        ("40P01", UnavailableError, True),
        ("55P03", UnavailableError, True),
        ("08006", DatabaseUnreachableError, True),
        ("57P01", DatabaseUnreachableError, True),
        ("57P03", DatabaseUnreachableError, True),
        ("57014", UnavailableError, False),
        ("53100", UnavailableError, False),
        ("53300", UnavailableError, False),
        ("25006", UnavailableError, False),
        ("22021", InvalidInputError, False),
        ("22001", StoreRefusedError, False),
        ("23514", StoreRefusedError, False),
        ("42703", StoreRefusedError, False),
    ],
)
def test_errors_have_a_meaning(sqlstate: str, meaning: type[Exception], again: bool) -> None:
    error = psycopg.errors.lookup(sqlstate)("DETAIL: Failing row contains (my secret)")
    fault = fault_of(error, "postgresql://me:hunter2@db/chingoo")
    assert type(fault.meaning) is meaning
    assert fault.again is again
    assert "secret" not in str(fault.meaning)
    assert "hunter2" not in str(fault.meaning)


async def test_a_deadlock_is_tried_again(postgres: PostgresStore) -> None:
    """Two transactions that lock two users in opposite order both get through."""
    one, other = await meet(postgres, RandomIds()), await meet(postgres, RandomIds())
    lock = Statement("select 1 from users where user_id = %(user_id)s for update")
    tries = 0

    async def both(first, second):  # type: ignore[no-untyped-def]
        async def work(connection):  # type: ignore[no-untyped-def]
            nonlocal tries
            tries += 1
            async with connection.transaction():
                await connection.execute(lock.text, lock.bind({"user_id": first}))
                await asyncio.sleep(0.1)
                await connection.execute(lock.text, lock.bind({"user_id": second}))

        await postgres._database.run(work)

    await asyncio.gather(both(one.user_id, other.user_id), both(other.user_id, one.user_id))
    assert tries > 2


async def test_what_processes_say_is_heard(server: EmbeddedPostgres) -> None:
    heard = PostgresNotifications(server.url).listen()
    first = asyncio.ensure_future(anext(heard))
    await asyncio.sleep(0.3)
    with psycopg.connect(server.url, autocommit=True) as another:
        another.execute("notify chingoo_policy, 'sha256:1'")
    assert await asyncio.wait_for(first, 5) == "sha256:1"
    await heard.aclose()
