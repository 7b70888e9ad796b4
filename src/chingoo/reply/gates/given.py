"""Makes the gates' input from a decision and a friend, or from the body of `POST /v1/check-reply`."""

from collections.abc import Iterable

from chingoo.model.decision import Decision
from chingoo.model.enums import Mode, RelationshipStage, ReplyOrigin, Source, TopicID
from chingoo.model.people import StableStyleParams
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.reply.gates.report import GateInput, Surfaced, Targets


def friend_targets(template: PersonaTemplate, style: StableStyleParams) -> Targets:
    """What the gates hold a friend to: its frozen style, and its template's names of quirks."""
    return Targets(
        length=style.msg_length_pref,
        emoji=style.emoji_freq,
        lexicon=style.lexicon_bias,
        followup=style.followup_question_rate,
        quirks=style.punctuation_quirks,
        quirk_names=template.quirks,
    )


def known_targets(bundle: Bundle, template: PersonaTemplate | None, stated: Targets) -> Targets:
    """Stated values win over the template's defaults; what neither says stays unknown, and its gate is skipped."""
    if template is None:
        return stated
    speech = template.speech_style
    archetype = bundle.planning.assignment.styles[template.core_archetype]
    return Targets(
        length=stated.length or speech.sentence_length_bias,
        emoji=stated.emoji or speech.emoji_usage,
        lexicon=stated.lexicon or template.lexicon_bias.language_cleanliness,
        followup=stated.followup or archetype.followup_question_rate,
        quirks=speech.punctuation_quirks if stated.quirks is None else stated.quirks,
        quirk_names=template.quirks,
    )


def gate_input(
    decision: Decision,
    *,
    reply: str,
    user_text: str,
    targets: Targets,
    stage: RelationshipStage = RelationshipStage.STRANGER,
    mode: Mode = Mode.FRIEND,
    source: Source = Source.CHAT,
    origin: ReplyOrigin = ReplyOrigin.LLM,
    suppressed_topics: Iterable[TopicID] = (),
    previous_replies: Iterable[str] = (),
    surfaced: Iterable[Surfaced] = (),
) -> GateInput:
    """The gates' input for a reply to the message that was decided.

    The decision must have been made with the same suppressed topics and the template's taboo bounds.
    """
    signals = decision.signals
    raised = {match.topic for match in signals.topics if match.user_initiated}
    return GateInput(
        reply=reply,
        user_text=user_text,
        targets=targets,
        stage=stage,
        mode=mode,
        source=source,
        origin=origin,
        previous_replies=tuple(previous_replies),
        surfaced=tuple(surfaced),
        taboo_guard=frozenset(decision.taboo_guard),
        answer_only=frozenset(suppressed_topics) & raised,
        asks_recall=signals.asks_recall,
        farewell=signals.farewell,
        asks_if_ai=signals.asks_if_ai,
    )
