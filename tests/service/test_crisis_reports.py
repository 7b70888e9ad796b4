"""Crises reach a human: sent once they are settled, again until they are taken, and never in the way of a reply."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID

import pytest

from chingoo.flow.identity import crisis_event_id
from chingoo.model.enums import CrisisLevel
from chingoo.model.turn import Attempt, CrisisEvent, TurnRequest
from chingoo.service.crisis_reports import SENT, CrisisReporter
from chingoo.testing.clock import FakeClock
from chingoo.testing.delivery import RecordingDelivery
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.store import FakeStore

AT = datetime(2026, 11, 22, 1, 30, tzinfo=UTC)
WHO = UUID(int=1)


async def leave(store: FakeStore, message: int) -> CrisisEvent:
    """A crisis in a message of somebody, as a turn leaves it."""
    request = TurnRequest(UUID(int=message), WHO, UUID(int=2), UUID(int=3), "said in confidence", AT)
    event = CrisisEvent(
        crisis_event_id(WHO, request.message_id), WHO, request.message_id, CrisisLevel.CONTEXT, "ko", "KR", AT
    )
    await store.attempt(Attempt(request, {}, keep_answer=False, event=event))
    return event


async def test_an_event_says_whom_to_call_and_nothing_of_what_was_said() -> None:
    store, delivery = FakeStore(FakeClock()), RecordingDelivery()
    event = await leave(store, 7)
    assert await CrisisReporter(store, delivery, RecordingMetrics()).send_due() == 1
    assert delivery.taken == [
        (
            event.event_id,
            {
                "type": "crisis",
                "event_id": str(event.event_id),
                "user_id": str(WHO),
                "message_id": str(UUID(int=7)),
                "level": "CONTEXT",
                "language": "ko",
                "country": "KR",
                "created_at": "2026-11-22T01:30:00+00:00",
            },
        )
    ]


async def test_what_is_not_taken_comes_again_later_and_later() -> None:
    clock, delivery, metrics = FakeClock(), RecordingDelivery(), RecordingMetrics()
    store = FakeStore(clock)
    reporter = CrisisReporter(store, delivery, metrics)
    event = await leave(store, 7)
    delivery.failures.extend(["timeout", "status", "transport"])
    for pause in (2, 4, 8):
        assert await reporter.send_due() == 1
        clock.advance(pause - 0.1)
        assert await reporter.send_due() == 0
        clock.advance(0.2)
    assert await reporter.send_due() == 1
    assert [one for one, _ in delivery.taken] == [event.event_id]
    clock.advance(100_000)
    assert await reporter.send_due() == 0
    outcomes = {dict(labels)["outcome"]: count for (name, labels), count in metrics.counts.items() if name == SENT}
    assert outcomes == {"delivered": 1, "timeout": 1, "status": 1, "transport": 1}


async def test_the_pause_has_an_end_and_the_trying_has_none() -> None:
    clock, delivery = FakeClock(), RecordingDelivery()
    store = FakeStore(clock)
    reporter = CrisisReporter(store, delivery, RecordingMetrics())
    await leave(store, 7)
    for _ in range(40):
        delivery.failures.append("status")
        assert await reporter.send_due() == 1
        clock.advance(300.1)
    assert await reporter.send_due() == 1
    assert len(delivery.taken) == 1


async def test_a_process_that_dies_with_an_event_loses_nothing() -> None:
    """At least once: whoever took it and was killed did not say that it was taken."""
    clock, delivery = FakeClock(), RecordingDelivery()
    store = FakeStore(clock)
    await leave(store, 7)
    assert len(await store.take_crisis_events(10, 60)) == 1
    reporter = CrisisReporter(store, delivery, RecordingMetrics())
    assert await reporter.send_due() == 0
    clock.advance(61)
    assert await reporter.send_due() == 1


async def test_it_works_on_while_the_database_is_away(caplog: pytest.LogCaptureFixture) -> None:
    delivery, store = RecordingDelivery(), FakeStore(FakeClock())
    reporter = CrisisReporter(store, delivery, RecordingMetrics())
    await leave(store, 7)
    store.away = True
    working = asyncio.ensure_future(reporter.run())
    await asyncio.sleep(0.05)
    assert "wait" in caplog.text
    store.away = False
    reporter._news.set()
    await asyncio.sleep(0.05)
    assert len(delivery.taken) == 1
    working.cancel()
