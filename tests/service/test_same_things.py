"""A thing liked in one language and spoken of in another is one memory (NORM-10, PREF-02, PREF-03, CORR-05)."""

import itertools
import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from tests.service.conftest import World

from chingoo.memory.keys import KeyGrammar
from chingoo.memory.sameness import Sameness
from chingoo.model.enums import MemoryStatus
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import MemoryChange
from chingoo.policy.bundle import Bundle
from chingoo.service.batch_extraction import BatchExtraction
from chingoo.service.voice import VoiceSettings
from chingoo.testing.llm import ScriptedLlm
from chingoo.testing.openai_server import bland_reply

COFFEE = {
    "I love coffee.": "pref:drink:coffee",
    "나 커피 정말 좋아해": "pref:drink:커피",
    "Я люблю кофе": "pref:drink:кофе",
    "أحب القهوة": "pref:drink:قهوة",
    "Ich trinke gern Kaffee": "pref:drink:kaffee",
    "Mi piace il caffè": "pref:drink:caffè",
}


async def told(world: World, *lines: str) -> dict[str, str]:
    service = world.service(*(bland_reply(number) for number in range(len(lines))))
    for line in lines:
        await service.take_turn(world.request(line))
    return await world.active()


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(COFFEE, 2)))
async def test_one_thing_in_two_languages_is_one_memory(world: World, first: str, second: str) -> None:
    """The key keeps the name it began with, in its own script; saying it again in any language confirms it."""
    active = await told(world, first, second)
    assert list(active) == [COFFEE[first]]
    (memory,) = await world.store.memories(world.user, include_inactive=True)
    assert memory.confidence == 0.75
    assert len(memory.evidence_message_ids) == 2


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ("I love coffee.", "난 커피 싫어해", "dislike|커피"),
        ("Я люблю кофе", "I hate coffee.", "dislike|coffee"),
        ("Odio el café", "I love coffee.", "like|coffee"),
        ("J'adore le chocolat", "Ich mag keine Schokolade", "dislike|schokolade"),
    ],
)
async def test_the_other_stance_in_another_language_replaces_it(
    world: World, first: str, second: str, value: str
) -> None:
    """PREF-03: the newest truth wins, whatever it is said in, and keeps the person's own words."""
    active = await told(world, first, second)
    assert list(active.values()) == [value]
    past = [one.memory_value for one in await world.store.memories(world.user, include_inactive=True)]
    assert len(past) == 2


@pytest.mark.parametrize(
    ("first", "command"),
    [
        ("나 커피 정말 좋아해", "Forget coffee."),
        ("Я люблю кофе", "Forget coffee."),
        ("I love coffee.", "커피는 잊어줘"),
        ("I love coffee.", "Forget that I like кофе."),
        ("Me gusta el chocolate", "Forget chocolate."),
        ("J'adore le fromage", "Forget cheese."),
    ],
)
async def test_it_is_forgotten_by_any_of_its_names(world: World, first: str, command: str) -> None:
    assert await told(world, first)
    assert await told(world, command) == {}


async def test_what_is_suppressed_comes_back_under_no_other_name(world: World) -> None:
    """C-25."""
    await told(world, "I love coffee.", "Forget coffee.")
    assert await told(world, "나 커피 정말 좋아해", "Я люблю кофе") == {}
    _, controls = await world.store.user(world.user)
    assert controls.suppressed_memory_keys == ("pref:drink:coffee",)


async def test_a_reply_shows_it_by_any_of_its_names(world: World) -> None:
    """CORR-02, S-11."""
    await told(world, "나 커피 정말 좋아해")
    (memory,) = await world.store.memories(world.user, include_inactive=False)
    reply = bland_reply(3).rstrip(".") + ", with a little coffee beside it."
    answer = await world.service(reply).take_turn(world.request("I have a free evening today."))
    assert answer["reply"]["surfaced_memory_ids"] == [str(memory.memory_id)]


async def test_what_is_only_alike_stays_apart(world: World) -> None:
    """A thing of another category, and one of no line of the table."""
    assert set(await told(world, "I love tea.", "I love green tea.", "나 홍차 정말 좋아해")) == {
        "pref:drink:tea",
        "pref:drink:green_tea",
        "pref:drink:홍차",
    }


def test_every_name_leads_to_keys_that_can_be(bundle: Bundle) -> None:
    keys = KeyGrammar(bundle.memory)
    sameness = Sameness(bundle.synonyms.same, keys)
    for category, things in bundle.synonyms.same.items():
        assert category in bundle.memory.families["PREFERENCE"].keys
        assert len(things) > 5
    assert {"coffee", "커피", "кофе", "قهوة", "café"} <= set(sameness.names["커피"])


def proposal(said: UUID, key: str, value: str | None, op: str = "ADD") -> str:
    """What a model answers about a preference."""
    delta = {
        "op": op,
        "knowledge_type": "PREFERENCE",
        "knowledge_key": key,
        "value": value,
        "knowledge_id": None,
        "evidence_message_ids": [str(said)],
        "subject": "user",
        "confidence": 0.9,
        "expires_at": None,
    }
    return json.dumps({"deltas": [delta]})


async def proposed(world: World, text: str, key: str, value: str | None, op: str = "ADD") -> Counter[str]:
    """A batch over one more message; what became of what the model proposed."""
    at = world.clock.now() + timedelta(hours=1)
    request, _ = await world.scene.say(text, received_at=at)
    llm = ScriptedLlm([proposal(request.message_id, key, value, op)])
    voice = VoiceSettings("voice", "mechanics", 15)
    batches = BatchExtraction(world.store, world.holder, llm, world.clock, world.ids, world.metrics, voice)
    await batches.run(at + timedelta(hours=2), None)
    run = max(world.store._state.runs.values(), key=lambda run: run.created_at)
    return Counter(run.counts)


async def test_what_a_model_proposes_in_another_language_confirms(world: World) -> None:
    await told(world, "I love coffee.")
    assert await proposed(world, "그리고 커피, 진짜", "pref:drink:커피", "like|커피") == {"accepted": 1}
    (memory,) = await world.store.memories(world.user, include_inactive=True)
    assert (memory.memory_key, memory.memory_value, memory.confidence) == ("pref:drink:coffee", "like|coffee", 0.75)
    assert len(memory.evidence_message_ids) == 2


async def test_what_a_model_proposes_in_another_language_replaces(world: World) -> None:
    await told(world, "I love coffee.")
    assert await proposed(world, "커피 말이야, 이젠 별로", "pref:drink:커피", "dislike|커피") == {"accepted": 1}
    assert await world.active() == {"pref:drink:coffee": "dislike|커피"}


async def test_what_a_model_says_is_over_is_found_under_its_other_name(world: World) -> None:
    await told(world, "I love coffee.")
    assert await proposed(world, "coffee, no more", "pref:drink:커피", None, "REMOVE") == {"accepted": 1}
    assert await world.active() == {}


async def test_what_may_not_be_known_is_not_proposed_by_its_other_name(world: World) -> None:
    """C-25."""
    await told(world, "I love coffee.", "Forget coffee.")
    assert await world.active() == {}
    assert await proposed(world, "그리고 커피, 진짜", "pref:drink:커피", "like|커피") == {"rejected_suppressed": 1}
    assert await world.active() == {}


async def test_what_is_not_believed_any_more_is_not_proposed_by_its_other_name(world: World) -> None:
    """C-39: denied under one name, the same message does not teach it under another."""
    said = world.request("I love coffee, 커피 커피")
    await world.service(bland_reply(0)).take_turn(said)
    await world.service(bland_reply(1)).take_turn(world.request("No, that's not true, I don't love coffee at all"))
    await world.store.edit_memories(world.user, None, invalidated)
    assert await world.active() == {}
    llm = ScriptedLlm([proposal(said.message_id, "pref:drink:커피", "like|커피")])
    voice = VoiceSettings("voice", "mechanics", 15)
    batches = BatchExtraction(world.store, world.holder, llm, world.clock, world.ids, world.metrics, voice)
    await batches.run(world.clock.now() + timedelta(hours=2), None)
    (run,) = world.store._state.runs.values()
    assert run.counts == {"rejected_outdated": 1}
    assert await world.active() == {}


def invalidated(known: Remembered) -> MemoryEdit:
    """All of it denied."""
    gone = [one for one in known.memories if one.status is MemoryStatus.ACTIVE]
    denied = [replace(one, status=MemoryStatus.INVALID, invalid_reason="denied") for one in gone]
    return MemoryEdit(changes=tuple(MemoryChange("update", one) for one in denied))
