"""Memories in the person's own hands, over the fake store: the bodies that the API answers with."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from tests.service.conftest import SETTINGS, World

from chingoo.engine.engine import Engine
from chingoo.errors import ConflictError, NotFoundError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.memory.reader import build_reader
from chingoo.model.people import Memory, MemoryChange
from chingoo.policy.bundle import Bundle
from chingoo.service.memories import MemoryService
from chingoo.service.memory_counts import FORGOTTEN, FORGOTTEN_MEMORIES
from chingoo.service.policies import PolicyHolder
from chingoo.service.turn import TurnService
from chingoo.testing.clock import FakeClock, SequentialIds
from chingoo.testing.llm import ScriptedLlm
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.openai_server import bland_reply
from chingoo.testing.scenes import START, Scene, meet
from chingoo.testing.store import FakeStore

LATE = START + timedelta(hours=25)
HERON = (
    "A heron landed on our balcony is how the week began, and the whole evening can be slow after such a morning. You "
    "could take a quiet walk along the streets you like best and let your thoughts settle."
)


class Person:
    """A person with one memory from one message, the service, and what it counted."""

    def __init__(
        self, scene: Scene, service: MemoryService, memory: Memory, message_id: UUID, metrics: RecordingMetrics
    ) -> None:
        self.scene, self.service, self.memory, self.message_id = scene, service, memory, message_id
        self.metrics = metrics
        self.user_id = scene.user_id

    async def statuses(self) -> list[tuple[str, str]]:
        """Value and status of all memories."""
        found = await self.service.memories(self.user_id, True, None, None)
        return [(item["memory_value"], item["status"]) for item in found["items"]]


@pytest.fixture
async def person(bundle: Bundle, engine: Engine) -> Person:
    """Somebody who lives in Lisbon."""
    clock, ids = FakeClock(), SequentialIds()
    store = FakeStore(clock)
    scene = await meet(store, ids)
    metrics = RecordingMetrics()
    holder = PolicyHolder(CompiledPolicy(bundle, engine, build_reader(bundle)), START)
    service = MemoryService(store, holder, clock, ids, metrics)
    message_id = ids.uuid()
    memory = replace(scene.memory("fact:current_city", "Lisbon"), evidence_message_ids=(message_id,))
    await scene.say("I live in Lisbon", message_id=message_id, memory_changes=(MemoryChange("insert", memory),))
    return Person(scene, service, memory, message_id, metrics)


async def test_the_receipt_counts_what_went_and_came_back(person: Person) -> None:
    """FORGET-01…04, S-17."""
    receipt = await person.service.forget(person.user_id, person.message_id, START)
    assert receipt == {
        "messages_forgotten": 1,
        "replies_forgotten": 1,
        "snippets_cleared": 0,
        "memories_deactivated": 1,
        "evidence_dropped": 0,
        "undo_until": (START + timedelta(hours=24)).isoformat(),
    }
    again = await person.service.forget(person.user_id, person.message_id, LATE)
    assert (again["messages_forgotten"], again["memories_deactivated"]) == (0, 0)
    assert again["undo_until"] == receipt["undo_until"]
    assert [person.metrics.total(name) for name in (FORGOTTEN, FORGOTTEN_MEMORIES)] == [1, 1], "TEL-10: not twice"
    back = await person.service.unforget(person.user_id, person.message_id, START)
    assert back == {"messages_restored": 1, "replies_restored": 1, "memories_restored": 1}
    none = await person.service.unforget(person.user_id, person.message_id, START)
    assert none == {"messages_restored": 0, "replies_restored": 0, "memories_restored": 0}
    await person.service.forget(person.user_id, person.message_id, START)
    with pytest.raises(ConflictError):
        await person.service.unforget(person.user_id, person.message_id, LATE)


async def test_a_memory_is_traced_corrected_deleted_and_let_go(person: Person) -> None:
    user_id, old_id = person.user_id, person.memory.memory_id
    evidence = await person.service.evidence(user_id, old_id)
    assert [(item["message_id"], item["text"]) for item in evidence["items"]] == [
        (str(person.message_id), "I live in Lisbon")
    ]
    new = await person.service.correct(user_id, old_id, "Porto", START)
    assert (new["memory_value"], new["status"], new["extracted_from"]) == ("Porto", "ACTIVE", "explicit_input")
    assert await person.statuses() == [("Lisbon", "SUPERSEDED"), ("Porto", "ACTIVE")]
    history = await person.service.history(user_id, UUID(new["memory_id"]))
    assert [item["memory_value"] for item in history["items"]] == ["Lisbon", "Porto"]
    gone = await person.service.delete(user_id, UUID(new["memory_id"]), START)
    assert (gone["status"], gone["invalid_reason"]) == ("INVALID", "deleted")
    _, controls = await person.scene.store.user(user_id)
    assert controls.suppressed_memory_keys == ("fact:current_city",)
    left = await person.service.unsuppress(user_id, "fact:current_city")
    assert left["suppressed_memory_keys"] == []
    for ask in (
        person.service.unsuppress(user_id, "fact:current_city"),
        person.service.history(user_id, person.message_id),
        person.service.evidence(user_id, person.message_id),
        person.service.delete(user_id, person.message_id, START),
        person.service.delete(person.message_id, old_id, START),
    ):
        with pytest.raises(NotFoundError):
            await ask


async def test_a_reply_that_repeats_what_was_forgotten_meanwhile_is_not_said(world: World) -> None:
    """FORGET-05: forgetting between admit and settle wins, also over words that no memory holds."""
    told = world.request("Yesterday a heron landed on our balcony.")
    await world.service(bland_reply(0)).take_turn(told)
    memories = MemoryService(world.store, world.holder, world.clock, world.ids, world.metrics)

    class Meanwhile(ScriptedLlm):
        async def complete(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            await memories.forget(world.user, told.message_id, world.clock.now())
            return await super().complete(*args, **kwargs)  # type: ignore[arg-type]

    for reply, origin in ((HERON, "safe"), (bland_reply(3), "llm")):
        await memories.unforget(world.user, told.message_id, world.clock.now())
        llm = Meanwhile([reply])
        service = TurnService(world.store, world.holder, llm, world.clock, world.ids, world.metrics, SETTINGS)
        answer = await service.take_turn(world.request("there is a blue chair near the window"))
        assert answer["reply"]["origin"] == origin, answer["reply"]
        assert "heron" not in answer["reply"]["text"]
