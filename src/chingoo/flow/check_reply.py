"""`POST /v1/check-reply`: the gates alone, for clients that bring their own model."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from chingoo.engine.evaluate import evaluate
from chingoo.flow.compiled import CompiledPolicy
from chingoo.model.decision import EvaluationInput
from chingoo.model.enums import (
    EmojiFreq,
    FollowupRate,
    Length,
    LexiconBias,
    Mode,
    RelationshipStage,
    ReplyOrigin,
    Source,
    TopicID,
)
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.reply.gates import check
from chingoo.reply.gates.given import gate_input, known_targets
from chingoo.reply.gates.report import Surfaced, Targets

Body = Mapping[str, Any]


def check_reply(compiled: CompiledPolicy, body: Body, now: datetime) -> dict[str, Any]:
    """The body of the answer. `body` holds every field of the contract as plain JSON values, already validated.

    KeyError: the persona template does not exist.
    """
    bundle, engine = compiled.bundle, compiled.engine
    template = None if body["persona_template_id"] is None else bundle.personas[body["persona_template_id"]]
    suppressed = frozenset(TopicID(topic) for topic in body["suppressed_topics"])
    decision = evaluate(engine, _asked(body, template, suppressed, now))
    report = check(
        bundle,
        engine,
        gate_input(
            decision,
            reply=body["reply"],
            user_text=body["user_text"],
            targets=known_targets(bundle, template, _stated(body["stable_style_params"] or {})),
            stage=RelationshipStage(body["relationship_stage"]),
            mode=Mode(body["mode"]),
            source=Source(body["source"]),
            origin=ReplyOrigin(body["origin"]),
            suppressed_topics=suppressed,
            previous_replies=body["previous_replies"],
            surfaced=[Surfaced(one["memory_id"], one["memory_key"]) for one in body["surfaced_memories"]],
        ),
    )
    return {
        "passed": report.passed,
        "violations": [
            {
                "gate": violation.gate,
                "detail": violation.detail,
                "measured": violation.measured,
                "allowed": violation.allowed,
            }
            for violation in report.violations
        ],
        "measures": report.measures.as_json(),
    }


def _asked(
    body: Body, template: PersonaTemplate | None, suppressed: frozenset[TopicID], now: datetime
) -> EvaluationInput:
    return EvaluationInput(
        text=body["user_text"],
        received_at=now,
        mode=Mode(body["mode"]),
        source=Source(body["source"]),
        suppressed_topics=suppressed,
        taboo_soft_bounds=frozenset(template.taboo_soft_bounds) if template else frozenset(),
    )


def _stated(style: Body) -> Targets:
    def given(name: str, kind: Any) -> Any:
        return kind(style[name]) if style.get(name) is not None else None

    return Targets(
        length=given("msg_length_pref", Length),
        emoji=given("emoji_freq", EmojiFreq),
        lexicon=given("lexicon_bias", LexiconBias),
        followup=given("followup_question_rate", FollowupRate),
        quirks=style.get("punctuation_quirks"),
    )
