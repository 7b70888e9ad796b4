"""What every store must write at the end of a turn: everything or nothing (TURN-13, MEM, S-15)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.store.conftest import House

from chingoo.errors import StoreRefusedError
from chingoo.model.corrections import CorrectionType
from chingoo.model.enums import (
    AgeBand,
    CrisisLevel,
    ExtractedFrom,
    MemoryStatus,
    Mode,
    ReplyOrigin,
    Role,
    Source,
    TopicID,
)
from chingoo.model.people import MemoryChange, Spending
from chingoo.model.turn import CorrectionRow, CrisisLogRow, GuardLogRow, LlmCallRow, ReplyRow, SettleOutcome
from chingoo.ports.people import AnswersPatch
from chingoo.testing.scenes import START, befriend, meet


async def test_settle_writes_both_sides_and_all_that_goes_with_them(house: House) -> None:
    scene = await meet(house.store, house.ids)
    surfaced, candidate = scene.ids.uuid(), scene.ids.uuid()
    _, known = await scene.say(
        "i like jazz",
        reply=ReplyRow(
            scene.ids.uuid(), "Jazz it is.", ReplyOrigin.OFFLINE, rewritten=True, surfaced_memory_ids=(surfaced,)
        ),
        extracted_memory_candidate_ids=(candidate,),
        llm_calls=(LlmCallRow(scene.ids.uuid(), "reply", "openai", "voice", 100, 20, 431.5, 0.001, None),),
        disclosed_at=START,
    )
    page, following = await house.store.messages(scene.user_id, scene.conversation_id, 2, None)
    assert following is not None
    asked, answered = page
    assert (asked.role, asked.text, asked.created_at, asked.origin) == (Role.USER, "i like jazz", START, None)
    assert asked.extracted_memory_candidate_ids == (candidate,)
    assert (answered.role, answered.text, answered.origin) == (Role.ASSISTANT, "Jazz it is.", ReplyOrigin.OFFLINE)
    assert answered.surfaced_memory_ids == (surfaced,)
    _, relationship = await house.store.friend(scene.user_id, scene.ai_friend_id)
    assert relationship.rapport_score == known.relationship.rapport_score + 1
    _, known = await scene.say("and now")
    assert known.turn_seq == 2
    assert known.disclosure.last_disclosed_at == START
    assert known.history[-2:] == tuple(page)
    assert known.recent_replies == ("About that: hello", "Jazz it is.")


async def test_spending_counts_the_calls_of_the_last_hours(house: House) -> None:
    """S-21: of this user alone, by the database's clock."""
    scene, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    for who, cost in ((scene, 0.25), (scene, 0.5), (other, 4.0), (scene, 0.0)):
        await who.say(
            "hi", llm_calls=(LlmCallRow(house.ids.uuid(), "reply", "openai", "voice", 1, 1, 1.0, cost, None),)
        )
    spent = await house.store.spending(scene.user_id, 24)
    assert spent.usd == 0.75
    assert 23 * 3600 < spent.eases_in_s <= 24 * 3600
    assert await house.store.spending(house.ids.uuid(), 24) == Spending(0.0, 0.0)


async def test_a_settled_turn_is_settled_for_good(house: House) -> None:
    scene = await meet(house.store, house.ids)
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    settlement = scene.settlement(request, admitted.known, token)
    assert await house.store.settle(settlement) is SettleOutcome.SETTLED
    other = scene.settlement(request, admitted.known, token)
    assert await house.store.settle(other) is SettleOutcome.LEASE_LOST


async def test_histories_of_the_two_modes_are_gathered_apart(house: House) -> None:
    """PERS-32: the limit is per mode, the order is that of the conversation."""
    scene = await meet(house.store, house.ids)
    await house.store.patch_controls(scene.user_id, {"intimate_mode": True}, START)
    for number in range(3):
        await scene.say(f"friend {number}")
        await scene.say(f"close {number}", mode=Mode.INTIMATE)
    admitted, _ = await scene.admit(scene.request(mode=Mode.INTIMATE), history_limit=2, reply_window=2)
    assert admitted.known is not None
    assert [line.text for line in admitted.known.history] == [
        "friend 2",
        "About that: friend 2",
        "close 2",
        "About that: close 2",
    ]
    assert admitted.known.recent_replies == ("About that: close 1", "About that: close 2")


async def test_fixed_and_safe_words_are_no_recent_replies(house: House) -> None:
    """C-78."""
    scene = await meet(house.store, house.ids)
    for origin in ReplyOrigin:
        await scene.say(reply=ReplyRow(scene.ids.uuid(), origin.value, origin, rewritten=False))
    _, known = await scene.say()
    assert known.recent_replies == ("About that: hello", "llm", "offline")


async def test_a_proactive_turn_shows_only_what_the_friend_said(house: House) -> None:
    """C-79: its empty message stands for the turn and is no line of the talk."""
    scene = await meet(house.store, house.ids)
    await scene.say(
        "", source=Source.RETENTION, reply=ReplyRow(scene.ids.uuid(), "How was it?", ReplyOrigin.OFFLINE, False)
    )
    page, _ = await house.store.messages(scene.user_id, scene.conversation_id, 50, None)
    assert [line.text for line in page] == ["hello", "About that: hello", "How was it?"]
    _, known = await scene.say()
    assert [line.text for line in known.history] == ["hello", "About that: hello", "How was it?"]


async def test_memories_are_made_confirmed_and_superseded(house: House) -> None:
    """MEM-09, MEM-10: a chain within one change set is one row per memory."""
    scene = await meet(house.store, house.ids)
    porto = scene.memory()
    await scene.say(memory_changes=(MemoryChange("insert", porto),))
    _, known = await scene.say("still Porto", memory_changes=(MemoryChange("update", replace(porto, confidence=0.75)),))
    assert known.memories == (porto,)
    lisbon = scene.memory(value="Lisbon", created_at=START + timedelta(hours=1))
    faro = scene.memory(value="Faro", created_at=START + timedelta(hours=2))
    superseded = replace(porto, status=MemoryStatus.SUPERSEDED, superseded_by=lisbon.memory_id, confidence=0.75)
    passing = replace(lisbon, status=MemoryStatus.SUPERSEDED, superseded_by=faro.memory_id)
    changes = [MemoryChange("insert", faro), MemoryChange("insert", passing), MemoryChange("update", superseded)]
    await scene.say("Lisbon, no, Faro", memory_changes=tuple(changes))
    assert await house.store.memories(scene.user_id, include_inactive=False) == [faro]
    assert await house.store.memories(scene.user_id, include_inactive=True) == [superseded, passing, faro]
    _, known = await scene.say("and now")
    assert known.memories == (faro,)


async def test_a_moved_memory_version_stops_settle(house: House) -> None:
    """The turn is told, gathers again, and settles with what holds now."""
    scene = await meet(house.store, house.ids)
    admitted, token = await scene.admit(request := scene.request())
    second = await befriend(house.store, house.ids, scene.user_id)
    await second.say("i live in Porto", memory_changes=(MemoryChange("insert", second.memory()),))
    assert admitted.known is not None
    stale = scene.settlement(request, admitted.known, token)
    assert await house.store.settle(stale) is SettleOutcome.STALE_MEMORY
    assert await house.store.answer_of(scene.user_id, request.message_id) == ("PROCESSING", None)
    fresh = await house.store.reread(request, token)
    assert fresh is not None
    assert fresh.received_at == admitted.known.received_at
    assert fresh.user.mem_version == admitted.known.user.mem_version + 1
    assert await house.store.settle(scene.settlement(request, fresh, token)) is SettleOutcome.SETTLED


async def test_turns_of_two_friends_do_not_disturb_each_other(house: House) -> None:
    scene = await meet(house.store, house.ids)
    second = await befriend(house.store, house.ids, scene.user_id)
    admitted, token = await scene.admit(request := scene.request())
    await second.say()
    assert admitted.known is not None
    assert await house.store.settle(scene.settlement(request, admitted.known, token)) is SettleOutcome.SETTLED


@pytest.mark.parametrize("change", ["controls", "answers"])
async def test_a_change_by_the_person_reaches_the_turn_under_way(house: House, change: str) -> None:
    scene = await meet(house.store, house.ids)
    admitted, token = await scene.admit(request := scene.request())
    if change == "controls":
        await house.store.patch_controls(scene.user_id, {"suppressed_topics": ["FAMILY"]}, START)
    else:
        await house.store.patch_onboarding(scene.user_id, AnswersPatch({"age_band": "13-17"}), START)
    assert admitted.known is not None
    stale = scene.settlement(request, admitted.known, token)
    assert await house.store.settle(stale) is SettleOutcome.STALE_MEMORY


BAD_MEMORIES = [
    ("two ACTIVE of one key", {"memory_key": "fact:home_city"}, "memories_one_active"),
    ("no evidence", {"evidence_message_ids": ()}, "memories_evidence_check"),
    ("an event without end", {"type": "life_event"}, "memories_expires_at_check"),
    ("an end without event", {"expires_at": START}, "memories_expires_at_check"),
    ("too sure", {"confidence": 1.5}, "memories_confidence_check"),
    ("superseded by nobody", {"superseded_by": START}, "memories_superseded_by_fkey"),
]


@pytest.mark.parametrize(("what", "broken", "constraint"), BAD_MEMORIES, ids=[row[0] for row in BAD_MEMORIES])
async def test_memories_that_must_not_be(house: House, what: str, broken: dict[str, object], constraint: str) -> None:
    """DATA-01, DATA-07, DATA-08, DATA-12: refused, and the whole turn with it."""
    scene = await meet(house.store, house.ids)
    await scene.say(memory_changes=(MemoryChange("insert", scene.memory()),))
    if "superseded_by" in broken:
        broken = {"superseded_by": scene.ids.uuid(), "status": MemoryStatus.SUPERSEDED}
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    memory = scene.memory("fact:school", **broken) if "memory_key" not in broken else scene.memory(**broken)
    settlement = scene.settlement(request, admitted.known, token, memory_changes=(MemoryChange("insert", memory),))
    with pytest.raises(StoreRefusedError) as refused:
        await house.store.settle(settlement)
    assert refused.value.constraint == constraint
    assert "Porto" not in str(refused.value)
    assert await house.store.answer_of(scene.user_id, request.message_id) == ("PROCESSING", None)
    without = replace(settlement, memory_changes=())
    assert await house.store.settle(without) is SettleOutcome.SETTLED


async def test_onboarding_facts_need_no_evidence(house: House) -> None:
    scene = await meet(house.store, house.ids)
    fact = scene.memory(evidence_message_ids=(), extracted_from=ExtractedFrom.ONBOARDING)
    await scene.say(memory_changes=(MemoryChange("insert", fact),))
    assert await house.store.memories(scene.user_id, include_inactive=False) == [fact]


async def test_a_change_of_an_unknown_memory_is_a_defect(house: House) -> None:
    scene = await meet(house.store, house.ids)
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    changes = (MemoryChange("update", scene.memory()),)
    with pytest.raises(StoreRefusedError):
        await house.store.settle(scene.settlement(request, admitted.known, token, memory_changes=changes))


async def test_a_score_out_of_range_is_a_defect(house: House) -> None:
    scene = await meet(house.store, house.ids)
    admitted, token = await scene.admit(request := scene.request())
    assert admitted.known is not None
    high = replace(admitted.known.relationship, rapport_score=101)
    with pytest.raises(StoreRefusedError) as refused:
        await house.store.settle(scene.settlement(request, admitted.known, token, relationship=high))
    assert refused.value.constraint == "relationships_rapport_score_check"


async def test_a_relationship_may_stay_as_it_is(house: House) -> None:
    """REL-13."""
    scene = await meet(house.store, house.ids)
    before = await house.store.friend(scene.user_id, scene.ai_friend_id)
    await scene.say(relationship=None)
    assert await house.store.friend(scene.user_id, scene.ai_friend_id) == before


@pytest.mark.parametrize(
    ("said", "band"), [(AgeBand.B13_17, AgeBand.B13_17), (AgeBand.B45_UP, AgeBand.B25_34), (None, AgeBand.B25_34)]
)
async def test_a_claim_in_chat_only_lowers_the_band(house: House, said: AgeBand | None, band: AgeBand) -> None:
    """S-15: and for a minor, intimate mode ends with it."""
    scene = await meet(house.store, house.ids)
    await house.store.patch_controls(scene.user_id, {"intimate_mode": True}, START)
    await scene.say(lower_age_band_to=said)
    user, controls = await house.store.user(scene.user_id)
    assert (user.safety_age_band, user.answers.age_band) == (band, AgeBand.B25_34)
    assert controls.intimate_mode is band.is_adult
    assert controls.proactive_messages_enabled is band.is_adult


async def test_a_claim_of_less_than_13_is_noted(house: House) -> None:
    scene = await meet(house.store, house.ids)
    await scene.say(claimed_under_13=True, lower_age_band_to=AgeBand.B13_17)
    _, known = await scene.say()
    assert known.user.claimed_under_13


async def test_crises_and_guard_hits_have_logs_of_their_own(house: House) -> None:
    """GUARD-10, CRISIS-09; the last crisis is of the user, over all friends."""
    scene = await meet(house.store, house.ids)
    at = START + timedelta(hours=1)
    crisis = CrisisLogRow(CrisisLevel.HIGH_RISK, ("kill myself", "no reason to live"), "en")
    alarming, _ = await scene.say("…", crisis=crisis, received_at=at)
    guarded, _ = await scene.say("…", guard=GuardLogRow("illegal_acts", "en"), received_at=at)
    assert (await house.store.audit("crisis", scene.user_id, None, 50, None)).items == (
        {
            "user_id": scene.user_id,
            "message_id": alarming.message_id,
            "created_at": at,
            "level": "HIGH_RISK",
            "phrases": ["kill myself", "no reason to live"],
        },
    )
    assert (await house.store.audit("guardrail", scene.user_id, None, 50, None)).items == (
        {
            "user_id": scene.user_id,
            "message_id": guarded.message_id,
            "created_at": at,
            "event_type": "content_guardrail_triggered",
            "event_category": "moderation",
            "action": "block",
            "resource_type": "message",
            "result": "blocked",
            "event_data": {"category": "illegal_acts"},
        },
    )
    second = await befriend(house.store, house.ids, scene.user_id)
    _, known = await second.say()
    assert known.last_crisis_at == at


async def test_a_correction_switches_controls_and_is_logged(house: House) -> None:
    """CORR-04, CORR-07, CORR-11, C-25: keys and topics once each, in order; the next turn knows of them."""
    scene = await meet(house.store, house.ids)
    await house.store.patch_controls(
        scene.user_id, {"suppressed_memory_keys": ["fact:school"], "suppressed_topics": ["FAMILY"]}, START
    )
    denied, doubted, reply = (scene.ids.uuid() for _ in range(3))
    asked, known = await scene.say(
        "forget that",
        suppressed_keys=("allergy:nickel", "fact:school", "pref:food:sushi"),
        suppressed_topics=(TopicID.TRAVEL, TopicID.FAMILY),
        corrections=(
            CorrectionRow(scene.ids.uuid(), CorrectionType.USER_DENIED, reply, deactivated_memory_id=denied),
            CorrectionRow(scene.ids.uuid(), CorrectionType.AMBIGUOUS, reply, disputed_memory_id=doubted),
        ),
    )
    _, controls = await house.store.user(scene.user_id)
    assert set(controls.suppressed_memory_keys) == {"allergy:nickel", "fact:school", "pref:food:sushi"}
    assert len(controls.suppressed_memory_keys) == 3
    assert controls.suppressed_topics == (TopicID.FAMILY, TopicID.TRAVEL)
    user, _ = await house.store.user(scene.user_id)
    assert user.mem_version > known.user.mem_version
    await scene.say("yes, please remember that", unsuppressed_keys=("allergy:nickel", "fact:school"))
    _, known = await scene.say("and now")
    assert known.controls.suppressed_memory_keys == ("pref:food:sushi",)
    rows = (await house.store.export_user(scene.user_id))["corrections"]
    assert {
        (row["correction_type"], str(row["trigger_message_id"]), str(row["corrected_message_id"])) for row in rows
    } == {
        ("user_denied", str(asked.message_id), str(reply)),
        ("ambiguous", str(asked.message_id), str(reply)),
    }
