"""The plan of one reply: tone, acknowledgement, outline and whether a question helps (PLAN-01…03, POL-06…10)."""

from dataclasses import dataclass

from chingoo.model.decision import Decision
from chingoo.model.enums import FriendEnergy, LexiconBias, Mode, RelationshipStage, TopicID
from chingoo.model.people import StableStyleParams
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import CountBand, QuestionWindow, SentenceBand
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.planning import AckStyle, PlanRule, Tone
from chingoo.reply.gates.followup_rate import questions_in
from chingoo.reply.gates.look import abbreviations_of


@dataclass(frozen=True, slots=True)
class PlanInput:
    """What a plan follows from. `recent_replies` are the assistant's in this mode, oldest first.

    `energy` is the friend's after mutation (of its combo key). `gentle` holds for the day after a crisis.
    """

    template: PersonaTemplate
    style: StableStyleParams
    energy: FriendEnergy
    stage: RelationshipStage
    decision: Decision
    suppressed_topics: frozenset[TopicID] = frozenset()
    recent_replies: tuple[str, ...] = ()
    mode: Mode = Mode.FRIEND
    gentle: bool = False


@dataclass(frozen=True, slots=True)
class PersonaConstraints:
    """The hard bounds of a reply (PLAN-03). `quirks` are the habits that may show; `avoid` must not be brought up."""

    emoji: CountBand
    sentences: SentenceBand
    lexicon: LexiconBias
    quirks: tuple[str, ...]
    questions: QuestionWindow
    stage: RelationshipStage
    avoid: tuple[TopicID, ...]


@dataclass(frozen=True, slots=True)
class ResponsePlan:
    """What the reply should do (PLAN-01). `answer_only` are suppressed topics the user raised now (POL-09).

    `touched` are guarded topics that the message touches without raising them.
    `followup_question` is 0 or 1. `rule` names the row of the plan table that decided.
    """

    rule: str
    emotional_tone: Tone
    ack_style: AckStyle
    answer_outline: tuple[str, ...]
    followup_question: int
    taboo_guard: tuple[TopicID, ...]
    answer_only: tuple[TopicID, ...]
    touched: tuple[TopicID, ...]
    gentle: bool
    constraints: PersonaConstraints


def plan_reply(bundle: Bundle, given: PlanInput) -> ResponsePlan:
    """The plan, from the bundle's plan table; its last row holds always."""
    row = next(row for row in bundle.planning.plan if _holds(row, given))
    matches = given.decision.signals.topics
    raised = {match.topic for match in matches if match.user_initiated}
    seen = {match.topic for match in matches}
    answer_only = tuple(topic for topic in TopicID if topic in given.suppressed_topics and topic in raised)
    return ResponsePlan(
        rule=row.id,
        emotional_tone=row.tone,
        ack_style=row.ack,
        answer_outline=row.outline,
        followup_question=int(not answer_only and _question_helps(bundle, given)),
        taboo_guard=given.decision.taboo_guard,
        answer_only=answer_only,
        touched=tuple(topic for topic in given.decision.taboo_guard if topic in seen),
        gentle=given.gentle,
        constraints=constraints_of(bundle, given),
    )


def constraints_of(bundle: Bundle, given: PlanInput) -> PersonaConstraints:
    """The bounds that persona, stage and controls set (PLAN-02)."""
    gates, style = bundle.gates, given.style
    return PersonaConstraints(
        emoji=gates.emoji[style.emoji_freq],
        sentences=gates.sentences[style.msg_length_pref],
        lexicon=style.lexicon_bias,
        quirks=given.template.quirks[: style.punctuation_quirks],
        questions=gates.questions.by_rate[style.followup_question_rate],
        stage=given.stage,
        avoid=given.decision.taboo_guard,
    )


def _holds(row: PlanRule, given: PlanInput) -> bool:
    signals = given.decision.signals
    conditions = (
        row.pipelines is None or given.decision.routing.pipeline in row.pipelines,
        row.archetypes is None or given.template.core_archetype in row.archetypes,
        row.humor_modes is None or given.style.humor_mode in row.humor_modes,
        row.modes is None or given.mode in row.modes,
        row.valence_at_most is None or signals.valence <= row.valence_at_most,
        row.valence_at_least is None or signals.valence >= row.valence_at_least,
        row.feelings is None or not set(row.feelings).isdisjoint(signals.emotion_tags),
        row.gentle is None or given.gentle is row.gentle,
        row.farewell is None or signals.farewell is row.farewell,
        row.about_friend is None or signals.asks_about_friend is row.about_friend,
    )
    return all(conditions)


def _question_helps(bundle: Bundle, given: PlanInput) -> bool:
    """Whether one question helps: the person wrote little, did not say goodbye, and the friend has not just asked."""
    rule, signals = bundle.planning.followup, given.decision.signals
    if signals.farewell or given.decision.routing.pipeline in rule.never_in:
        return False
    if signals.token_estimate >= rule.under_tokens[given.energy]:
        return False
    window = bundle.gates.questions.by_rate[given.style.followup_question_rate]
    earlier = given.recent_replies[-(window.replies - 1) :] if window.replies > 1 else ()
    abbreviations = abbreviations_of(bundle, signals.language)
    return sum(questions_in(reply, abbreviations) for reply in earlier) < window.questions
