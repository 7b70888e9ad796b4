"""Everything one turn is about, once it is decided: the ground that prompt, gates and settlement stand on."""

from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from chingoo.engine.detector import OFF
from chingoo.engine.evaluate import evaluate
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.records import evaluation_input
from chingoo.model.decision import Decision, Utterance
from chingoo.model.enums import ReplyOrigin, Role
from chingoo.model.people import Friend, StoredMessage
from chingoo.model.turn import Known, TurnRequest
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.reply.gates.given import friend_targets, gate_input
from chingoo.reply.gates.report import GateInput, Surfaced
from chingoo.reply.plan import PlanInput, ResponsePlan, plan_reply
from chingoo.reply.prompt_input import PromptInput


@dataclass(frozen=True, slots=True)
class TurnView:
    """One decided turn. `known` may be read again before settling; the decision and the plan stay as they are."""

    compiled: CompiledPolicy
    request: TurnRequest
    known: Known
    friend: Friend
    template: PersonaTemplate
    decision: Decision
    plan: ResponsePlan
    trace_id: UUID
    decision_id: UUID

    @property
    def history(self) -> tuple[StoredMessage, ...]:
        """The messages of this turn's mode that can be shown; the other mode has a history of its own (PERS-32)."""
        mode = self.request.mode
        return tuple(one for one in self.known.history if one.mode == mode and one.text is not None)

    @property
    def seed(self) -> int:
        """A seed for what is varied offline: the same for the same message."""
        return self.request.message_id.int & 0xFFFFFFFF

    def gates(self, reply: str, origin: ReplyOrigin, surfaced: tuple[Surfaced, ...] = ()) -> GateInput:
        """The gates' input for a reply to this turn."""
        return gate_input(
            self.decision,
            reply=reply,
            user_text=self.request.text,
            targets=friend_targets(self.template, self.friend.assignment.stable_style_params),
            stage=self.known.relationship.relationship_stage,
            mode=self.request.mode,
            source=self.request.source,
            origin=origin,
            suppressed_topics=self.known.controls.suppressed_topics,
            previous_replies=self.known.recent_replies,
            surfaced=surfaced,
        )

    def prompt_input(self) -> PromptInput:
        """What the prompt is made of."""
        known = self.known
        return PromptInput(
            template=self.template,
            style=self.friend.assignment.stable_style_params,
            stage=known.relationship.relationship_stage,
            plan=self.plan,
            user_text=self.request.text,
            mode=self.request.mode,
            voice=known.controls.intimate_persona,
            friend_name=self.friend.name,
            person_name=known.user.answers.preferred_name,
            suppressed_topics=frozenset(known.controls.suppressed_topics),
            history=tuple(Utterance(one.role, one.text) for one in self.history if one.text is not None),
            intensity=round(abs(self.decision.signals.valence) * 10),
            turn=sum(one.role is Role.USER for one in self.history) + 1,
            asks_if_ai=self.decision.signals.asks_if_ai,
        )


def view_turn(
    compiled: CompiledPolicy,
    request: TurnRequest,
    known: Known,
    *,
    trace_id: UUID,
    decision_id: UUID,
    detector: str = OFF,
) -> TurnView:
    """Decide and plan an admitted turn. `detector` is what one has said by now, a value of the fact of that name."""
    if known.friend is None:
        raise ValueError("an admitted turn has a friend")
    decision = evaluate(compiled.engine, replace(evaluation_input(compiled, request, known), detector=detector))
    template = compiled.bundle.personas[known.friend.assignment.persona_template_id]
    plan = plan_reply(compiled.bundle, _plan_input(compiled, request, known, known.friend, template, decision))
    return TurnView(
        compiled=compiled,
        request=request,
        known=known,
        friend=known.friend,
        template=template,
        decision=decision,
        plan=plan,
        trace_id=trace_id,
        decision_id=decision_id,
    )


def view_again(view: TurnView, detector: str) -> TurnView:
    """The same turn, decided and planned once more with what the detector has said meanwhile."""
    return view_turn(
        view.compiled,
        view.request,
        view.known,
        trace_id=view.trace_id,
        decision_id=view.decision_id,
        detector=detector,
    )


def _plan_input(
    compiled: CompiledPolicy,
    request: TurnRequest,
    known: Known,
    friend: Friend,
    template: PersonaTemplate,
    decision: Decision,
) -> PlanInput:
    return PlanInput(
        template=template,
        style=friend.assignment.stable_style_params,
        energy=friend.assignment.combo_key.friend_energy,
        stage=known.relationship.relationship_stage,
        decision=decision,
        suppressed_topics=frozenset(known.controls.suppressed_topics),
        recent_replies=known.recent_replies,
        mode=request.mode,
        gentle=_gentle(compiled, known),
    )


def _gentle(compiled: CompiledPolicy, known: Known) -> bool:
    """Whether the day after a crisis has not passed (S-07); over all friends of the person."""
    if known.last_crisis_at is None:
        return False
    hours = compiled.bundle.planning.gentle_hours_after_crisis
    return known.received_at - known.last_crisis_at < timedelta(hours=hours)
