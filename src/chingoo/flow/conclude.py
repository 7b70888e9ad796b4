"""What a finished turn leaves behind: the answer, the relationship, the memories, the records (one settlement)."""

from dataclasses import dataclass, field, fields
from typing import Any
from uuid import UUID

from chingoo.flow.answers import brief_memory_body, policy_body, routing_body, signals_body
from chingoo.flow.gatekeep import Draft
from chingoo.flow.identity import reply_id
from chingoo.flow.records import crisis_event, crisis_row, guard_row
from chingoo.flow.view import TurnView
from chingoo.memory.lifecycle import Account
from chingoo.model.enums import AgeBand, Role, Switch, UserState
from chingoo.model.people import Relationship
from chingoo.model.turn import DecisionRow, LlmCallRow, ReplyRow, Settlement
from chingoo.relationship.evidence import gather_evidence
from chingoo.relationship.update import update
from chingoo.reply.disclosure import Notice, due_notices


@dataclass(slots=True)
class Timings:
    """When the steps of a turn ended, in seconds of the monotonic clock; read out in milliseconds."""

    started: float
    marks: list[tuple[str, float]] = field(default_factory=list)

    def mark(self, step: str, now: float) -> None:
        """A step ends now."""
        self.marks.append((step, now))

    def done(self, now: float) -> dict[str, float]:
        """Milliseconds of each step and in all, with three decimals."""
        spans, before = {}, self.started
        for step, end in self.marks:
            spans[step] = round((end - before) * 1000, 3)
            before = end
        return spans | {"total": round((now - self.started) * 1000, 3)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the relationship stands after the turn; `after` is None when it must not change."""

    shown: Relationship
    delta: int
    after: Relationship | None


def conclude(
    view: TurnView, draft: Draft, token: UUID, timings: dict[str, float], calls: tuple[LlmCallRow, ...]
) -> Settlement:
    """The settlement of a turn. Pure: run again on what is known by then, after somebody else wrote (settle)."""
    relationship = _relationship(view)
    notices = due_notices(view.compiled.bundle, view.decision, view.known)
    remembered = view.remembered
    row = ReplyRow(
        message_id=reply_id(view.request.user_id, view.request.message_id),
        text=draft.text,
        origin=draft.origin,
        rewritten=draft.rewritten,
        surfaced_memory_ids=draft.surfaced,
    )
    signals = view.decision.signals
    return Settlement(
        request=view.request,
        received_at=view.known.received_at,
        lease_token=token,
        mem_version=view.known.user.mem_version,
        reply=row,
        answer=_answer(view, row, relationship, notices, timings),
        decision=_decision_row(view, timings),
        relationship=relationship.after,
        memory_changes=remembered.changes,
        corrections=remembered.corrections,
        suppressed_keys=remembered.suppressed_keys,
        unsuppressed_keys=remembered.unsuppressed_keys,
        suppressed_topics=view.closed or (),
        extracted_memory_candidate_ids=_candidates(remembered.account),
        crisis=crisis_row(view.decision),
        guard=guard_row(view.decision),
        event=crisis_event(view.request, view.known, view.decision),
        llm_calls=calls,
        lower_age_band_to=AgeBand.B13_17 if signals.claimed_minor else None,
        claimed_under_13=signals.claimed_under_13,
        disclosed_at=view.known.received_at if notices else None,
    )


def _candidates(account: Account) -> tuple[UUID, ...]:
    """The memories that the message made, confirmed or replaced (LIFE-07)."""
    return tuple(one.memory_id for one in (*account.created, *account.confirmed, *account.superseded))


def _relationship(view: TurnView) -> Outcome:
    before = view.known.relationship
    if view.decision.routing.relationship_update_policy is Switch.OFF:
        return Outcome(before, 0, None)
    policy = view.compiled.bundle.relationship
    history = view.history
    previous = history[-1].text if history and history[-1].role is Role.ASSISTANT else None
    evidence = gather_evidence(policy.limits, view.decision.signals, previous)
    updated = update(policy, before, evidence, view.known.received_at)
    return Outcome(updated.after, updated.delta, updated.after)


def _decision_row(view: TurnView, timings: dict[str, float]) -> DecisionRow:
    decision = view.decision
    return DecisionRow(
        decision_id=view.decision_id,
        trace_id=view.trace_id,
        pipeline=decision.routing.pipeline,
        safety_policy=decision.routing.safety_policy,
        rules=decision.rules,
        digest=decision.digest,
        facts_record=decision.facts_record,
        spans=decision.spans,
        timings_ms=timings,
        language=decision.signals.language,
    )


def _answer(
    view: TurnView,
    row: ReplyRow,
    relationship: Outcome,
    notices: tuple[Notice, ...],
    timings: dict[str, float],
) -> dict[str, Any]:
    shown, account = relationship.shown, view.remembered.account
    return {
        "trace_id": str(view.trace_id),
        "message_id": str(view.request.message_id),
        "replayed": False,
        "user_state": UserState.ACTIVE,
        "routing": routing_body(view.decision.routing),
        "signals": signals_body(view.decision.signals),
        "missing_onboarding": [],
        "reply": {
            "message_id": str(row.message_id),
            "text": row.text,
            "surfaced_memory_ids": [str(memory_id) for memory_id in row.surfaced_memory_ids],
            "origin": row.origin,
            "rewritten": row.rewritten,
        },
        "notices": [{"kind": notice.kind, "text": notice.text} for notice in notices],
        "relationship": {
            "relationship_stage": shown.relationship_stage,
            "rapport_score": shown.rapport_score,
            "sessions_count": shown.sessions_count,
            "delta": relationship.delta,
        },
        "memory": {
            part.name: [brief_memory_body(memory) for memory in getattr(account, part.name)] for part in fields(account)
        },
        "policy": policy_body(view.decision),
        "timings_ms": timings,
    }
