"""Batches of messages, looked at apart from turns: what is due, what is asked, and what it leaves (BATCH-02…15)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from tests.service.conftest import SETTINGS, World

from chingoo.adapters.clock import RandomIds
from chingoo.errors import LlmError, NotFoundError
from chingoo.memory.forgetting import forget_message
from chingoo.memory.reader import build_reader
from chingoo.model.corrections import CorrectionType
from chingoo.model.enums import ExtractedFrom, MemoryStatus, Mode
from chingoo.model.extraction import ExtractionRun, Trigger
from chingoo.model.people import MemoryChange
from chingoo.model.reviews import ReviewVerdict
from chingoo.model.turn import CorrectionRow
from chingoo.policy.documents.extraction import ExtractionDocument
from chingoo.service.batch_extraction import (
    BATCHES,
    DISTRUSTED,
    OFFLINE,
    REVIEWED,
    SWITCHED_OFF,
    BatchExtraction,
    Done,
)
from chingoo.service.policies import PolicyHolder
from chingoo.service.reviews import REVIEWS, ReviewService
from chingoo.service.voice import VoiceSettings
from chingoo.testing.llm import ScriptedLlm
from chingoo.testing.openai_server import bland_reply

SCHOOL = "The Heidelberg faculty is where I study"


def delta(*evidence: UUID, **changes: Any) -> dict[str, Any]:
    """A change that passes, if the messages say it."""
    given = {
        "op": "ADD",
        "knowledge_type": "FACT",
        "knowledge_key": "fact:school",
        "value": "Heidelberg",
        "knowledge_id": None,
        "evidence_message_ids": [str(one) for one in evidence],
        "subject": "user",
        "confidence": 0.9,
        "expires_at": None,
    }
    return given | changes


def found(*deltas: Mapping[str, Any]) -> str:
    return json.dumps({"deltas": deltas})


class Job:
    """The job over the world's store; `llm` holds what was asked."""

    def __init__(
        self, world: World, *script: str | LlmError, offline: bool = False, voice: VoiceSettings = SETTINGS.voice
    ) -> None:
        self.world, self.llm = world, ScriptedLlm(script)
        self.batches = BatchExtraction(
            world.store,
            world.holder,
            None if offline else self.llm,
            world.clock,
            RandomIds(),
            world.metrics,
            voice,
        )

    async def run(self, after: timedelta = timedelta(minutes=31)) -> Done:
        return await self.batches.run(self.world.clock.now() + after, None)

    @property
    def runs(self) -> list[ExtractionRun]:
        return sorted(self.world.store._state.runs.values(), key=lambda run: run.created_at)

    @property
    def pending(self) -> int:
        return self.world.store._state.conversations[self.world.user, self.world.conversation].pending


async def tell(world: World, text: str = SCHOOL, at: datetime | None = None, **changes: Any) -> UUID:
    request, _ = await world.scene.say(text, received_at=at or world.clock.now(), **changes)
    return request.message_id


async def test_what_a_batch_finds_is_remembered(world: World) -> None:
    """BATCH-11, BATCH-15, C-40."""
    said = await tell(world)
    job = Job(world, found(delta(said), delta(said, confidence=0.5), delta(said, knowledge_type="NOTES")))
    assert await job.run() == Done(1)
    memory = (await world.store.memories(world.user, include_inactive=True))[0]
    assert (memory.memory_key, memory.memory_value) == ("fact:school", "Heidelberg")
    assert (memory.extracted_from, memory.confidence) == (ExtractedFrom.BATCH, 0.75)
    assert memory.evidence_message_ids == (said,)
    run = job.runs[0]
    assert (run.triggered_by, run.messages_analyzed, run.error) == (Trigger.SESSION_CLOSED, 2, None)
    assert run.counts == {"accepted": 1, "rejected_low_confidence": 1, "rejected_unknown_family": 1}
    assert (run.deltas_applied, run.llm_model) == (1, "mechanics")
    assert run.input_tokens > 0
    assert run.output_tokens > 0
    assert job.pending == 0
    call = job.llm.calls[0]
    assert call.model == "mechanics"
    assert call.json_schema is not None
    assert f"[{said}] person: {SCHOOL}" in call.messages[1].content
    assert f"About that: {SCHOOL}" in call.messages[1].content, "BATCH-04: both sides"


async def test_the_same_messages_are_looked_at_once(world: World) -> None:
    said = await tell(world)
    job = Job(world, found(delta(said)), found(delta(said)))
    assert await job.run() == Done(1)
    for hours in (1, 3, 48):
        assert await job.run(timedelta(hours=hours)) == Done(0)
    assert len(job.llm.calls) == len(job.runs) == 1


BROKEN = found(delta(UUID(int=1)), {"op": "ADD"})


def outcomes(world: World) -> dict[str, float]:
    """What became of batches."""
    return {dict(labels)["outcome"]: many for (name, labels), many in world.metrics.counts.items() if name == BATCHES}


@pytest.mark.parametrize(
    ("answer", "error", "outcome"),
    [
        ("I found nothing", "unreadable", "unreadable"),
        ('{"changes": []}', "unreadable", "unreadable"),
        ("{}", "unreadable", "unreadable"),
        (BROKEN, "unreadable", "unreadable"),
        (LlmError("timeout", "no answer"), "timeout", "failed"),
    ],
)
async def test_an_answer_that_is_none_loses_nothing(
    world: World, answer: str | LlmError, error: str, outcome: str
) -> None:
    """C-59: the run says what went wrong, and after the hour the same messages are looked at again."""
    said = await tell(world)
    job = Job(world, answer, found(delta(said)))
    assert await job.run() == Done(0)
    assert (job.runs[0].error, job.runs[0].counts, job.pending) == (error, {}, 1)
    assert outcomes(world) == {outcome: 1}
    assert await job.run(timedelta(minutes=80)) == Done(0)
    assert len(job.llm.calls) == 1
    assert await job.run(timedelta(minutes=92)) == Done(1)
    assert await world.active() == {"fact:school": "Heidelberg"}


async def test_a_good_part_of_a_broken_answer_is_not_taken(world: World) -> None:
    """It would be taken twice, once the whole is asked for again."""
    said = await tell(world)
    assert await Job(world, found(delta(said), delta(said, confidence="high"))).run() == Done(0)
    assert await world.active() == {}


async def test_a_batch_that_cannot_be_read_shrinks_until_it_can(world: World) -> None:
    for number in range(40):
        await tell(world, f"line {number}")
    job = Job(world, *(["no"] * 3), *([found()] * 20))
    for hours in range(1, 5):
        await job.run(timedelta(hours=2 * hours))
    assert [run.messages_analyzed for run in job.runs] == [60, 30, 15, 7]
    assert [run.error for run in job.runs] == ["unreadable"] * 3 + [None]
    await job.run(timedelta(hours=10))
    assert job.runs[-1].messages_analyzed == 60, "what can be read again is read at its full length"
    for hours in (12, 14):
        await job.run(timedelta(hours=hours))
    assert job.pending == 0


async def test_an_outage_shrinks_nothing(world: World) -> None:
    for number in range(40):
        await tell(world, f"line {number}")
    job = Job(world, *([LlmError("timeout", "no answer")] * 3))
    for hours in range(1, 4):
        await job.run(timedelta(hours=2 * hours))
    assert [run.messages_analyzed for run in job.runs] == [60, 60, 60]


async def test_one_message_that_can_never_be_read_holds_up_no_others_for_good(world: World) -> None:
    """It is passed over in the end, which is counted; what follows it is learned from."""
    await tell(world, "poison")
    said = await tell(world)
    tries = world.bundle.extraction.batch.unreadable_tries
    job = Job(world, *(["no"] * (tries + 1)), found(delta(said)))
    for hours in range(1, tries + 1):
        await job.run(timedelta(hours=2 * hours))
    assert {run.error for run in job.runs} == {"unreadable"}
    assert job.pending == 2
    await job.run(timedelta(hours=2 * tries + 2))
    assert (job.runs[-1].error, job.runs[-1].counts, job.pending) == (None, {"passed_over": 1}, 1)
    assert await job.run(timedelta(hours=2 * tries + 4)) == Done(1)
    assert await world.active() == {"fact:school": "Heidelberg"}
    assert outcomes(world) == {"unreadable": tries, "passed_over": 1, "answered": 1}


async def test_once_in_an_hour_however_much_is_said(world: World) -> None:
    """BATCH-02."""
    job = Job(world, found(), found())
    await tell(world)
    assert await job.run() == Done(1)
    for _ in range(20):
        await tell(world, at=world.clock.now() + timedelta(minutes=32))
    assert await job.run(timedelta(minutes=90)) == Done(0)
    assert await job.run(timedelta(minutes=92)) == Done(1)
    assert job.runs[1].messages_analyzed == 40


@pytest.mark.parametrize(
    ("messages", "after", "trigger"),
    [
        (1, 29, None),
        (14, 1, None),
        (15, 1, Trigger.MESSAGES),
        (15, 30, Trigger.SESSION_CLOSED),
        (1, 30, Trigger.SESSION_CLOSED),
    ],
)
async def test_what_makes_a_batch_due(world: World, messages: int, after: int, trigger: Trigger | None) -> None:
    """BATCH-02."""
    for _ in range(messages):
        await tell(world)
    job = Job(world, found())
    await job.run(timedelta(minutes=after))
    assert [run.triggered_by for run in job.runs] == [trigger] * (trigger is not None)


async def test_a_long_talk_is_looked_at_every_two_hours(world: World) -> None:
    start = world.clock.now()
    for minutes in range(0, 121, 20):
        await tell(world, at=start + timedelta(minutes=minutes))
    job = Job(world, found())
    await job.run(timedelta(minutes=119))
    assert job.runs == []
    await job.run(timedelta(minutes=121))
    assert [run.triggered_by for run in job.runs] == [Trigger.CRON]


async def test_a_forgotten_message_is_never_sent(world: World) -> None:
    """FORGET-01."""
    policy = world.bundle.memory.forgetting
    gone = await tell(world, "The violet umbrella is my secret")
    await world.store.edit_memories(world.user, gone, lambda known: forget_message(policy, known, world.clock.now()))
    said = await tell(world)
    job = Job(world, found(delta(gone), delta(said)))
    await job.run()
    assert "umbrella" not in str(job.llm.calls)
    assert job.runs[0].counts == {"accepted": 1, "rejected_missing_evidence": 1}


async def test_what_is_forgotten_while_the_model_thinks_teaches_nothing(world: World) -> None:
    said = await tell(world)
    policy = world.bundle.memory.forgetting

    class Slow(ScriptedLlm):
        async def complete(self, *given: Any, **named: Any) -> Any:
            await world.store.edit_memories(
                world.user, said, lambda known: forget_message(policy, known, world.clock.now())
            )
            return await super().complete(*given, **named)

    job = Job(world)
    job.batches._llm = Slow([found(delta(said))])
    assert await job.run() == Done(1)
    assert await world.active() == {}


async def test_neither_crises_nor_the_intimate_register_are_shown(world: World) -> None:
    """C-81."""
    await tell(world, "I want to kill myself tonight")
    await world.store.patch_controls(world.user, {"intimate_mode": True}, world.clock.now())
    await tell(world, "a red lamp", mode=Mode.INTIMATE)
    job = Job(world, found())
    assert await job.run() == Done(0)
    assert job.llm.calls == []
    assert (job.pending, job.runs[0].error, job.runs[0].messages_analyzed) == (0, None, 2)


async def test_what_was_corrected_is_not_learned_again(world: World) -> None:
    """C-39: an older message is never heard against the person."""
    said = world.ids.uuid()
    wrong = world.scene.memory("fact:school", "Heidelberg", status=MemoryStatus.INVALID, evidence_message_ids=(said,))
    await tell(world, message_id=said, memory_changes=(MemoryChange("insert", wrong),))
    job = Job(world, found(delta(said)))
    await job.run()
    assert await world.active() == {}
    assert job.runs[0].counts == {"rejected_outdated": 1}


async def test_somebody_else_s_fact_is_not_the_person_s(world: World) -> None:
    """BATCH-06."""
    said = await tell(world, "My brother studies in Heidelberg")
    job = Job(world, found(delta(said, subject="other")))
    await job.run()
    assert await world.active() == {}
    assert job.runs[0].deltas_applied == 0


async def test_without_a_model_nothing_is_done(world: World) -> None:
    await tell(world)
    job = Job(world, offline=True)
    assert await job.run() == Done(0, OFFLINE)
    assert job.runs == []
    assert job.pending == 1


@pytest.mark.parametrize(("wrong", "stops"), [(3, False), (4, True)])
async def test_batches_stop_where_too_much_was_wrong(world: World, wrong: int, stops: bool) -> None:
    """CORR-15: above 3 %."""
    made = [
        world.scene.memory(f"pref:food:dish_{number}", f"like|dish {number}", type="PREFERENCE")
        for number in range(100)
    ]
    made = [replace(one, extracted_from=ExtractedFrom.BATCH) for one in made]
    denied = [
        CorrectionRow(world.ids.uuid(), next(iter(CorrectionType)), deactivated_memory_id=one.memory_id)
        for one in made[:wrong]
    ]
    changes = tuple(MemoryChange("insert", one) for one in made)
    await tell(world, memory_changes=changes, corrections=tuple(denied))
    job = Job(world, found())
    assert await job.run() == (Done(0, DISTRUSTED) if stops else Done(1))
    assert list(outcomes(world)) == ["distrusted" if stops else "answered"]
    assert await job.run(timedelta(days=29)) == Done(int(stops)), "what is older counts no more"


async def test_a_daily_ceiling_puts_batches_off(world: World) -> None:
    """S-21: nothing is asked about somebody whose models cost enough for a day; their messages wait for the next."""
    bundle = replace(world.bundle, models=replace(world.bundle.models, daily_ceiling_usd=0.00001))
    world.holder = PolicyHolder(replace(world.holder.current, bundle=bundle), world.clock.now())
    first = await tell(world)
    job = Job(world, found(delta(first)), found(), voice=replace(SETTINGS.voice, mechanics_model="gpt-4.1"))
    world.clock.advance(31 * 60)
    assert await job.run(timedelta()) == Done(1)
    assert await world.active() == {"fact:school": "Heidelberg"}
    await tell(world, "The Heidelberg library is where I sit")
    world.clock.advance(2 * 3600)
    assert await job.run(timedelta()) == Done(0)
    assert (len(job.llm.calls), len(job.runs), job.pending) == (1, 1, 1), "nothing is asked, and nothing begun"
    world.clock.advance(24 * 3600)
    assert await job.run(timedelta()) == Done(1)
    assert (len(job.llm.calls), job.pending) == (2, 0)


async def test_what_the_store_refuses_is_told_and_looked_at_again(world: World) -> None:
    """One person's trouble ends with a run that says so; what the call cost is recorded, and no message is lost."""
    family = world.bundle.memory.families["FACT"]
    broken = replace(family, initial_confidence={**family.initial_confidence, "batch": 1.5})
    memory = replace(world.bundle.memory, families={**world.bundle.memory.families, "FACT": broken})
    good = world.holder.current
    bundle = replace(world.bundle, memory=memory)
    compiled = replace(good, bundle=bundle, memory=build_reader(bundle))
    world.holder = PolicyHolder(compiled, world.clock.now())
    said = await tell(world)
    job = Job(world, found(delta(said)))
    assert await job.run() == Done(0)
    assert (job.runs[0].error, job.runs[0].deltas_applied, job.pending) == ("refused", 0, 1)
    assert await world.active() == {}
    assert job.runs[0].input_tokens > 0
    assert len(world.store._state.llm_calls) == 1
    assert outcomes(world) == {"failed": 1}
    world.holder = PolicyHolder(good, world.clock.now())
    mended = Job(world, found(delta(said)))
    assert await mended.run(timedelta(minutes=92)) == Done(1)
    assert await world.active() == {"fact:school": "Heidelberg"}


def under(world: World, change: Callable[[ExtractionDocument], ExtractionDocument]) -> None:
    """The same policies with another extraction.yaml."""
    bundle = replace(world.bundle, extraction=change(world.bundle.extraction))
    world.holder = PolicyHolder(replace(world.holder.current, bundle=bundle), world.clock.now())


def looking_at_all(extraction: ExtractionDocument) -> ExtractionDocument:
    review = replace(extraction.batch.review, launch_share=1.0, verdicts=1)
    return replace(extraction, batch=replace(extraction.batch, review=review))


async def test_the_switch_by_hand_stops_batches(world: World) -> None:
    """CFG-04."""
    await tell(world)
    under(world, lambda extraction: replace(extraction, batch=replace(extraction.batch, on=False)))
    job = Job(world, found())
    assert await job.run() == Done(0, SWITCHED_OFF)
    assert (job.runs, job.pending) == ([], 1)
    assert outcomes(world) == {"switched_off": 1}


async def test_people_look_at_what_is_drawn_and_stop_what_is_wrong(world: World) -> None:
    """BATCH-13, TEL-12: another prompt is another beginning."""
    under(world, looking_at_all)
    reviews = ReviewService(world.store, world.clock, world.metrics)
    assert (await reviews.samples(False, 9))["items"] == []
    said = await tell(world)
    await Job(world, found(delta(said), delta(said, knowledge_key="fact:major", value="aliens"))).run()
    (sample,) = (await reviews.samples(False, 9))["items"]
    assert (sample["type"], sample["language"], sample["review"]) == ("FACT", "en", None)
    memory = (await world.store.memories(world.user, include_inactive=False))[0]
    shown = await reviews.review(memory.memory_id, ReviewVerdict.MISSED_SARCASM, None, "I adore queueing", "ed")
    assert shown["review"]["example"] == "I adore queueing"
    await reviews.review(memory.memory_id, ReviewVerdict.FALSE_FACT, None, None, "ed")
    assert {labels: many for (name, labels), many in world.metrics.counts.items() if name == REVIEWS} == {
        (("language", "en"), ("verdict", "missed_sarcasm")): 1
    }
    await tell(world, "more", at=world.clock.now() + timedelta(hours=3))
    later = Job(world, found(), found())
    assert await later.run(timedelta(hours=4)) == Done(0, REVIEWED)
    assert outcomes(world) == {"answered": 1, "paused": 1}
    under(world, lambda e: replace(looking_at_all(e), prompt=replace(e.prompt, system=f"{e.prompt.system} Take care.")))
    mended = Job(world, found())
    assert await mended.run(timedelta(hours=4)) == Done(1)


async def test_a_verdict_needs_a_sample(world: World) -> None:
    reviews = ReviewService(world.store, world.clock, world.metrics)
    with pytest.raises(NotFoundError):
        await reviews.review(UUID(int=5), ReviewVerdict.CORRECT, None, None, "ed")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The Heidelberg faculty is where I study", "en"),
        ("In Heidelberg studiere ich seit dem Herbst", "de"),
        ("The Heidelberg faculty is where I study. Это просто чудо, честно!", "mixed"),
        ("나는 Heidelberg 대학교에서 공부해", "ko"),
    ],
)
async def test_a_sample_says_its_language(world: World, text: str, language: str) -> None:
    """TEL-17."""
    under(world, looking_at_all)
    said = await tell(world, text)
    await Job(world, found(delta(said))).run()
    (sample,) = await world.store.extraction_samples(False, 9)
    assert sample.language == language


FLAT = "Lisbon is where my flat is"


async def denied_after(world: World) -> UUID:
    """A city, told; told again in words that only a model would hear; denied. The message in between."""
    await world.service(bland_reply(1)).take_turn(world.request("I live in Lisbon."))
    world.clock.advance(60)
    said = world.request(FLAT)
    await world.service(bland_reply(2)).take_turn(said)
    world.clock.advance(60)
    await world.service(bland_reply(3)).take_turn(world.request("I don't live in Lisbon."))
    assert await world.active() == {}
    return said.message_id


async def test_nothing_said_before_a_denial_teaches_what_was_denied(world: World) -> None:
    """C-39: also a message that taught nothing itself."""
    said = await denied_after(world)
    job = Job(world, found(delta(said, knowledge_key="fact:current_city", value="Lisbon")))
    await job.run()
    assert job.runs[0].counts == {"rejected_outdated": 1}
    assert await world.active() == {}


async def test_what_is_said_after_a_denial_teaches(world: World) -> None:
    await denied_after(world)
    world.clock.advance(60)
    back = await tell(world, "Turns out Lisbon is home again")
    job = Job(world, found(delta(back, knowledge_key="fact:current_city", value="Lisbon")))
    await job.run()
    assert await world.active() == {"fact:current_city": "Lisbon"}


async def test_what_may_not_be_spoken_of_is_not_shown_to_the_model(world: World) -> None:
    """CORR-08."""
    await world.remember(school="Heidelberg")
    await world.store.patch_controls(world.user, {"suppressed_memory_keys": ("fact:school",)}, world.clock.now())
    await tell(world, "a quiet day")
    job = Job(world, found())
    await job.run()
    assert "Heidelberg" not in str(job.llm.calls)
