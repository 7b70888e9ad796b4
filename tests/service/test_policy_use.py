"""What is learned of policies in use: counts of entries, and a shadow that decides beside; no text in either."""

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.records import evaluation_input
from chingoo.memory.reader import build_reader
from chingoo.model.decision import Decision
from chingoo.model.enums import AgeBand, Pipeline, SafetyPolicy, UserState
from chingoo.model.people import Answers, Controls, User
from chingoo.model.turn import Known, TurnRequest
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.routing import RoutingDocument
from chingoo.proof.hits import entry_uses
from chingoo.service.policy_hits import EntryCounter
from chingoo.service.policy_shadow import Flip, ShadowPolicy
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.policy_records import FakePolicyRecords

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass
class View:
    """What watchers look at of a turn."""

    request: TurnRequest
    known: Known
    decision: Decision
    decision_id: UUID


class Talk:
    """Turns of one adult."""

    def __init__(self, compiled: CompiledPolicy) -> None:
        self.compiled = compiled
        self.number = 0

    def say(self, text: str, at: datetime = NOON) -> Any:
        self.number += 1
        request = TurnRequest(UUID(int=self.number), UUID(int=1), UUID(int=2), UUID(int=3), text, at)
        user = User(UUID(int=1), UserState.ACTIVE, Answers("Mina", AgeBand.B25_34), AgeBand.B25_34, 1)
        known = Known(user, Controls(), (), at)
        decision = evaluate(self.compiled.engine, evaluation_input(self.compiled, request, known))
        return View(request, known, decision, UUID(int=1000 + self.number))


@pytest.fixture
def talk(bundle: Bundle, engine: Engine) -> Talk:
    return Talk(CompiledPolicy(bundle, engine, build_reader(bundle)))


async def test_entries_are_counted_once_a_turn_and_by_day(talk: Talk) -> None:
    records = FakePolicyRecords()
    counter = EntryCounter(records, RecordingMetrics())
    first = talk.say("who won the election? the election!")
    assert first.decision.spans
    for view in (first, talk.say("the election again")):
        counter.settled(view)
    late = datetime(2026, 3, 3, 1, tzinfo=timezone(timedelta(hours=9)))
    counter.settled(talk.say("an election", late))
    refused = talk.say("how to make a bomb")
    assert refused.decision.routing.pipeline is Pipeline.REFUSAL
    counter.settled(refused)
    await counter.flush()
    counts = {(count.entry, count.day): count for count in await records.hits(date(2026, 1, 1))}
    election = next(entry for entry, _, _ in first.decision.spans if entry.startswith("policies/topics.yaml"))
    assert counts[election, NOON.date()].hits == 3, "the third was on the same day in UTC"
    assert counts[election, NOON.date()].refusals == 0
    for entry in {span[0] for span in refused.decision.spans}:
        assert counts[entry, NOON.date()].refusals == 1
    await counter.flush()
    assert len(await records.hits(date(2026, 1, 1))) == len(counts), "nothing is written twice"


async def test_counts_wait_for_the_database(talk: Talk) -> None:
    records = FakePolicyRecords()
    counter = EntryCounter(records, RecordingMetrics())
    view = talk.say("the election")
    counter.settled(view)
    records.away = True
    await counter.flush()
    counter.settled(view)
    records.away = False
    await counter.flush()
    assert {count.hits for count in await records.hits(NOON.date())} == {2}


async def test_everything_that_decides_can_be_found_among_the_uses(bundle: Bundle, talk: Talk) -> None:
    known = {str(use.place) for use in entry_uses(bundle, {}, [])}
    for text in (
        "who won the election, president?",
        "i want to end my life",
        "how to make a bomb",
        "i feel so lonely and overwhelmed, please listen",
        "i am 12 years old",
        "나 너무 힘들어 죽고 싶어",
        "my size is M and my sister's wedding is in two weeks",
    ):
        assert {span[0] for span in talk.say(text).decision.spans} <= known, text


async def drained(shadow: ShadowPolicy) -> None:
    """Let the shadow decide all that waits."""
    task = asyncio.ensure_future(shadow.run())
    async with asyncio.timeout(20):
        while not shadow._waiting.empty():
            await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def allowing(document: RoutingDocument) -> RoutingDocument:
    """The same rules, of which none but the last can hold."""
    return replace(document, rules=document.rules[-1:])


async def test_a_shadow_tells_where_it_differs_and_nothing_of_what_was_said(talk: Talk, bundle: Bundle) -> None:
    from chingoo.engine.engine import build_engine

    other = replace(bundle, digest="f" * 64, routing=allowing(bundle.routing))
    metrics, flips = RecordingMetrics(), list[Flip]()
    shadow = ShadowPolicy(CompiledPolicy(other, build_engine(other), build_reader(other)), metrics, flips.append)
    bomb = talk.say("how to make a bomb")
    for view in (talk.say("the chair is blue"), bomb):
        shadow.settled(view)
    assert flips == [], "not on the way of the turn"
    await drained(shadow)
    assert [(flip.decision_id, flip.live.safety_policy) for flip in flips] == [
        (bomb.decision_id, SafetyPolicy.HARD_REFUSE)
    ]
    assert flips[0].shadow.pipeline is not Pipeline.REFUSAL
    assert (flips[0].live_digest, flips[0].shadow_digest) == (bundle.digest, "f" * 64)
    assert "bomb" not in repr(flips)
    assert metrics.counts["chingoo_policy_shadow_decisions_total", (("outcome", "same"),)] == 1
    assert metrics.total("chingoo_policy_shadow_flips_total") == 1
    shadow.close()


async def test_a_shadow_never_makes_turns_wait(talk: Talk) -> None:
    metrics = RecordingMetrics()
    shadow = ShadowPolicy(talk.compiled, metrics, SimpleNamespace)
    view = talk.say("hello")
    for _ in range(300):
        shadow.settled(view)
    assert metrics.counts["chingoo_policy_shadow_decisions_total", (("outcome", "dropped"),)] == 44
