"""Asks the mechanics model, apart from turns, what messages hold that nobody looked at (BATCH-02…15, CORR-15)."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from chingoo.errors import NotFoundError, StoreRefusedError
from chingoo.flow.batch import applied, batch_prompt, drawn, learn_batch, revision_of, to_learn_from
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.extraction import extracted_families
from chingoo.flow.tier import MECHANICS
from chingoo.memory.deltas import EXTRACTION, asked_deltas, read_deltas
from chingoo.memory.review import Standing, standing
from chingoo.model.enums import Role
from chingoo.model.extraction import (
    REFUSED,
    UNREADABLE,
    DueBatch,
    ExtractionRun,
    RunCall,
    Triggers,
    Unanalysed,
)
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.extraction import ExtractionBatch
from chingoo.ports.machine import Clock, Ids, Metrics
from chingoo.ports.models import Llm
from chingoo.ports.store import Store
from chingoo.service.ceiling import over_ceiling
from chingoo.service.gated_extraction import DELTAS
from chingoo.service.policies import PolicyHolder
from chingoo.service.voice import Voice, VoiceSettings

BATCHES: Final = "chingoo_extraction_batches_total"
OFFLINE: Final = "no model"
DISTRUSTED: Final = "too much of what batches learned was corrected"
REVIEWED: Final = "too much of what batches learned was found wrong in review; mend the prompt"
SWITCHED_OFF: Final = "policy has switched them off"

_STOPS: Final = {DISTRUSTED: "distrusted", REVIEWED: "paused", SWITCHED_OFF: "switched_off"}
_PASSED_OVER = "passed_over"
_OUTCOMES = {None: "answered", UNREADABLE: UNREADABLE}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Done:
    """How much a job did, and why it did nothing where it would not even look."""

    processed: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class _Draw:
    """Which share of what a run makes is drawn for review, and what made it."""

    share: float
    revision: str


class BatchExtraction:
    """The batches. A call that fails leaves a run that says so, and its messages for the next one."""

    def __init__(
        self,
        store: Store,
        policies: PolicyHolder,
        llm: Llm | None,
        clock: Clock,
        ids: Ids,
        metrics: Metrics,
        settings: VoiceSettings,
    ) -> None:
        self._store, self._policies, self._llm = store, policies, llm
        self._clock, self._ids, self._metrics, self._settings = clock, ids, metrics, settings

    async def run(self, now: datetime, user_ids: Sequence[UUID] | None) -> Done:
        """Look at what is due; how many batches a model answered."""
        if self._llm is None:
            return Done(0, OFFLINE)
        compiled = self._policies.current
        policy = compiled.bundle.extraction.batch
        revision = revision_of(compiled.bundle, self._model(self._llm, compiled.bundle))
        reviewed = standing(policy.review, await self._store.judged_samples(revision), now)
        stopped = await self._stopped(policy, reviewed, now)
        if stopped is not None:
            self._metrics.count(BATCHES, {"outcome": _STOPS[stopped]})
            _log.warning("no batches are extracted: %s", stopped)
            return Done(0, stopped)
        draw = _Draw(reviewed.share, revision)
        triggers, done, after = _triggers(policy), 0, None
        while found := await self._store.due_batches(now, triggers, policy.at_a_time, after, user_ids):
            done += sum(await asyncio.gather(*(self._extract(self._llm, one, triggers, draw, now) for one in found)))
            after = found[-1].user_id
        return Done(done)

    async def _stopped(self, policy: ExtractionBatch, reviewed: Standing, now: datetime) -> str | None:
        """Why there are no batches: switched off, or too much of it was wrong (CFG-04, CORR-15, BATCH-13)."""
        if not policy.on:
            return SWITCHED_OFF
        if reviewed.paused:
            return REVIEWED
        quality = await self._store.batch_quality(now - timedelta(days=policy.trust.days))
        wrong = quality.made >= policy.trust.memories and quality.wrong > policy.trust.wrong_share * quality.made
        return DISTRUSTED if wrong else None

    def _model(self, llm: Llm, bundle: Bundle) -> str:
        return self._settings.mechanics_model or bundle.models.mechanics.default_model.get(llm.provider, "")

    async def _extract(self, llm: Llm, due: DueBatch, triggers: Triggers, draw: "_Draw", now: datetime) -> bool:
        """Whether a model answered about this batch. Somebody else may have begun it, or the person may be gone."""
        compiled = self._policies.current
        try:
            if not await self._may_cost(due.user_id, compiled):
                return False
            most = max(1, compiled.bundle.extraction.batch.most_messages >> due.spoilt)
            found = await self._store.unanalysed(due.user_id, due.conversation_id, most)
            run = _begun(due, self._ids.uuid(), found, now)
            if not await self._store.begin_extraction(run, triggers):
                return False
            return await self._ask(llm, compiled, due, run, found, draw)
        except NotFoundError:
            self._metrics.count(BATCHES, {"outcome": "gone"})
            return False

    async def _ask(
        self, llm: Llm, compiled: CompiledPolicy, due: DueBatch, run: ExtractionRun, found: Unanalysed, draw: "_Draw"
    ) -> bool:
        user, controls = await self._store.user(due.user_id)
        messages = to_learn_from(compiled, user, controls, found.messages)
        own = [one.message_id for one in messages if one.role is Role.USER]
        if not own:
            await self._store.end_extraction(due.user_id, None, lambda _: (MemoryEdit(), replace(run, error=None)))
            return False
        deadline = self._clock.monotonic() + self._settings.call_timeout_s
        models, clock, ids = compiled.bundle.models, self._clock, self._ids
        voice = Voice(llm, models, self._settings, clock, ids, self._metrics, deadline)
        prompt = batch_prompt(compiled, due, controls, await self._store.memories(due.user_id, False), messages)
        shape = compiled.bundle.answers[EXTRACTION]
        schema = asked_deltas(shape, extracted_families(compiled.bundle))
        text = await voice.ask("extract_batch", MECHANICS, prompt, bool, tries=1, schema=schema)
        call = voice.calls[-1]
        run = replace(
            run,
            llm_model=call.model,
            input_tokens=call.input_tokens,
            output_tokens=call.output_tokens,
            duration_ms=call.duration_ms,
        )
        deltas = None if text is None else read_deltas(shape, text)
        # What cannot be read of one message, time and again, must not keep those after it waiting (C-59).
        tries = compiled.bundle.extraction.batch.unreadable_tries
        over = replace(run, error=None, counts={_PASSED_OVER: 1})
        hopeless = len(found.messages) == 1 and due.spoilt >= tries

        def conclude(remembered: Remembered) -> tuple[MemoryEdit, ExtractionRun]:
            if deltas is None and call.error is None and hopeless:
                return MemoryEdit(), over
            if deltas is None:
                return MemoryEdit(), replace(run, error=call.error or UNREADABLE)
            edit, counts = learn_batch(compiled, due, run.run_id, user, messages, deltas, remembered)
            samples = drawn(compiled, edit, messages, draw.share, draw.revision)
            return edit, replace(run, error=None, counts=counts, deltas_applied=applied(counts), samples=samples)

        asked = RunCall(own[-1], call)
        try:
            ended = await self._store.end_extraction(due.user_id, asked, conclude)
        except StoreRefusedError:
            # What cannot be stored of one person must not keep the others waiting.
            refused = over if hopeless else replace(run, error=REFUSED)
            ended = await self._store.end_extraction(due.user_id, asked, lambda _: (MemoryEdit(), refused))
        return self._counted(ended)

    def _counted(self, ended: ExtractionRun) -> bool:
        """Count what became of a batch and of what was proposed in it (TEL-07, TEL-13); whether it was answered."""
        outcome = _PASSED_OVER if _PASSED_OVER in ended.counts else _OUTCOMES.get(ended.error, "failed")
        self._metrics.count(BATCHES, {"outcome": outcome})
        if outcome != "answered":
            return False
        for judged, many in ended.counts.items():
            self._metrics.count(DELTAS, {"outcome": judged}, many)
        return True

    async def _may_cost(self, user_id: UUID, compiled: CompiledPolicy) -> bool:
        """Whether the person's models have not cost enough for a day (S-21)."""
        return await over_ceiling(self._store, user_id, compiled.bundle.models.daily_ceiling_usd) is None


def _triggers(policy: ExtractionBatch) -> Triggers:
    return Triggers(
        gap=timedelta(minutes=policy.silent_minutes),
        messages=policy.waiting_messages,
        wait=timedelta(minutes=policy.waiting_minutes),
        apart=timedelta(minutes=policy.apart_minutes),
    )


def _begun(due: DueBatch, run_id: UUID, found: Unanalysed, now: datetime) -> ExtractionRun:
    return ExtractionRun(
        user_id=due.user_id,
        run_id=run_id,
        conversation_id=due.conversation_id,
        triggered_by=due.triggered_by,
        up_to=found.up_to,
        messages_analyzed=len(found.messages),
        created_at=now,
    )
