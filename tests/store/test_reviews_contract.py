"""Samples of what batches made, on both stores: drawn, judged, forgotten (BATCH-13)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from tests.store.conftest import House
from tests.store.test_batches_contract import begun

from chingoo.memory.forgetting import delete_memory, forget_message, unforget_message
from chingoo.model.enums import ExtractedFrom
from chingoo.model.extraction import ExtractionRun
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import MemoryChange
from chingoo.model.reviews import JudgedSample, Review, ReviewVerdict, Sample, SampleRow
from chingoo.policy.bundle import Bundle
from chingoo.testing.scenes import START, Scene, meet

MINUTE = timedelta(minutes=1)
TOMORROW = START + timedelta(hours=30)


async def sampled(house: House, revision: str) -> tuple[Scene, UUID, UUID]:
    """Somebody with a memory that a batch made and drew: the person, the memory, the message."""
    scene = await meet(house.store, house.ids)
    request, _ = await scene.say("one")
    run = await begun(scene)
    memory = scene.memory(extracted_from=ExtractedFrom.BATCH, evidence_message_ids=(request.message_id,))

    def conclude(_: Remembered) -> tuple[MemoryEdit, ExtractionRun]:
        samples = (Sample(memory.memory_id, "ko", revision),)
        return MemoryEdit(changes=(MemoryChange("insert", memory),)), replace(run, error=None, samples=samples)

    await scene.store.end_extraction(scene.user_id, None, conclude)
    return scene, memory.memory_id, request.message_id


async def rows(scene: Scene, judged: bool) -> list[SampleRow]:
    """Those of this person."""
    return [one for one in await scene.store.extraction_samples(judged, 10_000) if one.user_id == scene.user_id]


def said(verdict: ReviewVerdict, minutes: int = 60) -> Review:
    return Review(verdict, None, "Oh sure, I adore queueing", "editor", START + minutes * MINUTE)


async def test_a_sample_waits_for_a_verdict(house: House) -> None:
    revision = str(house.ids.uuid())
    scene, memory_id, _ = await sampled(house, revision)
    waiting = SampleRow(scene.user_id, memory_id, "FACT", "ko", START + 31 * MINUTE)
    assert await rows(scene, False) == [waiting]
    assert await rows(scene, True) == []
    assert await scene.store.judged_samples(revision) == []
    review = said(ReviewVerdict.FALSE_FACT)
    judged = replace(waiting, review=review)
    assert await scene.store.review_sample(memory_id, review) == (judged, True)
    assert await rows(scene, False) == []
    assert await rows(scene, True) == [judged]
    assert await scene.store.judged_samples(revision) == [JudgedSample(review.given_at, wrong=True)]
    assert await scene.store.judged_samples("another") == []
    other = said(ReviewVerdict.CORRECT, 70)
    assert await scene.store.review_sample(memory_id, other) == (replace(waiting, review=other), False)
    assert await scene.store.judged_samples(revision) == [JudgedSample(other.given_at, wrong=False)]


async def test_there_is_no_verdict_without_a_sample(house: House) -> None:
    assert await house.store.review_sample(house.ids.uuid(), said(ReviewVerdict.CORRECT)) is None


async def test_the_newest_verdict_comes_first(house: House) -> None:
    revision = str(house.ids.uuid())
    made = [await sampled(house, revision) for _ in range(3)]
    for (_, memory_id, _), minutes in zip(made, (5, 9, 7), strict=True):
        await house.store.review_sample(memory_id, said(ReviewVerdict.CORRECT, minutes))
    judged = await house.store.judged_samples(revision)
    assert [one.given_at - START for one in judged] == [9 * MINUTE, 7 * MINUTE, 5 * MINUTE]
    ids = {one[1] for one in made}
    shown = [one for one in await house.store.extraction_samples(True, 10_000) if one.memory_id in ids]
    assert [one.review.given_at - START for one in shown if one.review] == [9 * MINUTE, 7 * MINUTE, 5 * MINUTE]


async def test_a_sample_of_a_forgotten_message_is_hidden_and_leaves_with_it(house: House, bundle: Bundle) -> None:
    """FORGET-04: at once for reviewers, for good when the memory is erased; undo brings it back."""
    revision = str(house.ids.uuid())
    policy = bundle.memory.forgetting
    scene, memory_id, message_id = await sampled(house, revision)
    store, user_id = scene.store, scene.user_id
    await store.edit_memories(user_id, message_id, lambda known: forget_message(policy, known, START))
    assert await rows(scene, False) == []
    assert await store.review_sample(memory_id, said(ReviewVerdict.CORRECT)) is None
    await store.edit_memories(user_id, message_id, lambda known: unforget_message(known, START))
    assert [one.memory_id for one in await rows(scene, False)] == [memory_id]
    await store.review_sample(memory_id, said(ReviewVerdict.CORRECT))
    await store.edit_memories(user_id, message_id, lambda known: forget_message(policy, known, START))
    await store.purge_forgotten(TOMORROW, [user_id])
    assert await rows(scene, True) == []
    assert await store.judged_samples(revision) == []


async def test_a_sample_of_a_deleted_memory_is_hidden_and_leaves_with_it(house: House, bundle: Bundle) -> None:
    revision = str(house.ids.uuid())
    policy = bundle.memory.forgetting
    scene, memory_id, _ = await sampled(house, revision)
    store, user_id = scene.store, scene.user_id
    await store.review_sample(memory_id, said(ReviewVerdict.CORRECT))
    await store.edit_memories(user_id, None, lambda known: delete_memory(policy, known, memory_id, START))
    assert await rows(scene, True) == []
    await store.purge_forgotten(TOMORROW, [user_id])
    assert await store.judged_samples(revision) == []


async def test_samples_are_erased_with_the_person(house: House) -> None:
    revision = str(house.ids.uuid())
    scene, memory_id, _ = await sampled(house, revision)
    await scene.store.review_sample(memory_id, said(ReviewVerdict.CORRECT))
    await scene.store.erase_user(scene.user_id, START)
    assert await scene.store.judged_samples(revision) == []
    assert await rows(scene, True) == []
