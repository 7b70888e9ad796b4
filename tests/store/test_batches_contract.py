"""Batches of messages for a model to look at, on both stores (BATCH-02, BATCH-03, BATCH-15)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from tests.store.conftest import House

from chingoo.errors import NotFoundError
from chingoo.memory.forgetting import forget_message
from chingoo.model.corrections import CorrectionType
from chingoo.model.enums import ExtractedFrom, Mode, Role
from chingoo.model.extraction import UNFINISHED, BatchQuality, DueBatch, ExtractionRun, RunCall, Trigger, Triggers
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import MemoryChange
from chingoo.model.turn import CorrectionRow, LlmCallRow
from chingoo.policy.bundle import Bundle
from chingoo.testing.scenes import START, Scene, meet

MINUTE = timedelta(minutes=1)
TRIGGERS = Triggers(gap=30 * MINUTE, messages=3, wait=120 * MINUTE, apart=60 * MINUTE)
LATER = START + 31 * MINUTE


async def due(scene: Scene, now: timedelta) -> list[Trigger]:
    """Why this person's conversation is due, if it is."""
    found = await scene.store.due_batches(START + now, TRIGGERS, 10, None, [scene.user_id])
    assert all(one.conversation_id == scene.conversation_id for one in found)
    return [one.triggered_by for one in found]


async def begun(scene: Scene, now: timedelta = 31 * MINUTE) -> ExtractionRun:
    """A run over everything there is."""
    found = await scene.store.unanalysed(scene.user_id, scene.conversation_id, 100)
    run = ExtractionRun(
        user_id=scene.user_id,
        run_id=scene.ids.uuid(),
        conversation_id=scene.conversation_id,
        triggered_by=Trigger.CRON,
        up_to=found.up_to,
        messages_analyzed=len(found.messages),
        created_at=START + now,
    )
    assert await scene.store.begin_extraction(run, TRIGGERS)
    return run


async def ended(scene: Scene, run: ExtractionRun, *changes: MemoryChange, error: str | None = None) -> Remembered:
    """End it; what was remembered then."""
    seen: list[Remembered] = []

    def conclude(known: Remembered) -> tuple[MemoryEdit, ExtractionRun]:
        seen.append(known)
        return MemoryEdit(changes=changes), replace(run, error=error, counts={"accepted": len(changes)})

    call = LlmCallRow(scene.ids.uuid(), "extract_batch", "scripted", "small", 10, 2, 3.5, 0.25, error)
    await scene.store.end_extraction(scene.user_id, RunCall(scene.ids.uuid(), call), conclude)
    return seen[-1]


async def lines(scene: Scene, limit: int = 100) -> list[str | None]:
    """What no batch has looked at."""
    found = await scene.store.unanalysed(scene.user_id, scene.conversation_id, limit)
    return [one.text for one in found.messages if one.role is Role.USER]


async def test_when_a_conversation_is_due(house: House) -> None:
    scene = await meet(house.store, house.ids)
    await ended(scene, await begun(scene, -600 * MINUTE))
    assert await due(scene, 600 * MINUTE) == [], "nothing waits"
    await scene.say("one")
    assert await due(scene, 29 * MINUTE) == []
    assert await due(scene, 30 * MINUTE) == [Trigger.SESSION_CLOSED]
    await scene.say("two", received_at=START + 110 * MINUTE)
    assert await due(scene, 119 * MINUTE) == []
    assert await due(scene, 120 * MINUTE) == [Trigger.CRON]
    await scene.say("three", received_at=START + 111 * MINUTE)
    assert await due(scene, 112 * MINUTE) == [Trigger.MESSAGES]


async def test_people_come_in_order_and_in_pages(house: House) -> None:
    scenes = [await meet(house.store, house.ids) for _ in range(3)]
    users = sorted(scene.user_id for scene in scenes)
    first = await house.store.due_batches(LATER, TRIGGERS, 2, None, users)
    rest = await house.store.due_batches(LATER, TRIGGERS, 2, first[-1].user_id, users)
    assert [one.user_id for one in (*first, *rest)] == users
    scene = next(one for one in scenes if one.user_id == users[0])
    assert first[0] == DueBatch(users[0], scene.ai_friend_id, scene.conversation_id, Trigger.SESSION_CLOSED)


async def test_only_one_begins(house: House) -> None:
    """BATCH-03."""
    scene = await meet(house.store, house.ids)
    run = await begun(scene)
    again = replace(run, run_id=house.ids.uuid(), created_at=run.created_at + 59 * MINUTE)
    assert run.error == UNFINISHED
    assert not await scene.store.begin_extraction(again, TRIGGERS)
    assert await due(scene, 90 * MINUTE) == []
    assert await due(scene, 91 * MINUTE) == [Trigger.SESSION_CLOSED], "one that died is tried again"
    assert await scene.store.begin_extraction(replace(again, created_at=run.created_at + 60 * MINUTE), TRIGGERS)


async def test_what_is_looked_at_does_not_wait_any_more(house: House) -> None:
    scene = await meet(house.store, house.ids)
    await scene.say("one")
    run = await begun(scene)
    await scene.say("two")
    memory = scene.memory(extracted_from=ExtractedFrom.BATCH)
    version = (await scene.store.user(scene.user_id))[0].mem_version
    await ended(scene, run, MemoryChange("insert", memory))
    assert await scene.store.memories(scene.user_id, include_inactive=True) == [memory]
    assert (await scene.store.user(scene.user_id))[0].mem_version == version + 1
    assert await lines(scene) == ["two"]
    assert (await scene.store.spending(scene.user_id, 24)).usd == 0.25
    await ended(scene, await begun(scene, 200 * MINUTE))
    assert await lines(scene) == []
    assert await due(scene, 600 * MINUTE) == []


async def test_a_run_that_failed_leaves_its_messages(house: House) -> None:
    scene = await meet(house.store, house.ids)
    await scene.say("one")
    await ended(scene, await begun(scene), error="timeout")
    assert await lines(scene) == ["hello", "one"]
    assert await due(scene, 92 * MINUTE) == [Trigger.SESSION_CLOSED]


async def test_what_is_shown_of_a_conversation(house: House, bundle: Bundle) -> None:
    """Nothing forgotten, nothing intimate, nothing from a message on that is still being answered."""
    scene = await meet(house.store, house.ids)
    gone, _ = await scene.say("forget me")
    policy = bundle.memory.forgetting
    await scene.store.edit_memories(scene.user_id, gone.message_id, lambda known: forget_message(policy, known, START))
    await scene.store.patch_controls(scene.user_id, {"intimate_mode": True}, START)
    await scene.say("whisper", mode=Mode.INTIMATE)
    await scene.say("last")
    await scene.admit(scene.request("not yet"))
    assert await lines(scene) == ["hello", "last"]
    assert await lines(scene, limit=2) == ["hello"]


async def test_how_good_batches_were(house: House) -> None:
    """CORR-15."""
    before = await house.store.batch_quality(START - MINUTE)
    scene = await meet(house.store, house.ids)
    made = [
        scene.memory(f"fact:{name}", extracted_from=source)
        for name, source in (
            ("school", ExtractedFrom.BATCH),
            ("major", ExtractedFrom.BATCH),
            ("job", ExtractedFrom.LLM),
        )
    ]
    wrong = (made[0], made[2])
    rows = [
        CorrectionRow(house.ids.uuid(), next(iter(CorrectionType)), deactivated_memory_id=one.memory_id)
        for one in wrong
    ]
    await scene.say(memory_changes=tuple(MemoryChange("insert", one) for one in made), corrections=tuple(rows))
    after = await house.store.batch_quality(START - MINUTE)
    assert (after.made - before.made, after.wrong - before.wrong) == (2, 1)
    assert await house.store.batch_quality(START + timedelta(days=400)) == BatchQuality(0, 0)


async def test_who_is_gone_has_no_batches(house: House) -> None:
    scene = await meet(house.store, house.ids)
    run = await begun(scene)
    await scene.store.erase_user(scene.user_id, START)
    assert await due(scene, 600 * MINUTE) == []
    with pytest.raises(NotFoundError):
        await ended(scene, run)
    with pytest.raises(NotFoundError):
        await scene.store.begin_extraction(replace(run, run_id=UUID(int=1)), TRIGGERS)


async def test_answers_that_make_no_sense_are_counted_until_one_does(house: House) -> None:
    """C-59: what the same messages bring again; an outage is none of it, nor is a run that asked nobody."""
    scene = await meet(house.store, house.ids)
    await scene.say("one")
    told: list[int] = []
    ends = ("unreadable", "timeout", "refused", "unreadable")
    for number, error in enumerate(ends):
        await ended(scene, await begun(scene, (31 + 100 * number) * MINUTE), error=error)
        at = START + (131 + 100 * number) * MINUTE
        (found,) = await scene.store.due_batches(at, TRIGGERS, 10, None, [scene.user_id])
        told.append(found.spoilt)
    assert told == [1, 1, 2, 3]
    for hours, model, spoilt in ((10, None, 3), (20, "small", 0)):
        await ended(scene, replace(await begun(scene, hours * 60 * MINUTE), llm_model=model))
        await scene.say("more", received_at=START + hours * 60 * MINUTE)
        at = START + (hours + 9) * 60 * MINUTE
        (found,) = await scene.store.due_batches(at, TRIGGERS, 10, None, [scene.user_id])
        assert found.spoilt == spoilt
