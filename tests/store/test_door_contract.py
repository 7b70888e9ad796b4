"""What every store must do at the door of a turn: who is let in, who is told what, and what is known (LIFE, ONB)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.store.conftest import House

from chingoo.errors import InvalidInputError
from chingoo.model.enums import (
    CrisisLevel,
    Mode,
    Source,
    UserState,
)
from chingoo.model.turn import AdmitOutcome, Attempt, CrisisLogRow, GuardLogRow, SettleOutcome
from chingoo.ports.people import AnswersPatch
from chingoo.testing.scenes import ANSWERS, START, Scene, befriend, meet

SHORT = 0.05
"""Seconds of a lease that a test lets run out."""


async def test_an_active_user_is_admitted(house: House) -> None:
    scene = await meet(house.store, house.ids)
    request = scene.request()
    admitted, _ = await scene.admit(request)
    assert admitted.outcome is AdmitOutcome.ADMITTED
    known = admitted.known
    assert known is not None
    assert known.friend is not None
    assert (known.user.state, known.activated, known.missing) == (UserState.ACTIVE, False, ())
    assert (known.friend.ai_friend_id, known.friend.name) == (scene.ai_friend_id, "Nabi")
    assert [line.text for line in known.history] == ["hello", "About that: hello"]
    assert known.turn_seq == 1
    assert await house.store.answer_of(scene.user_id, request.message_id) == ("PROCESSING", None)


async def test_the_first_message_activates(house: House) -> None:
    """ONB-07, ONB-11, C-10."""
    scene = await meet(house.store, house.ids, active=False)
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    assert (admitted.known.user.state, admitted.known.activated) == (UserState.ONBOARDING, True)
    assert (await house.store.user(scene.user_id))[0].state is UserState.ACTIVE
    assert (await house.store.friend(scene.user_id, scene.ai_friend_id))[1].last_interaction_at == START
    await house.store.settle(scene.settlement(request, admitted.known, token))
    assert (await scene.admit(scene.request()))[0].known is not None
    _, known = await befriended(scene)
    assert (known.user.state, known.activated) == (UserState.ACTIVE, False)


async def befriended(scene: Scene):  # type: ignore[no-untyped-def]
    """A turn with a second friend."""
    return await (await befriend(scene.store, scene.ids, scene.user_id)).say()


async def test_an_activating_turn_taken_up_again_still_runs_as_onboarding(house: House) -> None:
    """A crash between activation and answer must not change what the turn is (C-10, ONB-10)."""
    scene = await meet(house.store, house.ids, active=False)
    await scene.admit(request := scene.request(), lease_seconds=SHORT)
    await house.wait(2 * SHORT)
    admitted, token = await scene.admit(request)
    assert admitted.known is not None
    assert (admitted.known.user.state, admitted.known.activated) == (UserState.ONBOARDING, True)
    again = await house.store.reread(request, token)
    assert again is not None
    assert (again.user.state, again.activated) == (UserState.ONBOARDING, True)


@pytest.mark.parametrize("missing", [["preferred_name"], ["age_band", "client_timezone"]])
async def test_incomplete_answers_leave_no_row(house: House, missing: list[str]) -> None:
    """ONB-08, ONB-09: with the answers given, the same id is new."""
    scene = await meet(house.store, house.ids, active=False)
    await house.store.patch_onboarding(scene.user_id, AnswersPatch(dict.fromkeys(missing)), START)
    admitted, _ = await scene.admit(request := scene.request())
    assert admitted.outcome is AdmitOutcome.NOT_READY
    assert admitted.known is not None
    assert list(admitted.known.missing) == missing
    assert await house.store.answer_of(scene.user_id, request.message_id) is None
    answers = AnswersPatch({name: ANSWERS[name] for name in missing})
    await house.store.patch_onboarding(scene.user_id, answers, START)
    assert (await scene.admit(request))[0].outcome is AdmitOutcome.ADMITTED


async def test_without_a_persona_nobody_is_ready(house: House) -> None:
    """ONB-07 (3): the friend is missing, and is named."""
    user_id = house.ids.uuid()
    await house.store.create_user(user_id, START)
    await house.store.patch_onboarding(user_id, AnswersPatch(ANSWERS), START)
    scene = Scene(house.store, house.ids, user_id, house.ids.uuid(), house.ids.uuid())
    admitted, _ = await scene.admit(scene.request())
    assert (admitted.outcome, admitted.known and admitted.known.missing) == (AdmitOutcome.NOT_READY, ("persona",))


async def test_created_users_are_not_ready_whatever_they_name(house: House) -> None:
    """ONB-01; nothing is told of other people's conversations (S-13)."""
    other = await meet(house.store, house.ids)
    await house.store.create_user(user_id := house.ids.uuid(), START)
    scene = replace(other, user_id=user_id)
    admitted, _ = await scene.admit(scene.request())
    assert admitted.outcome is AdmitOutcome.NOT_READY
    assert admitted.known is not None
    assert admitted.known.user.state is UserState.CREATED


async def test_what_is_somebody_elses_is_not_found(house: House) -> None:
    """S-13."""
    scene, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    foreign = {
        "user": replace(scene, user_id=house.ids.uuid()),
        "friend": replace(scene, ai_friend_id=other.ai_friend_id),
        "conversation": replace(scene, conversation_id=other.conversation_id),
        "both": replace(other, user_id=scene.user_id),
    }
    second = await befriend(house.store, house.ids, scene.user_id)
    foreign["conversation of the other friend"] = replace(scene, conversation_id=second.conversation_id)
    for what, of_others in foreign.items():
        assert (await of_others.admit(of_others.request()))[0].outcome is AdmitOutcome.NOT_FOUND, what


async def test_a_completed_id_replays_or_conflicts(house: House) -> None:
    """LIFE-03, S-03."""
    scene = await meet(house.store, house.ids)
    request, _ = await scene.say()
    admitted, _ = await scene.admit(replace(request, received_at=START + timedelta(hours=9)))
    assert admitted.outcome is AdmitOutcome.REPLAY
    assert admitted.answer == {"message_id": str(request.message_id), "replayed": False}
    second = await befriend(house.store, house.ids, scene.user_id)
    await house.store.patch_controls(scene.user_id, {"intimate_mode": True}, START)
    for other in (
        replace(request, text="there is a red chair"),
        replace(request, ai_friend_id=second.ai_friend_id, conversation_id=second.conversation_id),
        replace(request, conversation_id=house.ids.uuid()),
        replace(request, ai_friend_id=second.ai_friend_id),
        replace(request, mode=Mode.INTIMATE),
        replace(request, source=Source.RETENTION),
    ):
        assert (await scene.admit(other))[0].outcome is AdmitOutcome.CONFLICT, other
    page, _ = await house.store.messages(scene.user_id, scene.conversation_id, 50, None)
    assert len(page) == 4


async def test_the_id_of_a_reply_is_taken(house: House) -> None:
    scene = await meet(house.store, house.ids)
    page, _ = await house.store.messages(scene.user_id, scene.conversation_id, 50, None)
    request = scene.request(page[-1].text or "", message_id=page[-1].message_id)
    assert (await scene.admit(request))[0].outcome is AdmitOutcome.CONFLICT
    assert await house.store.answer_of(scene.user_id, page[-1].message_id) is None


async def test_ids_of_two_users_do_not_meet(house: House) -> None:
    one, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    request, _ = await one.say()
    admitted, _ = await other.admit(other.request(message_id=request.message_id))
    assert admitted.outcome is AdmitOutcome.ADMITTED


async def test_intimate_mode_needs_its_control(house: House) -> None:
    """C-14; an intimate message already taken in may be closed by `reap`, and by nobody else."""
    scene = await meet(house.store, house.ids)
    request = scene.request(mode=Mode.INTIMATE)
    assert (await scene.admit(request))[0].outcome is AdmitOutcome.MODE_FORBIDDEN
    assert await house.store.answer_of(scene.user_id, request.message_id) is None
    await house.store.patch_controls(scene.user_id, {"intimate_mode": True}, START)
    admitted, token = await scene.admit(request)
    assert admitted.outcome is AdmitOutcome.ADMITTED
    await house.store.release(request, token)
    await house.store.patch_controls(scene.user_id, {"intimate_mode": False}, START)
    assert (await scene.admit(request))[0].outcome is AdmitOutcome.MODE_FORBIDDEN
    assert (await scene.admit(request, closing=True))[0].outcome is AdmitOutcome.ADMITTED


@pytest.mark.parametrize("text", ["a\0b", "half \ud83d of one"])
async def test_text_that_is_no_text_is_refused(house: House, text: str) -> None:
    scene = await meet(house.store, house.ids)
    with pytest.raises(InvalidInputError):
        await scene.admit(scene.request(text))


async def test_attempts_of_created_users_are_kept_apart(house: House) -> None:
    """C-12: the same id replays, then and once the user is ACTIVE; nothing enters the history."""
    user_id = house.ids.uuid()
    await house.store.create_user(user_id, START)
    scene = Scene(house.store, house.ids, user_id, house.ids.uuid(), house.ids.uuid())
    request = scene.request("a purple giraffe")
    assert await house.store.answer_of(user_id, request.message_id) is None
    crisis = CrisisLogRow(CrisisLevel.CONTEXT, ("giraffe",), "en")
    for answer in ({"n": 1}, {"n": 2}):
        await house.store.attempt(Attempt(request, answer, keep_answer=True, crisis=crisis))
    admitted, _ = await scene.admit(request)
    assert (admitted.outcome, admitted.answer) == (AdmitOutcome.REPLAY, {"n": 1})
    assert (await scene.admit(replace(request, text="a green one")))[0].outcome is AdmitOutcome.CONFLICT
    assert len((await house.store.audit("crisis", user_id, None, 50, None)).items) == 1
    assert await house.store.answer_of(user_id, request.message_id) == ("COMPLETED", {"n": 1})
    await house.store.patch_onboarding(user_id, AnswersPatch(ANSWERS), START)
    active = await befriend(house.store, house.ids, user_id)
    admitted, _ = await scene.admit(request)
    assert (admitted.outcome, admitted.answer) == (AdmitOutcome.REPLAY, {"n": 1})
    changed = active.request("a purple giraffe", message_id=request.message_id)
    assert (await active.admit(changed))[0].outcome is AdmitOutcome.CONFLICT
    assert await house.store.messages(user_id, active.conversation_id, 50, None) == ([], None)


async def test_attempts_of_incomplete_users_leave_only_their_log(house: House) -> None:
    """ONB-08, C-19: the id stays free."""
    scene = await meet(house.store, house.ids, active=False)
    request = scene.request()
    await house.store.attempt(Attempt(request, {}, keep_answer=False, guard=GuardLogRow("minors", "en")))
    await house.store.attempt(Attempt(request, {}, keep_answer=False, guard=GuardLogRow("minors", "en")))
    assert await house.store.answer_of(scene.user_id, request.message_id) is None
    assert len((await house.store.audit("guardrail", scene.user_id, None, 50, None)).items) == 1
    admitted, token = await scene.admit(request)
    assert admitted.known is not None
    again = scene.settlement(request, admitted.known, token, guard=GuardLogRow("minors", "en"))
    assert await house.store.settle(again) is SettleOutcome.SETTLED
    assert len((await house.store.audit("guardrail", scene.user_id, None, 50, None)).items) == 1
