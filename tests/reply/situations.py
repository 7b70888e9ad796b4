"""Ready-made friends, decisions and gate inputs for the tests of replies."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace as changed

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import Decision, EvaluationInput
from chingoo.model.enums import (
    AgeBand,
    EmojiFreq,
    FollowupRate,
    Language,
    Length,
    LexiconBias,
    Pipeline,
    RelationshipStage,
    ReplyOrigin,
    TopicID,
)
from chingoo.model.people import StableStyleParams
from chingoo.persona.style import defaults, stable_style
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.reply.composer import ComposeInput
from chingoo.reply.gates import check
from chingoo.reply.gates.given import friend_targets, gate_input
from chingoo.reply.gates.report import GateInput, GateReport, Targets
from chingoo.reply.plan import PlanInput, ResponsePlan, plan_reply

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

PLAIN = Targets(
    length=Length.SHORT,
    emoji=EmojiFreq.LIGHT,
    lexicon=LexiconBias.SLANG,
    followup=FollowupRate.MEDIUM,
    quirks=2,
)

CHAIR = {
    Language.EN: "there is a blue chair near the window",
    Language.KO: "창문 옆에 파란 의자가 있어",
    Language.RU: "у окна стоит синий стул",
    Language.AR: "هناك كرسي أزرق قرب النافذة",
    Language.ES: "hay una silla azul junto a la ventana",
    Language.FR: "il y a une chaise bleue près de la fenêtre",
    Language.DE: "am Fenster steht ein blauer Stuhl",
    Language.IT: "c'è una sedia blu vicino alla finestra",
}


def decided(
    engine: Engine,
    text: str,
    *,
    suppressed: Iterable[TopicID] = (),
    taboo: Iterable[TopicID] = (),
    pipeline: Pipeline | None = None,
    **signals: Any,
) -> Decision:
    """The engine's decision about a message of an adult, with signals and pipeline as wished."""
    decision = evaluate(
        engine,
        EvaluationInput(
            text=text,
            received_at=NOON,
            age_band=AgeBand.B25_34,
            suppressed_topics=frozenset(suppressed),
            taboo_soft_bounds=frozenset(taboo),
        ),
    )
    if signals:
        decision = changed(decision, signals=changed(decision.signals, **signals))
    if pipeline is not None:
        decision = changed(decision, routing=replace(decision.routing, pipeline=pipeline))
    return decision


def style_of(bundle: Bundle, template: PersonaTemplate) -> StableStyleParams:
    """The style a friend of this template has before any mutation."""
    return stable_style(template, defaults(template), bundle.planning.assignment.styles)


def planned(
    bundle: Bundle,
    decision: Decision,
    template: PersonaTemplate,
    style: StableStyleParams | None = None,
    **more: Any,
) -> ResponsePlan:
    """A plan for a reply of a friend of this template."""
    given = PlanInput(
        template=template,
        style=style or style_of(bundle, template),
        energy=template.friend_energy,
        stage=more.pop("stage", RelationshipStage.FRIEND),
        decision=decision,
        **more,
    )
    return plan_reply(bundle, given)


def composing(
    bundle: Bundle,
    decision: Decision,
    template: PersonaTemplate,
    *,
    style: StableStyleParams | None = None,
    stage: RelationshipStage = RelationshipStage.FRIEND,
    previous: Iterable[str] = (),
    seed: int = 7,
) -> ComposeInput:
    """What the composer is given for a reply to a decided message."""
    style = style or style_of(bundle, template)
    earlier = tuple(previous)
    return ComposeInput(
        template=template,
        style=style,
        stage=stage,
        plan=planned(bundle, decision, template, style, stage=stage, recent_replies=earlier),
        decision=decision,
        gates=gate_input(
            decision,
            reply="",
            user_text=decision.signals.user_text_norm,
            targets=friend_targets(template, style),
            stage=stage,
            previous_replies=earlier,
        ),
        seed=seed,
    )


def judged(bundle: Bundle, engine: Engine, reply: str, **more: Any) -> GateReport:
    """The verdict on a reply of a friend with plain targets, at the stage FRIEND."""
    settled: dict[str, Any] = {"targets": PLAIN, "stage": RelationshipStage.FRIEND, "origin": ReplyOrigin.LLM} | more
    return check(bundle, engine, GateInput(reply=reply, **settled))
