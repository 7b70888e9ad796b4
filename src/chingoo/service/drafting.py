"""The words of a reply where policy fixes none: asked of a model, gated, rewritten once at most, or safe (GATE-02)."""

from dataclasses import replace
from uuid import UUID

from chingoo.errors import RateLimitedError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.gatekeep import Draft, Judgement, judge, offline_draft, reply_prompt, rewrite_prompt, safe_draft
from chingoo.flow.tier import model_role
from chingoo.flow.view import TurnView
from chingoo.ports.machine import Clock, Ids, Metrics
from chingoo.ports.models import Llm
from chingoo.ports.turns import TurnStore
from chingoo.reply.protocol import spoken
from chingoo.service.ceiling import over_ceiling
from chingoo.service.gated_extraction import GatedExtraction, let_go
from chingoo.service.turn_counts import count_prompt
from chingoo.service.voice import Voice, VoiceSettings


class Drafting:
    """Makes drafts, and beside them asks what there is to remember (LLM-04)."""

    def __init__(
        self, store: TurnStore, llm: Llm | None, clock: Clock, ids: Ids, metrics: Metrics, settings: VoiceSettings
    ) -> None:
        """`llm` is None for the offline composer."""
        self._store, self._llm = store, llm
        self._clock, self._ids, self._metrics, self._settings = clock, ids, metrics, settings
        self._extraction = GatedExtraction(metrics)

    def voice(self, compiled: CompiledPolicy, seconds: float) -> Voice | None:
        """The model for one turn that has so many seconds left; None where no model answers."""
        if self._llm is None:
            return None
        return Voice(
            llm=self._llm,
            models=compiled.bundle.models,
            settings=self._settings,
            clock=self._clock,
            ids=self._ids,
            metrics=self._metrics,
            deadline=self._clock.monotonic() + seconds,
        )

    async def drafted(self, view: TurnView, voice: Voice | None) -> tuple[TurnView, Draft]:
        """The words, and the turn with what a model found beside them to remember.

        RateLimitedError: the daily ceiling of model costs.
        """
        if voice is None:
            return view, offline_draft(view)
        await self._within_ceiling(view.request.user_id, view.compiled.bundle.models.daily_ceiling_usd)
        pending = self._extraction.ask(view, voice)
        try:
            draft = await self._draft(view, voice)
            return await self._extraction.heard(view, pending), draft
        finally:
            await let_go(pending)

    def settled(self, view: TurnView) -> None:
        """The turn was written, and with it what was found to remember."""
        self._extraction.settled(view)

    async def _within_ceiling(self, user_id: UUID, ceiling_usd: float | None) -> None:
        """RateLimitedError where the person's models have cost enough for a day (S-21); fixed words never come here."""
        spent = await over_ceiling(self._store, user_id, ceiling_usd)
        if spent is not None:
            self._metrics.count("chingoo_cost_ceiling_total")
            raise RateLimitedError("the models have cost enough for this person today", max(1.0, spent.eases_in_s))

    async def _draft(self, view: TurnView, voice: Voice) -> Draft:
        models = view.compiled.bundle.models
        role = model_role(models.router, view.decision, view.request.text)
        prompt = reply_prompt(view)
        count_prompt(self._metrics, prompt, view.decision.routing.pipeline, role)
        first = await voice.ask("reply", role, prompt.messages, _speaks, tries=1 + models.retries)
        if first is None:
            return safe_draft(view)
        judged = judge(view, first)
        if judged.passed:
            return judged.draft
        return await self._rewritten(view, voice, judged)

    async def _rewritten(self, view: TurnView, voice: Voice, judged: Judgement) -> Draft:
        models = view.compiled.bundle.models
        for violation in judged.report.violations:
            self._metrics.count("chingoo_gate_violations_total", {"gate": violation.gate})
        if voice.remaining() > models.rewrite_reserve_seconds:
            role = model_role(models.router, view.decision, view.request.text, mechanical=True)
            second = await voice.ask("rewrite", role, rewrite_prompt(view, judged), _speaks, tries=1)
            if second is not None:
                again = judge(view, second)
                if again.passed:
                    return replace(again.draft, rewritten=True)
        return safe_draft(view, rewritten=True)


def _speaks(text: str) -> bool:
    """Whether anything is left for the user once the protocol's tags are off (LLM-02)."""
    return bool(spoken(text).strip())
