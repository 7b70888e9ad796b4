"""What every store must tell of a turn that is not taken: the same as at the door, and nothing written (LIFE-11)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.store.conftest import House

from chingoo.errors import NotFoundError
from chingoo.model.enums import CrisisLevel, Mode, UserState
from chingoo.model.people import MemoryChange
from chingoo.model.turn import CrisisLogRow, Known
from chingoo.ports.people import AnswersPatch
from chingoo.testing.scenes import REQUIRED, START, Scene, befriend, meet

LATER = START + timedelta(hours=1)


async def foreseen(scene: Scene, history_limit: int = 40, reply_window: int = 20) -> Known:
    return await scene.store.foresee(
        scene.user_id, scene.ai_friend_id, LATER, REQUIRED, history_limit=history_limit, reply_window=reply_window
    )


async def test_it_is_what_the_turn_is_told(house: House) -> None:
    scene = await meet(house.store, house.ids)
    changes = {"intimate_mode": True, "suppressed_memory_keys": ["fact:home_city"]}
    await house.store.patch_controls(scene.user_id, changes, START)
    await scene.say("close to you", mode=Mode.INTIMATE)
    await scene.say(memory_changes=(MemoryChange("insert", scene.memory()),))
    await scene.say("very dark", crisis=CrisisLogRow(CrisisLevel.CONTEXT, ("a",), "en"))
    await (await befriend(house.store, house.ids, scene.user_id)).say("of another friend")
    told = await foreseen(scene, history_limit=3, reply_window=1)
    admitted, _ = await scene.admit(scene.request(received_at=LATER), history_limit=3, reply_window=1)
    assert told == admitted.known
    assert len(told.history) == 5, "three of friend mode, two of the other"
    assert told.pending_extraction_count == 3, "no batch learns from intimate mode"


@pytest.mark.parametrize("missing", [(), ("age_band",)])
async def test_the_first_message_would_activate(house: House, missing: tuple[str, ...]) -> None:
    """ONB-07, ONB-08: and asking for it does not."""
    scene = await meet(house.store, house.ids, active=False)
    await house.store.patch_onboarding(scene.user_id, AnswersPatch(dict.fromkeys(missing)), START)
    told = await foreseen(scene)
    assert (told.missing, told.activated, told.user.state) == (missing, not missing, UserState.ONBOARDING)
    assert (await house.store.user(scene.user_id))[0].state is UserState.ONBOARDING
    if not missing:
        admitted, _ = await scene.admit(scene.request(received_at=LATER))
        assert admitted.known is not None
        assert replace(admitted.known, relationship=told.relationship) == told


async def test_it_waits_for_nobody(house: House) -> None:
    """A message that is being answered is no line yet, and holds nothing up; time does not run back (S-22)."""
    scene = await meet(house.store, house.ids)
    held = scene.request("not answered yet", received_at=LATER + timedelta(hours=1))
    await scene.admit(held)
    told = await foreseen(scene)
    assert [line.text for line in told.history] == ["hello", "About that: hello"]
    assert told.received_at == held.received_at


async def test_nobody_else_is_told(house: House) -> None:
    scene, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    for user_id, friend_id in (
        (scene.user_id, other.ai_friend_id),
        (other.user_id, scene.ai_friend_id),
        (house.ids.uuid(), scene.ai_friend_id),
        (scene.user_id, house.ids.uuid()),
    ):
        with pytest.raises(NotFoundError):
            await scene.store.foresee(user_id, friend_id, LATER, REQUIRED, 40, 20)
