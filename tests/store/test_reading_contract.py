"""What every store must show: pages with cursors, candidates of jobs, and what jobs leave (S-13, JOB, S-33)."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from tests.store.conftest import House

from chingoo.errors import InvalidInputError, NotFoundError
from chingoo.model.enums import CrisisLevel, MemoryStatus, Pipeline
from chingoo.model.people import MemoryChange
from chingoo.model.turn import CrisisLogRow, GuardLogRow, SettleOutcome
from chingoo.testing.scenes import START, Scene, befriend, meet


async def test_messages_page_backwards_and_read_forwards(house: House) -> None:
    scene = await meet(house.store, house.ids)
    for number in range(4):
        await scene.say(f"message {number}")
    said = [text for number in range(4) for text in (f"message {number}", f"About that: message {number}")]
    pages, cursor = [], None
    for _ in range(4):
        page, cursor = await house.store.messages(scene.user_id, scene.conversation_id, 3, cursor)
        pages.append([line.text for line in page])
    assert cursor is None
    assert [text for page in reversed(pages) for text in page] == ["hello", "About that: hello", *said]


async def test_messages_are_the_owners_alone(house: House) -> None:
    scene, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    with pytest.raises(NotFoundError):
        await house.store.messages(other.user_id, scene.conversation_id, 50, None)


@pytest.mark.parametrize("cursor", ["", "x", "äöü", "W10", "WyJhIl0", "bnVsbA", "WzEsMl0=", "A" * 4000])
async def test_a_foreign_cursor_is_refused(house: House, cursor: str) -> None:
    scene = await meet(house.store, house.ids)
    pages = (
        house.store.messages(scene.user_id, scene.conversation_id, 5, cursor),
        house.store.decisions(scene.user_id, None, None, 5, cursor),
        house.store.audit("crisis", None, None, 5, cursor),
    )
    for page in pages:
        with pytest.raises(InvalidInputError):
            await page


async def test_there_are_two_audit_logs(house: House) -> None:
    with pytest.raises(InvalidInputError):
        await house.store.audit("gossip", None, None, 5, None)


async def decided(scene: Scene, pipeline: Pipeline, at: datetime) -> UUID:
    """A turn of a pipeline; its decision's id."""
    request = scene.request(received_at=at)
    admitted, token = await scene.admit(request)
    assert admitted.known is not None
    settlement = scene.settlement(request, admitted.known, token)
    settlement = replace(settlement, decision=replace(settlement.decision, pipeline=pipeline))
    assert await scene.store.settle(settlement) is SettleOutcome.SETTLED
    return settlement.decision.decision_id


async def walked(house: House, *wanted: Any, limit: int) -> list[UUID]:
    """All decision ids, page by page."""
    ids, cursor = [], None
    while True:
        page = await house.store.decisions(*wanted, limit, cursor)
        ids += [row["decision_id"] for row in page.items]
        if (cursor := page.next) is None:
            return ids


async def test_decisions_newest_first_by_user_pipeline_and_instant(house: House, era: datetime) -> None:
    """S-28."""
    scene, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    chat, refusal = Pipeline.FRIEND_CHAT, Pipeline.REFUSAL
    a = await decided(scene, chat, era + timedelta(seconds=1))
    b = await decided(scene, refusal, era + timedelta(seconds=2))
    c = await decided(other, chat, era + timedelta(seconds=3))
    last = era + timedelta(seconds=4)
    mine, others = await decided(scene, chat, last), await decided(other, chat, last)
    d, e = sorted([mine, others])
    assert await walked(house, None, None, era, limit=2) == [e, d, c, b, a]
    assert await walked(house, None, chat, era, limit=1) == [e, d, c, a]
    assert await walked(house, None, refusal, era, limit=50) == [b]
    assert await walked(house, None, None, era + timedelta(seconds=4), limit=50) == [e, d]
    assert await walked(house, scene.user_id, None, era, limit=1) == [mine, b, a]
    assert await walked(house, scene.user_id, refusal, None, limit=50) == [b]
    assert len(await walked(house, scene.user_id, None, None, limit=50)) == 4


async def test_a_decision_record_says_why_and_not_what(house: House) -> None:
    scene = await meet(house.store, house.ids)
    page = await house.store.decisions(scene.user_id, None, None, 50, None)
    [row] = page.items
    assert set(row) >= {
        "decision_id", "trace_id", "message_id", "user_id", "received_at", "pipeline", "safety_policy", "rules",
        "digest", "timings_ms",
    }  # fmt: skip
    assert (row["user_id"], row["pipeline"], row["rules"]) == (scene.user_id, "FRIEND_CHAT", ["routing.default"])
    assert row["timings_ms"] == {"decide": 0.2}
    assert "hello" not in repr(page.items)


@pytest.mark.parametrize("kind", ["crisis", "guardrail"])
@pytest.mark.parametrize("whose", ["one user", "all users"])
async def test_audit_pages(house: House, era: datetime, kind: str, whose: str) -> None:
    scene = await meet(house.store, house.ids)
    rows = {
        "crisis": {"crisis": CrisisLogRow(CrisisLevel.CONTEXT, ("a",), "en")},
        "guardrail": {"guard": GuardLogRow("minors", "en")},
    }
    said = [(await scene.say(received_at=era + timedelta(seconds=n), **rows[kind]))[0].message_id for n in range(5)]
    found, cursor = [], None
    for _ in range(3):
        page = await house.store.audit(kind, scene.user_id if whose == "one user" else None, era, 2, cursor)
        found += [row["message_id"] for row in page.items]
        cursor = page.next
    assert (found, cursor) == (said[::-1], None)


# --- jobs ---------------------------------------------------------------------------------------------------------


async def test_decay_sees_whom_it_may_touch_in_key_order(house: House) -> None:
    """REL-10: page by page; a score of zero cannot fall."""
    scenes = [await meet(house.store, house.ids) for _ in range(3)]
    second = await befriend(house.store, house.ids, scenes[0].user_id)
    whose = [scene.user_id for scene in scenes]
    found, after = [], None
    while page := await house.store.decay_candidates(START, 2, after, whose):
        found += page
        after = page[-1][:2]
    expected = sorted((scene.user_id, scene.ai_friend_id) for scene in scenes)
    assert [(user_id, friend_id) for user_id, friend_id, _ in found] == expected
    assert second.ai_friend_id not in [friend_id for _, friend_id, _ in found]
    assert await house.store.decay_candidates(START - timedelta(days=2), 10, None, whose) == []
    assert {row[0] for row in await house.store.decay_candidates(START, 10_000, None, None)} >= set(whose)


async def test_decay_is_written_only_over_what_was_seen(house: House) -> None:
    scene = await meet(house.store, house.ids)
    _, before = await house.store.friend(scene.user_id, scene.ai_friend_id)
    after = replace(before, rapport_score=0, last_decay_at=START)
    admitted, token = await scene.admit(request := scene.request())
    assert await house.store.write_decay(scene.user_id, scene.ai_friend_id, before, after)
    assert not await house.store.write_decay(scene.user_id, scene.ai_friend_id, before, after)
    assert (await house.store.friend(scene.user_id, scene.ai_friend_id))[1] == after
    assert admitted.known is not None
    stale = scene.settlement(request, admitted.known, token)
    assert await house.store.settle(stale) is SettleOutcome.STALE_MEMORY
    stranger = house.ids.uuid()
    assert not await house.store.write_decay(stranger, scene.ai_friend_id, before, after)


async def test_memories_expire(house: House) -> None:
    """UK-12: at their instant, once, and the turns under way learn of it."""
    scene, other = await meet(house.store, house.ids), await meet(house.store, house.ids)
    wedding = scene.memory("life_event:wedding", type="life_event", expires_at=START + timedelta(days=30))
    lasting = scene.memory("fact:school", created_at=START + timedelta(seconds=1))
    await scene.say(memory_changes=(MemoryChange("insert", wedding), MemoryChange("insert", lasting)))
    version = (await house.store.user(scene.user_id))[0].mem_version
    whose = [scene.user_id, other.user_id]
    assert await house.store.expire_memories(START + timedelta(days=29), whose) == 0
    assert await house.store.expire_memories(START + timedelta(days=31), [other.user_id]) == 0
    assert await house.store.expire_memories(START + timedelta(days=30), whose) == 1
    assert await house.store.expire_memories(START + timedelta(days=30), None) == 0
    expired = replace(wedding, status=MemoryStatus.EXPIRED)
    assert await house.store.memories(scene.user_id, include_inactive=True) == [expired, lasting]
    assert (await house.store.user(scene.user_id))[0].mem_version == version + 1


async def test_the_sweep_finds_what_no_job_looks_after(house: House) -> None:
    """S-33: nothing while a job waits; the user, once the job went without looking; nobody, once it looked."""
    scene = await meet(house.store, house.ids)
    assert await house.store.after_turn_mark(house.ids.uuid()) is None
    mark = await house.store.after_turn_mark(scene.user_id)
    assert mark is not None
    assert scene.user_id not in await house.store.users_without_after_turn(10_000)
    await lose_jobs(house)
    assert scene.user_id in await house.store.users_without_after_turn(10_000)
    await house.store.defer_after_turn(scene.user_id)
    await house.store.defer_after_turn(scene.user_id)
    assert scene.user_id not in await house.store.users_without_after_turn(10_000)
    await house.wait(0.01)
    await scene.say()
    await house.store.mark_after_turn_done(scene.user_id, mark)
    later = await house.store.after_turn_mark(scene.user_id)
    assert later is not None
    assert later > mark
    await house.store.mark_after_turn_done(scene.user_id, later)
    await lose_jobs(house)
    assert await house.store.after_turn_mark(scene.user_id) is None
    assert scene.user_id not in await house.store.users_without_after_turn(10_000)


async def lose_jobs(house: House) -> None:
    """A worker took all waiting jobs, and looked at nothing."""
    if hasattr(house.store, "take_jobs"):
        house.store.take_jobs()
    else:
        from chingoo.adapters.postgres.statements import Statement

        await house.store._database.rows(Statement("delete from procrastinate_jobs returning 1"), {})


async def test_the_store_answers_a_ping(house: House) -> None:
    await house.store.ping()
