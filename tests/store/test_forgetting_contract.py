"""Forgetting, taking back, deleting, exporting and erasing, on both stores (FORGET-01…05, C-34, C-68, S-17)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from tests.store.conftest import House

from chingoo.errors import ConflictError, NotFoundError
from chingoo.memory.forgetting import delete_memory, forget_message, unforget_message
from chingoo.model.enums import ExtractedFrom, MemoryStatus
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import Memory, MemoryChange
from chingoo.model.turn import AdmitOutcome, SettleOutcome, TurnRequest
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.memory import Forgetting
from chingoo.testing.scenes import START, Scene, meet

SOON, LATE = START + timedelta(hours=1), START + timedelta(hours=30)
Edit = Callable[[Remembered], MemoryEdit]


@pytest.fixture
def policy(bundle: Bundle) -> Forgetting:
    """The shipped policy: a day to take it back."""
    return bundle.memory.forgetting


def answer(request: TurnRequest, reply: str, *memories: Memory) -> dict[str, Any]:
    """A stored answer in the shape of the contract."""
    rows = [
        {"memory_id": str(one.memory_id), "memory_key": one.memory_key, "memory_value": one.memory_value}
        for one in memories
    ]
    return {
        "message_id": str(request.message_id),
        "replayed": False,
        "signals": {"user_text_norm": request.text, "norm_no_punct": request.text, "topics": [], "crisis": {}},
        "reply": {"text": reply},
        "memory": {"created": rows, "confirmed": []},
    }


async def tell(
    scene: Scene, text: str, *memories: Memory, reply: str = "I see.", surfaced: tuple[UUID, ...] = (), **changes: Any
) -> TurnRequest:
    """A turn that learns these memories; each rests on the message unless it says otherwise."""
    request = scene.request(text, **changes)
    admitted, token = await scene.admit(request)
    assert admitted.known is not None
    rested = [replace(one, evidence_message_ids=(request.message_id,)) for one in memories]
    settlement = scene.settlement(
        request,
        admitted.known,
        token,
        memory_changes=tuple(MemoryChange("insert", one) for one in rested),
        answer=answer(request, reply, *rested),
    )
    said = replace(settlement.reply, text=reply, surfaced_memory_ids=surfaced)
    assert await scene.store.settle(replace(settlement, reply=said)) is SettleOutcome.SETTLED
    return request


async def edited(scene: Scene, asked: UUID | None, decide: Edit) -> MemoryEdit:
    """Edit; what was decided."""
    return (await scene.store.edit_memories(scene.user_id, asked, decide))[1]


async def forget(scene: Scene, policy: Forgetting, message_id: UUID, now: datetime = START) -> MemoryEdit:
    """Forget a message."""
    return await edited(scene, message_id, lambda known: forget_message(policy, known, now))


async def unforget(scene: Scene, message_id: UUID, now: datetime = SOON) -> MemoryEdit:
    """Take it back."""
    return await edited(scene, message_id, lambda known: unforget_message(known, now))


async def texts(scene: Scene) -> list[str | None]:
    """What the history shows, but the greeting."""
    page, _ = await scene.store.messages(scene.user_id, scene.conversation_id, 200, None)
    return [line.text for line in page][2:]


async def everything(scene: Scene) -> list[Memory]:
    """All memories."""
    return await scene.store.memories(scene.user_id, include_inactive=True)


async def test_a_forgotten_message_takes_its_memories_and_its_answer_along(house: House, policy: Forgetting) -> None:
    """FORGET-01, FORGET-03, FORGET-04."""
    scene = await meet(house.store, house.ids)
    city = scene.memory("fact:current_city", "Lisbon")
    past = scene.memory("fact:home_city", "Lisbon", status=MemoryStatus.SUPERSEDED)
    told = await tell(scene, "I live in Lisbon", city, past, reply="Lisbon is lovely.")
    await tell(scene, "the weather is fine", reply="So it is.")
    edit = await forget(scene, policy, told.message_id)
    assert len(edit.hide) == 2
    assert await texts(scene) == [None, None, "the weather is fine", "So it is."]
    kept = {one.memory_key: one for one in await everything(scene)}
    memory = kept["fact:current_city"]
    assert (memory.status, memory.invalid_reason) == (MemoryStatus.INVALID, "message_forgotten")
    assert kept["fact:home_city"].status is MemoryStatus.SUPERSEDED
    assert await scene.store.evidence(scene.user_id, city.memory_id) == []
    assert "Lisbon" not in str(await scene.store.export_user(scene.user_id))
    admitted, _ = await scene.admit(told)
    assert admitted.outcome is AdmitOutcome.REPLAY
    assert "Lisbon" not in str(admitted.answer)
    assert (await forget(scene, policy, told.message_id)).is_empty


async def test_taken_back_all_is_as_it_was(house: House, policy: Forgetting) -> None:
    """S-17."""
    scene = await meet(house.store, house.ids)
    city = scene.memory("fact:current_city", "Lisbon")
    told = await tell(scene, "I live in Lisbon", city, reply="Lisbon is lovely.")
    before = (await texts(scene), await everything(scene), await scene.store.export_user(scene.user_id))
    stored = await scene.store.answer_of(scene.user_id, told.message_id)
    await forget(scene, policy, told.message_id)
    await unforget(scene, told.message_id)
    assert (await texts(scene), await everything(scene), await scene.store.export_user(scene.user_id)) == before
    assert await scene.store.answer_of(scene.user_id, told.message_id) == stored
    assert (await unforget(scene, told.message_id)).is_empty


async def test_too_late_to_take_back(house: House, policy: Forgetting) -> None:
    scene = await meet(house.store, house.ids)
    told = await tell(scene, "I live in Lisbon", scene.memory("fact:current_city", "Lisbon"))
    await forget(scene, policy, told.message_id)
    with pytest.raises(ConflictError, match="over"):
        await unforget(scene, told.message_id, LATE)
    whose = [scene.user_id]
    assert (await scene.store.purge_forgotten(SOON, whose)).messages == 0
    purged = await scene.store.purge_forgotten(LATE, whose)
    assert (purged.messages, purged.memories) == (2, 1)
    assert (await scene.store.purge_forgotten(LATE, whose)).messages == 0
    with pytest.raises(ConflictError, match="over"):
        await unforget(scene, told.message_id, SOON)
    assert await everything(scene) == []
    assert (await texts(scene)) == [None, None]
    admitted, _ = await scene.admit(told)
    assert admitted.outcome is AdmitOutcome.CONFLICT


async def test_other_evidence_keeps_a_memory(house: House, policy: Forgetting) -> None:
    """C-34: the id leaves; with the last one goes the memory, and comes back with any of them."""
    scene = await meet(house.store, house.ids)
    ramen = scene.memory("pref:food:ramen", "like|ramen", type="PREFERENCE")
    first = await tell(scene, "I like ramen", ramen)
    second = await tell(scene, "ramen is still what I like best")
    both = replace(ramen, evidence_message_ids=(first.message_id, second.message_id))
    await scene.say("yes", memory_changes=(MemoryChange("update", both),))
    edit = await forget(scene, policy, first.message_id)
    assert [change.memory.status for change in edit.changes] == [MemoryStatus.ACTIVE]
    assert [one.evidence_message_ids for one in await everything(scene)] == [(second.message_id,)]
    await forget(scene, policy, second.message_id)
    assert [one.status for one in await everything(scene)] == [MemoryStatus.INVALID]
    await unforget(scene, first.message_id)
    [memory] = await everything(scene)
    assert (memory.status, memory.evidence_message_ids) == (MemoryStatus.ACTIVE, (first.message_id,))
    await unforget(scene, second.message_id)
    [memory] = await everything(scene)
    assert set(memory.evidence_message_ids) == {first.message_id, second.message_id}


async def test_neighbours_and_onboarding_stay(house: House, policy: Forgetting) -> None:
    """C-34, FORGET-04: context ids are just removed; what onboarding gave loses evidence and stays."""
    scene = await meet(house.store, house.ids)
    near = await tell(scene, "the bus was late")
    size = scene.memory("body_params:size", "M", type="body_params", context_message_ids=(near.message_id,))
    job = scene.memory("fact:occupation", "student", extracted_from=ExtractedFrom.ONBOARDING)
    told = await tell(scene, "my size is M", size, job)
    await forget(scene, policy, near.message_id)
    kept = {one.memory_key: one for one in await everything(scene)}
    assert kept["body_params:size"].context_message_ids == ()
    assert kept["body_params:size"].evidence_message_ids == (told.message_id,)
    await forget(scene, policy, told.message_id)
    kept = {one.memory_key: one for one in await everything(scene)}
    assert kept["body_params:size"].status is MemoryStatus.INVALID
    assert (kept["fact:occupation"].status, kept["fact:occupation"].evidence_message_ids) == (MemoryStatus.ACTIVE, ())


async def test_the_answer_to_a_forgotten_message_stands_around_nothing(house: House, policy: Forgetting) -> None:
    """C-34: it is hidden with the message, so what was told right after it does not name it; taken back, it does."""
    scene = await meet(house.store, house.ids)
    first = await tell(scene, "the heron of our balcony came")
    page, _ = await scene.store.messages(scene.user_id, scene.conversation_id, 200, None)
    reply = page[-1].message_id
    await tell(
        scene, "my size is M", scene.memory("body_params:size", "M", type="body_params", context_message_ids=(reply,))
    )
    edit = await forget(scene, policy, first.message_id)
    assert reply in edit.hide
    [memory] = await everything(scene)
    assert (memory.status, memory.context_message_ids) == (MemoryStatus.ACTIVE, ())
    await unforget(scene, first.message_id)
    [memory] = await everything(scene)
    assert memory.context_message_ids == (reply,)


async def test_what_repeats_it_later_goes_too(house: House, policy: Forgetting) -> None:
    """FORGET-03: by a memory, by words in a row, by a rare long word; other words stay."""
    scene = await meet(house.store, house.ids)
    city = scene.memory("fact:current_city", "Lisbon")
    told = await tell(scene, "I moved to Lisbon, xylophonia forever", city)
    await tell(scene, "hm", reply="You know that town.", surfaced=(city.memory_id,))
    await tell(scene, "well", reply="Forever xylophonia!")
    await tell(scene, "so", reply="Did you say I moved to somewhere?")
    await tell(scene, "fine", reply="The sun is out.")
    edit = await forget(scene, policy, told.message_id)
    assert len(edit.hide) == 5
    assert [text for text in await texts(scene) if text] == ["hm", "well", "so", "fine", "The sun is out."]
    await unforget(scene, told.message_id)
    assert None not in await texts(scene)


async def test_two_forgettings_of_one_reply(house: House, policy: Forgetting) -> None:
    """What two messages hide comes back when both are taken back."""
    scene = await meet(house.store, house.ids)
    one = await tell(scene, "the heron of our balcony came")
    two = await tell(scene, "the heron of our garden came", reply="The heron of our balcony, the heron of our garden!")
    await forget(scene, policy, one.message_id)
    await forget(scene, policy, two.message_id, SOON)
    await unforget(scene, one.message_id)
    assert (await texts(scene))[-1] is None
    await unforget(scene, two.message_id)
    assert (await texts(scene))[-1] == "The heron of our balcony, the heron of our garden!"
    found = await scene.store.answer_of(scene.user_id, two.message_id)
    assert found is not None
    assert "our garden!" in str(found[1])


async def test_a_memory_whose_key_was_taken_comes_back_as_superseded(house: House, policy: Forgetting) -> None:
    scene = await meet(house.store, house.ids)
    old, new = scene.memory("fact:current_city", "Lisbon"), scene.memory("fact:current_city", "Porto")
    told = await tell(scene, "I live in Lisbon", old)
    await forget(scene, policy, told.message_id)
    await tell(scene, "I live in Porto", new)
    await unforget(scene, told.message_id)
    kept = {one.memory_id: one for one in await everything(scene)}
    assert (kept[old.memory_id].status, kept[old.memory_id].superseded_by) == (MemoryStatus.SUPERSEDED, new.memory_id)
    assert kept[new.memory_id].status is MemoryStatus.ACTIVE


async def test_the_newest_truth_wins_among_those_that_come_back(house: House, policy: Forgetting) -> None:
    """S-17: taken back in any order, what was said last is what is so."""
    scene = await meet(house.store, house.ids)
    old = scene.memory("fact:current_city", "Lisbon")
    new = scene.memory("fact:current_city", "Porto", created_at=SOON, last_confirmed_at=SOON)
    first = await tell(scene, "I live in Lisbon", old)
    await forget(scene, policy, first.message_id)
    second = await tell(scene, "I live in Porto", new, received_at=SOON)
    await forget(scene, policy, second.message_id, SOON)
    await unforget(scene, first.message_id)
    await unforget(scene, second.message_id)
    kept = {one.memory_id: one for one in await everything(scene)}
    assert kept[new.memory_id].status is MemoryStatus.ACTIVE
    assert (kept[old.memory_id].status, kept[old.memory_id].superseded_by) == (MemoryStatus.SUPERSEDED, new.memory_id)


async def test_what_was_replaced_and_denied_meanwhile_does_not_come_back(house: House, policy: Forgetting) -> None:
    """Lisbon, forgotten; Porto, denied; Lisbon taken back: it was over before it was forgotten for good."""
    scene = await meet(house.store, house.ids)
    old = scene.memory("fact:current_city", "Lisbon")
    new = scene.memory("fact:current_city", "Porto", created_at=SOON, last_confirmed_at=SOON)
    told = await tell(scene, "I live in Lisbon", old)
    await forget(scene, policy, told.message_id)
    await tell(scene, "I live in Porto", new, received_at=SOON)

    def deny(known: Remembered) -> MemoryEdit:
        memory = known.memory(new.memory_id)
        assert memory is not None
        denied = replace(memory, status=MemoryStatus.INVALID, invalid_reason="denied")
        return MemoryEdit(changes=(MemoryChange("update", denied),))

    await edited(scene, None, deny)
    await unforget(scene, told.message_id)
    kept = {one.memory_id: one for one in await everything(scene)}
    assert (kept[old.memory_id].status, kept[old.memory_id].superseded_by) == (MemoryStatus.SUPERSEDED, new.memory_id)


async def test_a_deleted_memory_is_erased_with_the_past_of_its_key(house: House, policy: Forgetting) -> None:
    """CORR-08: INVALID and suppressed at once; erased from tables and stored answers when the time is over."""
    scene = await meet(house.store, house.ids)
    new = scene.memory("fact:current_city", "Porto")
    old = scene.memory("fact:current_city", "Lisbon", status=MemoryStatus.SUPERSEDED, superseded_by=new.memory_id)
    told = await tell(scene, "not Lisbon, Porto", old, new, reply="Good.")
    await edited(scene, None, lambda known: delete_memory(policy, known, new.memory_id, START))
    kept = {one.memory_id: one for one in await everything(scene)}
    assert (kept[new.memory_id].status, kept[new.memory_id].invalid_reason) == (MemoryStatus.INVALID, "deleted")
    assert (await scene.store.user(scene.user_id))[1].suppressed_memory_keys == ("fact:current_city",)
    assert (await scene.store.purge_forgotten(LATE, [scene.user_id])).memories == 2
    assert await everything(scene) == []
    found = await scene.store.answer_of(scene.user_id, told.message_id)
    assert found is not None
    assert found[1] is not None
    assert found[1]["memory"] == {"created": [], "confirmed": []}
    assert found[1]["reply"] == {"text": "Good."}


async def test_a_memory_deleted_while_its_message_is_forgotten_stays_deleted(house: House, policy: Forgetting) -> None:
    """The message comes back, and the key may be learned again; what was deleted does not come back with them."""
    scene = await meet(house.store, house.ids)
    city = scene.memory("fact:current_city", "Lisbon")
    told = await tell(scene, "I live in Lisbon", city)
    await forget(scene, policy, told.message_id)
    await edited(scene, None, lambda known: delete_memory(policy, known, city.memory_id, START))
    await edited(scene, None, lambda _: MemoryEdit(unsuppress=("fact:current_city",)))
    await unforget(scene, told.message_id)
    assert [(one.status, one.invalid_reason) for one in await everything(scene)] == [(MemoryStatus.INVALID, "deleted")]


async def test_keys_are_suppressed_once_and_let_go(house: House) -> None:
    scene = await meet(house.store, house.ids)
    for keys in (("pref:food:sushi",), ("pref:food:sushi", "allergy:nickel")):
        await edited(scene, None, lambda _, keys=keys: MemoryEdit(suppress=keys))
    assert set((await scene.store.user(scene.user_id))[1].suppressed_memory_keys) == {
        "pref:food:sushi",
        "allergy:nickel",
    }
    await edited(scene, None, lambda _: MemoryEdit(unsuppress=("pref:food:sushi",)))
    assert (await scene.store.user(scene.user_id))[1].suppressed_memory_keys == ("allergy:nickel",)


async def test_forgetting_between_admit_and_settle_wins(house: House, policy: Forgetting) -> None:
    scene = await meet(house.store, house.ids)
    told = await tell(scene, "I live in Lisbon", scene.memory("fact:current_city", "Lisbon"))
    request = scene.request("and now?")
    admitted, token = await scene.admit(request)
    assert admitted.known is not None
    with pytest.raises(ConflictError, match="still being answered"):
        await forget(scene, policy, request.message_id)
    await forget(scene, policy, told.message_id)
    assert await house.store.settle(scene.settlement(request, admitted.known, token)) is SettleOutcome.STALE_MEMORY
    known = await house.store.reread(request, token, 40, 20)
    assert known is not None
    assert known.memories == ()
    assert "Lisbon" not in str(known.history)


async def test_unknown_people_and_messages(house: House, policy: Forgetting) -> None:
    """S-13."""
    scene, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    told = await tell(scene, "I live in Lisbon")
    stranger = house.ids.uuid()
    for user_id, message_id in ((other.user_id, told.message_id), (scene.user_id, stranger), (stranger, stranger)):
        with pytest.raises(NotFoundError):
            await house.store.edit_memories(user_id, message_id, lambda known: forget_message(policy, known, START))
    for ask in (house.store.export_user(stranger), house.store.erase_user(stranger, START)):
        with pytest.raises(NotFoundError):
            await ask
    with pytest.raises(NotFoundError):
        await house.store.evidence(scene.user_id, stranger)


async def test_an_erased_person_is_gone_and_stays_gone(house: House) -> None:
    """C-68: also for a turn under way, and for whoever makes the same id again."""
    scene = await meet(house.store, house.ids)
    told = await tell(scene, "I live in Lisbon", scene.memory("fact:current_city", "Lisbon"))
    request = scene.request("and now?")
    admitted, token = await scene.admit(request)
    assert admitted.known is not None
    erased = await house.store.erase_user(scene.user_id, START)
    assert erased["messages"] == 5
    assert erased["memories"] == 1
    assert await house.store.settle(scene.settlement(request, admitted.known, token)) is SettleOutcome.STALE_MEMORY
    assert await house.store.reread(request, token, 40, 20) is None
    assert (await scene.admit(told))[0].outcome is AdmitOutcome.NOT_FOUND
    with pytest.raises(NotFoundError):
        await house.store.user(scene.user_id)
    with pytest.raises(NotFoundError):
        await house.store.owner_of_conversation(scene.conversation_id)
    with pytest.raises(ConflictError, match="erased"):
        await house.store.create_user(scene.user_id, START)
    with pytest.raises(NotFoundError):
        await house.store.user(scene.user_id)


async def test_an_export_has_the_sections_of_the_contract(house: House) -> None:
    scene = await meet(house.store, house.ids)
    city = scene.memory("fact:current_city", "Lisbon")
    told = await tell(scene, "I live in Lisbon", city)
    exported = await house.store.export_user(scene.user_id)
    assert set(exported) >= {"user", "controls", "friends", "messages", "memories", "corrections", "retention"}
    assert exported["user"]["user_state"] == "ACTIVE"
    assert exported["controls"]["intimate_mode"] is False
    assert [one["ai_friend_id"] for one in exported["friends"]] == [str(scene.ai_friend_id)]
    assert [one["text"] for one in exported["messages"]][-2:] == ["I live in Lisbon", "I see."]
    assert str(told.message_id) in [one["message_id"] for one in exported["messages"]]
    [memory] = exported["memories"]
    assert (memory["memory_id"], memory["memory_value"]) == (str(city.memory_id), "Lisbon")
