"""What a user is told who may not chat yet: CREATED, or ONBOARDING with something missing (ONB-01, ONB-08, C-19)."""

from typing import Any
from uuid import UUID

from chingoo.engine.evaluate import evaluate
from chingoo.flow.answers import policy_body, routing_body, signals_body
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.identity import reply_id
from chingoo.flow.records import crisis_event, crisis_row, evaluation_input, guard_row
from chingoo.model.decision import Decision
from chingoo.model.enums import ReplyOrigin, SafetyPolicy, UserState
from chingoo.model.turn import Attempt, Known, TurnRequest


def unready_attempt(compiled: CompiledPolicy, request: TurnRequest, known: Known, trace_id: UUID) -> Attempt:
    """The answer, and what is logged of it: nothing but a crisis or guard row, and the answer itself while CREATED.

    Policy fixes the words for CREATED users, a crisis and a hard refusal; an incomplete ONBOARDING user gets no reply.
    """
    decision = evaluate(compiled.engine, evaluation_input(compiled, request, known))
    created = known.user.state is UserState.CREATED
    urgent = decision.signals.crisis.detected or decision.routing.safety_policy is SafetyPolicy.HARD_REFUSE
    return Attempt(
        request=request,
        answer=_body(request, known, decision, trace_id, speaks=created or urgent),
        keep_answer=created,
        crisis=crisis_row(decision),
        guard=guard_row(decision),
        event=crisis_event(request, known, decision),
    )


def _body(request: TurnRequest, known: Known, decision: Decision, trace_id: UUID, *, speaks: bool) -> dict[str, Any]:
    reply = None
    if speaks and decision.reply is not None:
        reply = {
            "message_id": str(reply_id(request.user_id, request.message_id)),
            "text": decision.reply,
            "surfaced_memory_ids": [],
            "origin": ReplyOrigin.FIXED,
            "rewritten": False,
        }
    return {
        "trace_id": str(trace_id),
        "message_id": str(request.message_id),
        "replayed": False,
        "user_state": known.user.state,
        "routing": routing_body(decision.routing),
        "signals": signals_body(decision.signals),
        "missing_onboarding": list(known.missing),
        "reply": reply,
        "notices": [],
        "relationship": None,
        "memory": {"created": [], "confirmed": [], "superseded": [], "invalidated": [], "disputed": []},
        "policy": policy_body(decision),
        "timings_ms": {},
    }
