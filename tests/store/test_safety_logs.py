"""What guarded turns leave beside their rows: counts by month, events for a human, and no reply lost to a log."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
from tests.store.conftest import House
from tests.store.test_migrations import database

from chingoo.adapters.clock import RandomIds
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.migrations import upgrade
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.errors import StoreRefusedError
from chingoo.flow.identity import crisis_event_id
from chingoo.model.enums import CrisisLevel
from chingoo.model.turn import (
    Attempt,
    CrisisEvent,
    CrisisLogRow,
    GuardLogRow,
    LogPart,
    SafetyCount,
    SettleOutcome,
    TurnRequest,
)
from chingoo.service.safety_logs import FAILED, TurnWriter
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.scenes import Scene, meet

CRISIS = CrisisLogRow(CrisisLevel.HIGH_RISK, ("kill myself",), "en")
GUARD = GuardLogRow("illegal_acts", "ko")


def event(request: TurnRequest, at: datetime) -> CrisisEvent:
    """The event of a crisis in a message."""
    return CrisisEvent(
        event_id=crisis_event_id(request.user_id, request.message_id),
        user_id=request.user_id,
        message_id=request.message_id,
        level=CrisisLevel.HIGH_RISK,
        language="en",
        country="KR",
        created_at=at,
    )


async def drained(house: House) -> list[tuple[CrisisEvent, int]]:
    """All events that are due, held for an hour."""
    return await house.store.take_crisis_events(1000, 3600)


async def test_counts_by_month_kind_and_language(house: House, era: datetime) -> None:
    scene = await meet(house.store, house.ids)
    last_of_month = era.replace(month=3, day=31, hour=23, minute=30, tzinfo=UTC)
    for _ in range(3):
        await scene.say("…", crisis=CRISIS, received_at=last_of_month)
    await scene.say("…", guard=GUARD, received_at=last_of_month + timedelta(hours=1))
    await scene.say("…", received_at=last_of_month + timedelta(hours=2))
    march, april = date(era.year, 3, 1), date(era.year, 4, 1)
    assert await house.store.safety_counts(march, april) == [
        SafetyCount(march, "crisis", None, CrisisLevel.HIGH_RISK, "en", 3),
        SafetyCount(april, "guardrail", "illegal_acts", None, "ko", 1),
    ]
    assert await house.store.safety_counts(march, march) == [
        SafetyCount(march, "crisis", None, CrisisLevel.HIGH_RISK, "en", 3)
    ]


async def test_an_attempt_counts_once_however_often_it_is_sent(house: House, era: datetime) -> None:
    """C-12: a crisis before the account is set up is answered, logged, counted and reported like any other."""
    scene = await meet(house.store, house.ids, active=False)
    await drained(house)
    request = scene.request("…", received_at=era)
    made = Attempt(request, {"reply": None}, keep_answer=False, crisis=CRISIS, event=event(request, era))
    await house.store.attempt(made)
    await house.store.attempt(made)
    month = era.date().replace(day=1)
    assert [one.events for one in await house.store.safety_counts(month, month)] == [1]
    assert [one for one, _ in await drained(house)] == [made.event]


async def test_an_event_falls_due_until_somebody_has_it(house: House, era: datetime) -> None:
    scene = await meet(house.store, house.ids)
    await drained(house)
    request = scene.request("…", received_at=era)
    admitted, token = await scene.admit(request)
    assert admitted.known is not None
    told = event(request, era)
    settlement = scene.settlement(request, admitted.known, token, crisis=CRISIS, event=told)
    assert await house.store.settle(settlement) is SettleOutcome.SETTLED
    assert await house.store.take_crisis_events(10, 0.3) == [(told, 1)]
    assert await house.store.take_crisis_events(10, 0.3) == [], "somebody has it in hand"
    await house.wait(0.4)
    assert await house.store.take_crisis_events(10, 60) == [(told, 2)], "they died with it"
    await house.store.crisis_event_later(told.user_id, told.event_id, 0.1)
    await house.wait(0.2)
    assert await house.store.take_crisis_events(10, 0.1) == [(told, 3)]
    await house.store.crisis_event_delivered(told.user_id, told.event_id)
    await house.wait(0.2)
    assert await drained(house) == []
    await house.store.crisis_event_later(told.user_id, told.event_id, 0.0)
    assert await drained(house) == [], "what is delivered stays so"


async def test_processes_at_the_same_time_take_each_event_once(postgres: PostgresStore, era: datetime) -> None:
    await postgres.take_crisis_events(1000, 3600)
    scene = await meet(postgres, RandomIds())
    told = []
    for _ in range(12):
        request = scene.request("…", received_at=era)
        await postgres.attempt(Attempt(request, {}, keep_answer=False, event=event(request, era)))
        told.append(event(request, era))
    taken = await asyncio.gather(*(postgres.take_crisis_events(3, 3600) for _ in range(8)))
    events = [one for batch in taken for one, _ in batch]
    events += [one for one, _ in await postgres.take_crisis_events(1000, 3600)]
    assert sorted(one.event_id for one in events) == sorted(one.event_id for one in told)


async def test_each_part_can_be_written_by_itself(house: House, era: datetime) -> None:
    scene = await meet(house.store, house.ids)
    await drained(house)
    request, known = await scene.say("…", received_at=era)
    made = scene.settlement(request, known, house.ids.uuid(), crisis=CRISIS, event=event(request, era))
    for part in LogPart:
        await house.store.write_log(part, made)
    month = era.date().replace(day=1)
    assert len((await house.store.audit("crisis", scene.user_id, None, 10, None)).items) == 1
    assert (await house.store.audit("guardrail", scene.user_id, None, 10, None)).items == ()
    assert [one.events for one in await house.store.safety_counts(month, month)] == [1]
    assert [one for one, _ in await drained(house)] == [made.event]


# --- a fault of the database ------------------------------------------------------------------------------------


@pytest.fixture
async def own(server: EmbeddedPostgres) -> AsyncIterator[tuple[str, PostgresStore, Scene]]:
    """A database of the test's own, to be spoilt, and somebody in it."""
    with database(server.url, f"faulty_{os.getpid()}") as url:
        upgrade(url)
        store = await PostgresStore.open(url, connections=2)
        yield url, store, await meet(store, RandomIds())
        await store.aclose()


def spoil(url: str, *statements: str) -> None:
    """What an operator's slip does to a table."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


FAULTS = {
    "a constraint on the crisis log": ("alter table crisis_log add constraint no check (false) not valid", "crisis"),
    "no counts": ("alter table safety_counts rename to elsewhere", "counts"),
    "no events": ("drop table crisis_events", "event"),
    "a column is gone": ("alter table crisis_log drop column phrases", "crisis"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_log_that_fails_never_stops_the_reply(
    own: tuple[str, PostgresStore, Scene], caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    url, store, scene = own
    statement, lost = FAULTS[fault]
    spoil(url, statement)
    metrics = RecordingMetrics()
    writer = TurnWriter(store, metrics, reports_crises=True)
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    at = admitted.known.received_at
    settlement = scene.settlement(request, admitted.known, token, crisis=CRISIS, event=event(request, at))
    with pytest.raises(StoreRefusedError):
        await store.settle(settlement)
    assert await writer.settle(settlement) is SettleOutcome.SETTLED
    status, answer = await store.answer_of(scene.user_id, request.message_id) or ("", None)
    assert (status, answer) == ("COMPLETED", settlement.answer)
    failed = {dict(labels)["log"]: count for (name, labels), count in metrics.counts.items() if name == FAILED}
    assert failed == {"event": 0, "crisis": 0, "guardrail": 0, "counts": 0, lost: 1}
    assert f"a row of the {lost} log is lost" in caplog.text
    assert "kill myself" not in caplog.text
    if lost != "crisis":
        assert len((await store.audit("crisis", scene.user_id, None, 10, None)).items) == 1
    if lost != "event":
        assert len(await store.take_crisis_events(10, 60)) == 1
    if lost != "counts":
        assert [one.events for one in await store.safety_counts(date.min, date.max)] == [1]


async def test_an_attempt_survives_a_failing_log(own: tuple[str, PostgresStore, Scene]) -> None:
    url, store, scene = own
    spoil(url, "alter table guard_log add constraint no check (false) not valid")
    metrics = RecordingMetrics()
    request = scene.request()
    await TurnWriter(store, metrics, reports_crises=False).attempt(
        Attempt(request, {"reply": "no"}, keep_answer=True, guard=GUARD)
    )
    assert await store.answer_of(scene.user_id, request.message_id) == ("COMPLETED", {"reply": "no"})
    assert metrics.counts[FAILED, (("log", "guardrail"),)] == 1
    assert [one.category for one in await store.safety_counts(date.min, date.max)] == ["illegal_acts"]


async def test_a_fault_elsewhere_is_no_matter_of_logs(own: tuple[str, PostgresStore, Scene]) -> None:
    """What would fail without the logs as well is told as ever, and nothing is counted."""
    url, store, scene = own
    spoil(url, "alter table decisions add constraint no check (false) not valid")
    metrics = RecordingMetrics()
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    settlement = scene.settlement(request, admitted.known, token, crisis=CRISIS)
    with pytest.raises(StoreRefusedError):
        await TurnWriter(store, metrics, reports_crises=True).settle(settlement)
    assert metrics.total(FAILED) == 0


async def test_without_an_address_no_events_are_kept(own: tuple[str, PostgresStore, Scene]) -> None:
    _, store, scene = own
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    at = admitted.known.received_at
    settlement = scene.settlement(request, admitted.known, token, crisis=CRISIS, event=event(request, at))
    await TurnWriter(store, RecordingMetrics(), reports_crises=False).settle(settlement)
    assert await store.take_crisis_events(10, 60) == []
    assert len((await store.audit("crisis", scene.user_id, None, 10, None)).items) == 1
