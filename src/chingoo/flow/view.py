"""Everything one turn is about, once it is decided: the ground that prompt, gates and settlement stand on."""

from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo
from uuid import UUID

from chingoo.engine.detector import OFF
from chingoo.engine.evaluate import evaluate
from chingoo.flow.before import closed_topics, talk_of
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.feeling import intensity, trend
from chingoo.flow.records import evaluation_input, zone_of
from chingoo.flow.remember import Remembered, remember
from chingoo.flow.showing import context_items, offered
from chingoo.memory.deltas import Delta
from chingoo.memory.grammar import Reading
from chingoo.model.decision import Decision, Utterance
from chingoo.model.enums import ReplyOrigin, Role, TopicID
from chingoo.model.people import Friend, Memory, Relationship, StoredMessage
from chingoo.model.turn import Known, TurnRequest
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.reply.gates.given import friend_targets, gate_input
from chingoo.reply.gates.report import GateInput, Surfaced
from chingoo.reply.plan import PlanInput, ResponsePlan, plan_reply
from chingoo.reply.prompt_input import PromptInput


@dataclass(frozen=True, slots=True)
class TurnView:
    """One decided turn. `known` may be read again before settling; the decision and the plan stay as they are.

    `closed` are the topics that the person closes with this message, None if none; `known` holds them already.
    `offered` are the memories that the model is shown, `proposed` what a model would remember of this message.
    """

    compiled: CompiledPolicy
    request: TurnRequest
    known: Known
    friend: Friend
    template: PersonaTemplate
    decision: Decision
    plan: ResponsePlan
    reading: Reading
    closed: tuple[TopicID, ...] | None
    remembered: Remembered
    offered: tuple[Memory, ...]
    trace_id: UUID
    decision_id: UUID
    proposed: tuple[Delta, ...] = ()

    @property
    def history(self) -> tuple[StoredMessage, ...]:
        """The messages of this turn's mode that can be shown; the other mode has a history of its own (PERS-32)."""
        return tuple(talk_of(self.known.history, self.request.mode))

    @property
    def zone(self) -> tzinfo:
        """Where the person's clock stands; UTC where nobody said."""
        return zone_of(self.request, self.known)

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
        known, feeling = self.known, intensity(self.decision.signals.valence)
        engine, policy = self.compiled.engine, self.compiled.bundle.planning.feeling_trend
        said = [one.text for one in self.history if one.role is Role.USER and one.text is not None]
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
            intensity=feeling,
            turn=sum(one.role is Role.USER for one in self.history) + 1,
            asks_if_ai=self.decision.signals.asks_if_ai,
            trend=trend(engine, policy, said, feeling),
            items=context_items(self.compiled, self.offered, known.received_at),
            heeded=self.remembered.heeded,
            only_heeded=self.remembered.only_commands,
            minor=not self.decision.effective_age_band.is_adult,
            grown_closer=_grown_closer(known.relationship),
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
    friend = known.friend
    if friend is None:
        raise ValueError("an admitted turn has a friend")
    reading = compiled.memory.corrections.read(request.text)
    closed = closed_topics(compiled.engine, reading, talk_of(known.history, request.mode))
    known = _with_topics(known, closed)
    decision = evaluate(compiled.engine, replace(evaluation_input(compiled, request, known), detector=detector))
    remembered = remember(compiled, request, known, decision, reading, closed)
    template = compiled.bundle.personas[friend.assignment.persona_template_id]
    plan = plan_reply(compiled.bundle, _plan_input(compiled, request, known, friend, template, decision))
    return TurnView(
        compiled=compiled,
        request=request,
        known=known,
        friend=friend,
        template=template,
        decision=decision,
        plan=plan,
        reading=reading,
        closed=closed,
        remembered=remembered,
        offered=offered(compiled, request, decision, remembered.known),
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


def view_on(view: TurnView, known: Known) -> TurnView:
    """The same turn on what is known by now; what it does to memories is worked out again, and nothing else."""
    known = _with_topics(replace(known, activated=view.known.activated), view.closed)
    return _remembering(replace(view, known=known))


def view_with(view: TurnView, proposed: tuple[Delta, ...]) -> TurnView:
    """The same turn with what a model would remember of it."""
    return _remembering(replace(view, proposed=proposed)) if proposed else view


def _remembering(view: TurnView) -> TurnView:
    """The turn with what it does to memories worked out again."""
    remembered = remember(
        view.compiled, view.request, view.known, view.decision, view.reading, view.closed, view.proposed
    )
    return replace(view, remembered=remembered)


def _with_topics(known: Known, closed: tuple[TopicID, ...] | None) -> Known:
    """What is known with the topics closed that this very message closes: it works at once (CORR-07)."""
    if not closed:
        return known
    topics = tuple(dict.fromkeys((*known.controls.suppressed_topics, *closed)))
    return replace(known, controls=replace(known.controls, suppressed_topics=topics))


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


def _grown_closer(relationship: Relationship) -> bool:
    """Whether the person's last message took the two a stage further (PROMPT-11)."""
    promoted_at = relationship.last_stage_promotion_at
    return promoted_at is not None and promoted_at == relationship.last_user_message_at
