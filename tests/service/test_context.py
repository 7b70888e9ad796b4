"""The context pack is what a turn is given, read off the prompt that it makes (BUDGET-04, 05, LIFE-06, TURN-08)."""

import re
from dataclasses import replace
from datetime import timedelta

import msgspec
import pytest
from tests.service.conftest import World

from chingoo.errors import ConflictError, InvalidInputError, NotFoundError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.model.enums import Mode
from chingoo.model.people import MemoryChange
from chingoo.ports.people import AnswersPatch
from chingoo.service.context import ContextService
from chingoo.service.policies import PolicyHolder
from chingoo.testing.openai_server import bland_reply
from chingoo.testing.scenes import befriend
from chingoo.text.budget import estimate_tokens
from chingoo.web.answers.context import ContextPack

KNOWN = {"current_city": "Lisbon", "sushi": "like|sushi", "nickel": "nickel", "size": "M"}
KEYS = {
    "fact:current_city": "current city: Lisbon",
    "pref:food:sushi": "likes sushi (food)",
    "allergy:nickel": "allergic to nickel",
    "body_params:size": "size: M",
}
"""How a prompt says them."""

MARKED = re.compile(r"\bmem\d+\b")
TEXTS = [
    ("I remember telling you about Lisbon and the sushi there.", True),
    ("It rains a little.", True),
    ("What is the boiling point of water?", True),
    ("I feel so alone and sad tonight.", True),
    ("I want to end my life.", False),
    ("Forget sushi.", True),
    ("I live in Porto now.", True),
]


async def pack(world: World, text: str, **asked: object) -> dict[str, object]:
    service = ContextService(world.store, world.holder, world.clock, world.ids)
    given = {"ai_friend_id": world.friend, "at": None, **asked}
    return await service.context(world.user, text=text, **given)  # type: ignore[arg-type]


def keys(part: object) -> list[str]:
    return [one["memory_key"] for one in part]  # type: ignore[attr-defined]


def shown(part: object) -> set[str]:
    return set(keys(part))


@pytest.mark.parametrize(("text", "prompted"), TEXTS)
async def test_the_pack_is_what_the_prompt_of_the_turn_holds(world: World, text: str, prompted: bool) -> None:
    """The same memories, the same lines of the talk; where policy fixes the words, no prompt is made."""
    await world.remember(**KNOWN)
    for number in range(3):
        await world.scene.say(f"The bench number {number} is green.", received_at=world.clock.now())
    given = await pack(world, text)
    await world.service(bland_reply(5)).take_turn(world.request(text))
    assert bool(world.llm.calls) == prompted
    for call in world.llm.calls[:1]:
        system, *talk, current = (message.content for message in call.messages)
        assert given["budget"]["system"] == estimate_tokens(system)  # type: ignore[index]
        assert [one["text"] for one in given["recent"]] == talk  # type: ignore[attr-defined]
        said = [line for line in current.split("\n") if MARKED.search(line)]
        assert [KEYS[key] in line for key, line in zip(keys(given["memories"]), said, strict=True)] == [True] * len(
            said
        )


async def test_it_has_the_shape_that_is_shown(world: World) -> None:
    await world.remember(**KNOWN)
    await world.scene.say(received_at=world.clock.now())
    plain = msgspec.json.decode(msgspec.json.encode(await pack(world, "I remember it")))
    read = msgspec.json.decode(msgspec.json.encode(msgspec.convert(plain, ContextPack)))
    assert set(read) == set(plain)
    for part in ("memories", "recent"):
        assert [set(one) for one in read[part]] == [set(one) for one in plain[part]] != []
    assert read["budget"] == plain["budget"]


async def test_what_is_read_depends_on_the_message(world: World) -> None:
    """The reading policy of the message's own routing (POL-01…04)."""
    await world.remember(**KNOWN)
    everything = {"fact:current_city", "pref:food:sushi", "allergy:nickel", "body_params:size"}
    assert shown((await pack(world, "I remember we talked about rings"))["memories"]) == everything
    assert shown((await pack(world, "I want to end my life."))["memories"]) == set()


async def test_a_memory_says_where_it_comes_from(world: World) -> None:
    made = await world.remember(current_city="Lisbon")
    [memory] = (await pack(world, "I remember we talked about a city"))["memories"]  # type: ignore[misc]
    assert memory == {
        "memory_id": str(made["current_city"].memory_id),
        "memory_key": "fact:current_city",
        "memory_value": "Lisbon",
        "evidence_message_ids": [str(one) for one in made["current_city"].evidence_message_ids],
        "score": made["current_city"].confidence,
    }


async def test_suppressed_expired_and_inactive_ones_are_not_there(world: World) -> None:
    """LIFE-06, TURN-08, UK-12: what has run out at that instant, before the job looks at it."""
    made = await world.remember(**KNOWN)
    await world.store.patch_controls(world.user, {"suppressed_memory_keys": ["allergy:nickel"]}, world.clock.now())
    gone = replace(made["sushi"], status="INVALID", invalid_reason="x")
    later = world.clock.now() + timedelta(days=2)
    party = world.scene.memory("life_event:party", "party", type="life_event", expires_at=later)
    await world.scene.say(memory_changes=(MemoryChange("update", gone), MemoryChange("insert", party)))
    text = "I remember we talked about it"
    before = shown((await pack(world, text, at=later - timedelta(hours=1)))["memories"])
    assert before == {"fact:current_city", "body_params:size", "life_event:party"}
    assert shown((await pack(world, text, at=later + timedelta(hours=1)))["memories"]) == before - {"life_event:party"}


async def test_nothing_is_written(world: World) -> None:
    """Nor is the person made ACTIVE, nor a lease taken."""
    before = await world.store.export_user(world.user)
    await pack(world, "I live in Lisbon. Forget sushi.")
    assert await world.store.export_user(world.user) == before


async def test_what_does_not_fit_is_not_in_the_pack(world: World) -> None:
    """BUDGET-05: the system prompt and the last messages stay, whatever they come to."""
    await world.remember(**KNOWN)
    for number in range(12):
        await world.scene.say(f"The bench number {number} is green.", received_at=world.clock.now())
    compiled = world.holder.current
    whole = await pack(world, "I remember it")
    sizes = whole["budget"]
    parts = ("system", "protected", "older", "retrieved")
    assert sizes["total"] == sum(sizes[part] for part in parts) <= sizes["limit"]  # type: ignore[index]
    assert len(whole["recent"]) == compiled.history_limit  # type: ignore[arg-type]

    context = compiled.bundle.context
    needed = sizes["system"] + sizes["protected"] + context.budget.output_tokens  # type: ignore[index]
    narrow = replace(context, budget=replace(context.budget, context_tokens=needed))
    bundle = replace(compiled.bundle, context=narrow)
    world.holder = PolicyHolder(CompiledPolicy(bundle, compiled.engine, compiled.memory), world.clock.now())
    least = await pack(world, "I remember it")
    assert least["memories"] == []
    assert least["recent"] == whole["recent"][-context.budget.protected_messages :]  # type: ignore[index]
    assert least["budget"] == {**sizes, "limit": needed - 4000, "older": 0, "retrieved": 0, "total": needed - 4000}  # type: ignore[dict-item]


async def test_of_several_friends_one_must_be_named(world: World) -> None:
    assert (await pack(world, "hello again", ai_friend_id=None))["episodes"] == []
    await befriend(world.store, world.ids, world.user)
    with pytest.raises(InvalidInputError) as refused:
        await pack(world, "hello again", ai_friend_id=None)
    assert [error.pointer for error in refused.value.errors] == ["/ai_friend_id"]


async def test_unknown_people_and_friends(world: World) -> None:
    nobody = world.ids.uuid()
    with pytest.raises(NotFoundError):
        await pack(world, "hello again", ai_friend_id=nobody)
    world.user = nobody
    for friend in (None, world.friend):
        with pytest.raises(NotFoundError):
            await pack(world, "hello again", ai_friend_id=friend)


async def test_before_onboarding_is_complete_no_turn_gets_as_far(world: World) -> None:
    await world.store.patch_onboarding(world.user, AnswersPatch({"age_band": None}), world.clock.now())
    with pytest.raises(ConflictError, match="age_band"):
        await pack(world, "hello again")


async def test_words_that_wait_for_a_batch_are_shown_as_they_were_said(world: World) -> None:
    """BATCH-14: above so many, the last few, cut, the newest first; until a batch has looked at them."""
    policy = world.holder.current.bundle.context.pending
    for number in range(policy.above):
        await world.scene.say(f"{number} " + "a" * policy.characters, received_at=world.clock.now())
    assert (await pack(world, "hello"))["pending_raw"] == []
    await world.store.patch_controls(world.user, {"intimate_mode": True}, world.clock.now())
    await world.scene.say("between us", mode=Mode.INTIMATE, received_at=world.clock.now())
    assert (await pack(world, "hello"))["pending_raw"] == [], "no batch learns from intimate mode"
    await world.scene.say("the last", received_at=world.clock.now())
    shown_now = (await pack(world, "hello"))["pending_raw"]
    texts = [one["text"] for one in shown_now]  # type: ignore[attr-defined]
    assert [text.split()[0] for text in texts] == ["the", "9", "8", "7", "6"]
    assert len(texts) == policy.messages
    assert {len(text) for text in texts[1:]} == {policy.characters}
