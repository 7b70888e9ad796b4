"""What every store must hold about leases: one turn at a time, take-over, and no late writer (S-02, S-04)."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from tests.store.conftest import House

from chingoo.model.enums import (
    AgeBand,
    CrisisLevel,
    Mode,
)
from chingoo.model.people import MemoryChange
from chingoo.model.turn import AdmitOutcome, CrisisLogRow, GuardLogRow, SettleOutcome
from chingoo.testing.scenes import START, befriend, meet

SHORT = 0.05
"""Seconds of a lease that a test lets run out."""


async def test_one_turn_at_a_time_in_a_conversation(house: House) -> None:
    """S-02, S-04: the same message and another one both find it busy; another conversation does not."""
    scene = await meet(house.store, house.ids)
    await scene.admit(request := scene.request(), lease_seconds=30)
    for busy in (request, scene.request("and another")):
        admitted, _ = await scene.admit(busy)
        assert admitted.outcome is AdmitOutcome.BUSY
        assert 25 < admitted.retry_after_s <= 30
    assert (await scene.admit(replace(request, text="changed")))[0].outcome is AdmitOutcome.CONFLICT
    second = await befriend(house.store, house.ids, scene.user_id)
    assert (await second.admit(second.request()))[0].outcome is AdmitOutcome.ADMITTED


async def test_a_busy_message_is_not_written_down(house: House) -> None:
    scene = await meet(house.store, house.ids)
    first, token = await scene.admit(request := scene.request())
    await scene.admit(later := scene.request("and another"))
    assert await house.store.answer_of(scene.user_id, later.message_id) is None
    assert first.known is not None
    assert await house.store.settle(scene.settlement(request, first.known, token)) is SettleOutcome.SETTLED
    assert (await scene.admit(later))[0].outcome is AdmitOutcome.ADMITTED


async def test_the_same_token_asks_twice(house: House) -> None:
    """A connection that breaks after the commit makes the store ask again; the lease is recognised as its own."""
    scene = await meet(house.store, house.ids)
    _, token = await scene.admit(request := scene.request())
    assert (await scene.admit(request, lease_token=token))[0].outcome is AdmitOutcome.ADMITTED


async def test_an_expired_lease_is_taken_over(house: House) -> None:
    """S-02: the late holder writes nothing; the message is answered once."""
    scene = await meet(house.store, house.ids)
    slow, late_token = await scene.admit(request := scene.request(), lease_seconds=SHORT)
    await house.wait(2 * SHORT)
    quick, token = await scene.admit(request)
    assert slow.known is not None
    assert quick.known is not None
    late = scene.settlement(request, slow.known, late_token, answer={"late": True})
    assert await house.store.settle(late) is SettleOutcome.LEASE_LOST
    assert await house.store.answer_of(scene.user_id, request.message_id) == ("PROCESSING", None)
    assert await house.store.reread(request, late_token) is None
    await house.store.release(request, late_token)
    assert (await scene.admit(request))[0].outcome is AdmitOutcome.BUSY
    settlement = scene.settlement(request, quick.known, token)
    assert await house.store.settle(settlement) is SettleOutcome.SETTLED
    assert await house.store.settle(late) is SettleOutcome.LEASE_LOST
    assert (await house.store.answer_of(scene.user_id, request.message_id)) == ("COMPLETED", settlement.answer)


async def test_a_late_settle_leaves_no_trace(house: House) -> None:
    """Whatever it would have written: memory, band, logs, calls, decision."""
    scene = await meet(house.store, house.ids)
    slow, late_token = await scene.admit(request := scene.request(), lease_seconds=SHORT)
    await house.wait(2 * SHORT)
    await scene.admit(scene.request("somebody else's turn"))
    assert slow.known is not None
    before = await house.store.user(scene.user_id), await house.store.friend(scene.user_id, scene.ai_friend_id)
    late = scene.settlement(
        request,
        slow.known,
        late_token,
        memory_changes=(MemoryChange("insert", scene.memory()),),
        crisis=CrisisLogRow(CrisisLevel.HIGH_RISK, ("phrase",), "en"),
        guard=GuardLogRow("minors", "en"),
        lower_age_band_to=AgeBand.B13_17,
        claimed_under_13=True,
        disclosed_at=START,
    )
    assert await house.store.settle(late) is SettleOutcome.LEASE_LOST
    assert (
        await house.store.user(scene.user_id),
        await house.store.friend(scene.user_id, scene.ai_friend_id),
    ) == before
    assert await house.store.memories(scene.user_id, include_inactive=True) == []
    assert len((await house.store.decisions(scene.user_id, None, None, 50, None)).items) == 1
    for kind in ("crisis", "guardrail"):
        assert (await house.store.audit(kind, scene.user_id, None, 50, None)).items == ()


async def test_an_abandoned_message_waits_outside_the_history(house: House) -> None:
    """S-02: another message takes the conversation over; the first stays PROCESSING until its id comes again."""
    scene = await meet(house.store, house.ids)
    await scene.admit(abandoned := scene.request("abandoned"), lease_seconds=SHORT)
    await house.wait(2 * SHORT)
    _, known = await scene.say("the next one", received_at=START + timedelta(minutes=5))
    assert [line.text for line in known.history] == ["hello", "About that: hello"]
    assert await house.store.answer_of(scene.user_id, abandoned.message_id) == ("PROCESSING", None)
    _, known = await scene.say("abandoned", message_id=abandoned.message_id)
    assert known.received_at == START + timedelta(minutes=5)
    page, _ = await house.store.messages(scene.user_id, scene.conversation_id, 50, None)
    assert [line.text for line in page][-4:] == [
        "the next one",
        "About that: the next one",
        "abandoned",
        "About that: abandoned",
    ]
    assert [line.created_at for line in page] == sorted(line.created_at for line in page)


async def test_released_the_message_can_be_taken_up_at_once(house: House) -> None:
    scene = await meet(house.store, house.ids)
    _, token = await scene.admit(request := scene.request(), lease_seconds=60)
    await house.store.release(request, token)
    await house.store.release(request, token)
    assert (await scene.admit(request))[0].outcome is AdmitOutcome.ADMITTED


async def test_time_never_goes_back_in_a_conversation(house: House) -> None:
    scene = await meet(house.store, house.ids)
    await scene.say(received_at=START + timedelta(hours=2))
    _, known = await scene.say("earlier, by its own account", received_at=START)
    assert known.received_at == START + timedelta(hours=2)


async def test_stuck_turns_are_found_by_the_clock_of_the_store(house: House) -> None:
    scene, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    request = scene.request("stuck", mode=Mode.FRIEND, client_locale="ko-KR", client_timezone="Asia/Seoul")
    await scene.admit(request, lease_seconds=SHORT)
    await other.admit(live := other.request("live"), lease_seconds=60)
    await house.wait(2 * SHORT)
    both = [scene.user_id, other.user_id]
    assert await house.store.stuck_turns(SHORT, 10, both) == [request]
    assert await house.store.stuck_turns(SHORT, 10, [other.user_id]) == []
    assert await house.store.stuck_turns(3600, 10, both) == []
    assert request in await house.store.stuck_turns(SHORT, 1000, None)
    assert live not in await house.store.stuck_turns(0, 1000, None)


async def test_parallel_duplicates_are_admitted_once(house: House) -> None:
    """LIFE-01, S-02: fifty at once, one gets in."""
    scene = await meet(house.store, house.ids)
    request = scene.request()
    admitted = await asyncio.gather(*(scene.admit(request) for _ in range(50)))
    outcomes = [each.outcome for each, _ in admitted]
    assert outcomes.count(AdmitOutcome.ADMITTED) == 1
    assert outcomes.count(AdmitOutcome.BUSY) == 49


async def test_parallel_first_messages_activate_once(house: House) -> None:
    """ONB-07: of two first messages to two friends, one activates, and the other is an ordinary turn."""
    scene = await meet(house.store, house.ids, active=False)
    second = await befriend(house.store, house.ids, scene.user_id)
    (one, _), (other, _) = await asyncio.gather(scene.admit(scene.request()), second.admit(second.request()))
    assert one.known is not None
    assert other.known is not None
    assert sorted([one.known.activated, other.known.activated]) == [False, True]


async def test_a_waiting_message_sees_the_turn_it_waited_for(house: House) -> None:
    """A statement that waited for the lease must not answer from what was known before it waited."""
    scene = await meet(house.store, house.ids)
    for round_ in range(10):
        first, token = await scene.admit(request := scene.request(f"first {round_}"))
        assert first.known is not None
        settle = house.store.settle(scene.settlement(request, first.known, token))
        _, *rest = await asyncio.gather(settle, *(scene.admit(scene.request(f"next {round_} {n}")) for n in range(4)))
        for admitted, its_token in rest:
            if admitted.outcome is AdmitOutcome.ADMITTED:
                assert admitted.known is not None
                assert admitted.known.history[-1].text == f"About that: first {round_}"
                await house.store.release(scene.request(), its_token)
