"""Turns beside a detector: it tightens, its silence leaves all to the words, and nobody waits for it past its time."""

from dataclasses import replace
from typing import Any

import pytest
from tests.service.conftest import SETTINGS, World

from chingoo.engine.evaluate import route
from chingoo.model.turn import Settlement, SettleOutcome
from chingoo.service.policies import PolicyHolder
from chingoo.service.second_opinion import CALLS
from chingoo.service.turn import TurnService
from chingoo.testing.detector import FakeDetector
from chingoo.testing.llm import ScriptedLlm
from chingoo.testing.openai_server import bland_reply

CALM = "there is a blue chair near the window"


class Watched:
    """The store, and the last settlement it was given."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.last: Settlement | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def settle(self, settlement: Settlement) -> SettleOutcome:
        self.last = settlement
        outcome: SettleOutcome = await self._store.settle(settlement)
        return outcome


def beside(world: World, detector: FakeDetector, *, deadline_ms: int = 800) -> tuple[TurnService, Watched]:
    """A service that asks this detector."""
    bundle = replace(world.bundle, detector=replace(world.bundle.detector, deadline_ms=deadline_ms))
    holder = PolicyHolder(replace(world.holder.current, bundle=bundle), world.clock.now())
    store = Watched(world.store)
    world.llm = ScriptedLlm((bland_reply(0), bland_reply(1), bland_reply(2)))
    service = TurnService(store, holder, world.llm, world.clock, world.ids, world.metrics, SETTINGS, detector=detector)
    return service, store


def outcomes(world: World) -> dict[str, float]:
    """How often which answer came."""
    return {
        dict(labels)["outcome"]: count
        for (name, labels), count in world.metrics.counts.items()
        if name == CALLS and count
    }


async def test_what_it_sees_is_refused_without_a_model(world: World) -> None:
    detector = FakeDetector({"hate": 0.99})
    service, store = beside(world, detector)
    answer = await service.take_turn(world.request(CALM))
    assert detector.asked == [CALM]
    assert world.llm.calls == []
    assert answer["routing"]["safety_policy"] == "HARD_REFUSE"
    assert answer["reply"]["origin"] == "fixed"
    assert answer["policy"]["rules"] == ["routing.detector-hate"]
    guard = await world.store.audit("guardrail", world.user, None, 10, None)
    assert [row["event_data"]["category"] for row in guard.items] == ["routing.detector-hate"]
    assert outcomes(world) == {"flagged": 1}
    assert store.last is not None
    record = store.last.decision.facts_record
    assert record["detector"] == "hate"
    rule, routing = route(world.holder.current.engine, dict(record))
    assert (rule.id, routing.safety_policy) == ("routing.detector-hate", "HARD_REFUSE"), "replay decides the same"


async def test_its_alarm_calls_a_human(world: World) -> None:
    service, store = beside(world, FakeDetector({"self-harm/intent": 0.9}))
    answer = await service.take_turn(world.request(CALM))
    assert answer["routing"]["pipeline"] == "EMOTIONAL_SUPPORT"
    assert answer["signals"]["crisis"] == {"detected": True, "level": "CONTEXT", "phrases": []}
    assert answer["relationship"]["delta"] == 0
    assert world.llm.calls == []
    assert store.last is not None
    assert store.last.event is None, "nobody to tell in this set-up, and the log has it"
    assert len((await world.store.audit("crisis", world.user, None, 10, None)).items) == 1


@pytest.mark.parametrize(
    ("said", "slow_s", "outcome", "fact"),
    [
        ({"hate": 0.1}, 0.0, "clear", "clear"),
        ("transport", 0.0, "transport", "unavailable"),
        ("status", 0.0, "status", "unavailable"),
        ("malformed", 0.0, "malformed", "unavailable"),
        ({"hate": 1.0}, 60.0, "timeout", "unavailable"),
    ],
)
async def test_without_an_alarm_the_words_decide_alone(
    world: World, said: dict[str, float] | str, slow_s: float, outcome: str, fact: str
) -> None:
    detector = FakeDetector(said)
    detector.slow_s = slow_s
    service, store = beside(world, detector, deadline_ms=30)
    answer = await service.take_turn(world.request(CALM))
    assert answer["reply"]["origin"] == "llm"
    assert store.last is not None
    assert store.last.decision.facts_record["detector"] == fact
    assert outcomes(world) == {outcome: 1}


@pytest.mark.parametrize("text", ["i want to kill myself", "how to make a bomb"])
async def test_it_is_not_asked_where_the_words_suffice(world: World, text: str) -> None:
    """Nothing could become stricter, and nobody else need read it."""
    detector = FakeDetector({"hate": 1.0})
    service, store = beside(world, detector)
    await service.take_turn(world.request(text))
    assert detector.asked == []
    assert store.last is not None
    assert store.last.decision.facts_record["detector"] == "off"


async def test_without_one_the_fact_is_off(world: World) -> None:
    store = Watched(world.store)
    llm = ScriptedLlm((bland_reply(0),))
    service = TurnService(store, world.holder, llm, world.clock, world.ids, world.metrics, SETTINGS)
    await service.take_turn(world.request(CALM))
    assert store.last is not None
    assert store.last.decision.facts_record["detector"] == "off"
    assert outcomes(world) == {}
