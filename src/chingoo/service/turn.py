"""One turn: admit, decide, answer, settle; where store, policies and drafts meet (LIFE-05, S-01…S-04)."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from chingoo.errors import ConflictError, ForbiddenError, NotFoundError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.conclude import Timings, conclude
from chingoo.flow.gatekeep import (
    Draft,
    fixed_draft,
    safe_draft,
    still_holds,
)
from chingoo.flow.unready import unready_attempt
from chingoo.flow.view import TurnView, view_again, view_on, view_turn
from chingoo.model.people import StoredMessage
from chingoo.model.turn import Admission, AdmitOutcome, Admitted, Known, SettleOutcome, TurnRequest
from chingoo.ports.machine import Clock, Ids, Metrics
from chingoo.ports.models import Detector, Llm
from chingoo.ports.store import Store
from chingoo.service.drafting import Drafting
from chingoo.service.policies import PolicyHolder
from chingoo.service.safety_logs import TurnWriter
from chingoo.service.second_opinion import SecondOpinion
from chingoo.service.turn_counts import count_turn
from chingoo.service.voice import Voice, VoiceSettings


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """Times of a turn, in seconds (S-02).

    `deadline_s` is shared by all calls of a turn; the lease lasts `lease_margin_s` longer, by the database's clock. A
    message that finds the conversation busy waits until `patience_s` after the deadline. `reap_after_s`: a message left
    PROCESSING that long is settled with a safe reply. `reports_crises`: crises leave an event for `CrisisReporter`.
    """

    deadline_s: float
    lease_margin_s: float
    patience_s: float
    reap_after_s: float
    voice: VoiceSettings
    reports_crises: bool = False


class TurnWatcher(Protocol):
    """Somebody who looks at settled turns, without effect on them."""

    def settled(self, view: TurnView) -> None:
        """A turn was settled. Quick, and never raises: the answer waits."""
        ...


_FIRST_PAUSE_S = 0.01
_LONGEST_PAUSE_S = 0.2
_SETTLE_TRIES = 3


class TurnService:
    """Answers messages, each exactly once."""

    def __init__(
        self,
        store: Store,
        policies: PolicyHolder,
        llm: Llm | None,
        clock: Clock,
        ids: Ids,
        metrics: Metrics,
        settings: TurnSettings,
        watchers: Sequence[TurnWatcher] = (),
        detector: Detector | None = None,
    ) -> None:
        """`llm` is None for the offline composer, `detector` where none is asked."""
        self._opinion = None if detector is None else SecondOpinion(detector, clock, metrics)
        self._watchers = tuple(watchers)
        self._drafting = Drafting(store, llm, clock, ids, metrics, settings.voice)
        self._writer = TurnWriter(store, metrics, reports_crises=settings.reports_crises)
        self._store, self._policies = store, policies
        self._clock, self._ids, self._metrics, self._settings = clock, ids, metrics, settings

    async def take_turn(self, request: TurnRequest) -> Mapping[str, Any]:
        """The body of `POST /v1/turns`.

        ConflictError: the id was used for something else, or the conversation stays busy (with `retry_after_s`).
        NotFoundError: not this user's friend or conversation. ForbiddenError: intimate mode without its control.
        RateLimitedError: the daily ceiling of model costs; sent again later, the message is answered then.
        """
        with self._policies.use() as compiled:
            answer = await self._take(compiled, request)
        routing = answer["routing"]
        self._metrics.count(
            "chingoo_turns_total",
            {
                "pipeline": routing["pipeline"],
                "safety_policy": routing["safety_policy"],
                "origin": (answer["reply"] or {"origin": "none"})["origin"],
                "replayed": str(answer["replayed"]).lower(),
            },
        )
        return answer

    async def stored(self, user_id: UUID, message_id: UUID) -> tuple[int, Mapping[str, Any]]:
        """200 and the stored answer, or 202 while it is being made; NotFoundError if the id is unknown."""
        found = await self._store.answer_of(user_id, message_id)
        if found is None:
            raise NotFoundError("no message with this id")
        status, answer = found
        if answer is None:
            return 202, {"message_id": str(message_id), "status": status}
        return 200, {**answer, "replayed": True}

    async def reap(self, user_ids: Sequence[UUID] | None = None, limit: int = 100) -> int:
        """Settle abandoned messages with a safe reply (S-02); how many."""
        reaped = 0
        for request in await self._store.stuck_turns(self._settings.reap_after_s, limit, user_ids):
            with self._policies.use() as compiled:
                token = self._ids.uuid()
                admitted = await self._admit(compiled, request, token, closing=True)
                if admitted.outcome is AdmitOutcome.ADMITTED and admitted.known is not None:
                    answer = await self._answer(compiled, request, admitted.known, token, abandoned=True)
                    reaped += answer is not None
        return reaped

    async def _take(self, compiled: CompiledPolicy, request: TurnRequest) -> Mapping[str, Any]:
        settings = self._settings
        give_up = self._clock.monotonic() + settings.deadline_s + settings.patience_s
        pause = _FIRST_PAUSE_S
        while True:
            token = self._ids.uuid()
            admitted = await self._admit(compiled, request, token)
            retry_after = max(1.0, admitted.retry_after_s)
            match admitted.outcome:
                case AdmitOutcome.REPLAY if admitted.answer is not None:
                    return {**admitted.answer, "replayed": True}
                case AdmitOutcome.ADMITTED if admitted.known is not None:
                    answer = await self._answer(compiled, request, admitted.known, token)
                    if answer is not None:
                        return answer
                case AdmitOutcome.NOT_READY if admitted.known is not None:
                    return await self._unready(compiled, request, admitted.known)
                case AdmitOutcome.NOT_FOUND:
                    raise NotFoundError("no such user, friend or conversation")
                case AdmitOutcome.MODE_FORBIDDEN:
                    raise ForbiddenError("intimate mode is switched off; the person switches it on in the controls")
                case AdmitOutcome.CONFLICT:
                    raise ConflictError("this message_id was used for another message; send a new id")
                case _:
                    pass
            # Busy, or the lease was lost to somebody who now answers this message: wait for their answer.
            if self._clock.monotonic() + pause >= give_up:
                raise ConflictError("the conversation is busy with another message", retry_after_s=retry_after)
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE_S)

    async def _admit(
        self, compiled: CompiledPolicy, request: TurnRequest, token: UUID, *, closing: bool = False
    ) -> Admitted:
        return await self._store.admit(
            Admission(
                request=request,
                lease_token=token,
                lease_seconds=self._settings.deadline_s + self._settings.lease_margin_s,
                required_answers=compiled.bundle.onboarding.required,
                history_limit=compiled.history_limit,
                reply_window=compiled.reply_window,
                closing=closing,
            )
        )

    async def _unready(self, compiled: CompiledPolicy, request: TurnRequest, known: Known) -> Mapping[str, Any]:
        attempt = unready_attempt(compiled, request, known, self._ids.uuid())
        await self._writer.attempt(attempt)
        return attempt.answer

    async def _answer(
        self, compiled: CompiledPolicy, request: TurnRequest, known: Known, token: UUID, *, abandoned: bool = False
    ) -> Mapping[str, Any] | None:
        """Answer under the lease; None when the lease was lost, and nothing was written."""
        timings = Timings(started=self._clock.monotonic())
        try:
            view = view_turn(compiled, request, known, trace_id=self._ids.uuid(), decision_id=self._ids.uuid())
            timings.mark("decide", self._clock.monotonic())
            view = view if abandoned else await self._heard(view, timings)
            voice = self._drafting.voice(compiled, self._settings.deadline_s)
            fixed = fixed_draft(view, await self._evidence(view))
            fixed = fixed or (safe_draft(view) if abandoned else None)
            view, draft = (view, fixed) if fixed is not None else await self._drafting.drafted(view, voice)
            timings.mark("reply", self._clock.monotonic())
            return await self._settle(view, draft, voice, token, timings)
        except BaseException:
            # The message stays PROCESSING: sent again, it is taken up at once instead of when the lease runs out.
            await self._store.release(request, token)
            raise

    async def _heard(self, view: TurnView, timings: Timings) -> TurnView:
        """The turn as it stands once the detector was heard, or is not waited for any longer."""
        pending = self._opinion.ask(view) if self._opinion is not None else None
        if pending is None:
            return view
        try:
            view = view_again(view, await pending)
        finally:
            pending.cancel()
        timings.mark("detector", self._clock.monotonic())
        return view

    async def _evidence(self, view: TurnView) -> Sequence[StoredMessage]:
        """The messages behind the memory whose source the person asks for; none where nobody asks (S-17)."""
        memory_id = view.remembered.source_of
        return () if memory_id is None else await self._store.evidence(view.request.user_id, memory_id)

    async def _settle(
        self, view: TurnView, draft: Draft, voice: Voice | None, token: UUID, timings: Timings
    ) -> Mapping[str, Any] | None:
        for _ in range(_SETTLE_TRIES):
            calls = tuple(voice.calls) if voice else ()
            settlement = conclude(view, draft, token, timings.done(self._clock.monotonic()), calls)
            outcome = await self._writer.settle(settlement)
            if outcome is SettleOutcome.SETTLED:
                count_turn(self._metrics, view, draft, calls, timings.done(self._clock.monotonic()))
                self._drafting.settled(view)
                for watcher in self._watchers:
                    watcher.settled(view)
                return settlement.answer
            if outcome is SettleOutcome.LEASE_LOST:
                self._metrics.count("chingoo_leases_lost_total")
                return None
            # Somebody else wrote this user's memory meanwhile: what is known is read again, the pure part runs again.
            compiled = view.compiled
            known = await self._store.reread(view.request, token, compiled.history_limit, compiled.reply_window)
            if known is None:
                return None
            before, view = view.known, view_on(view, known)
            if not still_holds(view, draft, before):
                draft = safe_draft(view)
        raise ConflictError("the person's memory is being changed by others at the moment", retry_after_s=1.0)
