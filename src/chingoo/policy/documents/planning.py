"""policies/planning.yaml: assignment, tone and follow-up of a reply, and every text of the prompt (§10, §12, §13)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from chingoo.model.corrections import Heeded
from chingoo.model.enums import (
    CoreArchetype,
    Directness,
    EmojiFreq,
    EmotionalLevel,
    ExtractedFrom,
    FollowupRate,
    FriendEnergy,
    HumorMode,
    Length,
    LexiconBias,
    Mode,
    Pipeline,
    RelationshipStage,
    TopicID,
)
from chingoo.policy.documents.base import Place


class Tone(StrEnum):
    """`emotional_tone` of a ResponsePlan (PLAN-01)."""

    SUPPORTIVE = "supportive"
    PLAYFUL = "playful"
    CALM = "calm"
    BLUNT = "blunt"


class AckStyle(StrEnum):
    """`ack_style` of a ResponsePlan (PLAN-01)."""

    BRIEF = "brief"
    NONE = "none"


class Trend(StrEnum):
    """How strong the person's feeling is against the messages before (PROMPT-09)."""

    RISING = "rising"
    STEADY = "steady"
    FALLING = "falling"


@dataclass(frozen=True, slots=True)
class ArchetypeStyle:
    """The two style parameters that follow from the archetype alone (C-66)."""

    place: Place
    directness_level: Directness
    followup_question_rate: FollowupRate


@dataclass(frozen=True, slots=True)
class AssignmentPolicy:
    """How friends are given out (PERS-13…16).

    Of N assignments within `window_hours`, a combo key may have max(`cap_at_least`, `cap_percent` × N // 100) at most.
    """

    place: Place
    window_hours: int
    cap_percent: int
    cap_at_least: int
    max_resamples: int
    styles: Mapping[CoreArchetype, ArchetypeStyle]


@dataclass(frozen=True, slots=True)
class PlanRule:
    """One row of the plan table; the first row whose conditions all hold decides. A condition left out always holds.

    `valence_at_most` and `valence_at_least` are -1 to 1; `feelings` are emotion tags, of which one suffices;
    `gentle` is the day after a crisis; `farewell` is a closing goodbye of the user; `about_friend` is a question how
    the friend is or what it is up to.
    """

    place: Place
    id: str
    tone: Tone
    ack: AckStyle
    outline: tuple[str, ...]
    pipelines: tuple[Pipeline, ...] | None = None
    archetypes: tuple[CoreArchetype, ...] | None = None
    humor_modes: tuple[HumorMode, ...] | None = None
    modes: tuple[Mode, ...] | None = None
    valence_at_most: float | None = None
    valence_at_least: float | None = None
    feelings: tuple[str, ...] | None = None
    gentle: bool | None = None
    farewell: bool | None = None
    about_friend: bool | None = None


@dataclass(frozen=True, slots=True)
class FeelingTrend:
    """A feeling rises or falls when it is `from_steps` of ten away from its mean over the last messages (PROMPT-09)."""

    place: Place
    over_messages: int
    from_steps: int


@dataclass(frozen=True, slots=True)
class FollowupPlan:
    """When a question helps (PLAN-01). `under_tokens` is by the friend's energy: only shorter messages are asked back.

    Never in the named pipelines, after a farewell, or about a suppressed topic (POL-09).
    """

    place: Place
    under_tokens: Mapping[FriendEnergy, int]
    never_in: tuple[Pipeline, ...]


@dataclass(frozen=True, slots=True)
class Neutralised:
    """A pattern that untrusted text may not keep, and what stands in its place (S-18)."""

    place: Place
    pattern: str
    replace: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class SystemTexts:
    """The system prompt in the order of its parts: what is the same for all, for the friend, for now (LLM-06)."""

    place: Place
    rules: str
    arbitration: str
    naturalness: str
    language: str
    protocol: str
    persona: str
    targets: str
    voice: str
    stage: str
    topics_sensitive: str
    topics_taboo: str
    topics_suppressed: str


@dataclass(frozen=True, slots=True)
class ContextTexts:
    """The block before the current message (PROMPT-09, PROMPT-10), in order; a line without content is left out."""

    place: Place
    opening: str
    person: str
    intensity: str
    trend: Mapping[Trend, str]
    first_message: str
    summary: str
    known: str
    memory: str
    told: Mapping[str, str]
    certain: str
    long_ago: str
    disputed: str
    outdated: str
    episodes: str
    episode: str
    around: str
    hints: str
    hint: str
    plan: str
    tone: Mapping[Tone, str]
    ack: Mapping[AckStyle, str]
    outline: Mapping[str, str]
    question: str
    no_question: str
    answer_only: str
    raised: str
    touched: str
    not_raised: str
    gentle: str
    grown_closer: str
    says_ai: str
    heeded: Mapping[Heeded, str]
    only_heeded: str
    closing: str
    message: str


@dataclass(frozen=True, slots=True)
class StyleTexts:
    """How each parameter's value is explained to the model; numbers are filled in from the gates."""

    place: Place
    length: Mapping[Length, str]
    emoji: Mapping[EmojiFreq, str]
    humor: Mapping[HumorMode, str]
    directness: Mapping[Directness, str]
    followup: Mapping[FollowupRate, str]
    lexicon: Mapping[LexiconBias, str]
    expression: Mapping[EmotionalLevel, str]
    quirks_none: str
    quirks_some: str


@dataclass(frozen=True, slots=True)
class MemoryMarks:
    """Which memories the arbitration rules can tell apart: certain ones, and those told long ago (PROMPT-03)."""

    place: Place
    certain_from: tuple[ExtractedFrom, ...]
    certain_at_least: float
    long_ago_days: int


@dataclass(frozen=True, slots=True)
class PromptPolicy:
    """All texts of the prompt. `{placeholders}` are filled by code; the schema says which text knows which."""

    place: Place
    system: SystemTexts
    style: StyleTexts
    stages: Mapping[RelationshipStage, str]
    modes: Mapping[Mode, str]
    minor: str
    topic_names: Mapping[TopicID, str]
    context: ContextTexts
    rewrite: str
    cut_mark: str
    memory_marks: MemoryMarks
    neutralise: tuple[Neutralised, ...]


@dataclass(frozen=True, slots=True)
class PlanningDocument:
    """Everything between a decision and the words. After a crisis a friend stays gentle for some hours (S-07)."""

    place: Place
    assignment: AssignmentPolicy
    gentle_hours_after_crisis: int
    plan: tuple[PlanRule, ...]
    feeling_trend: FeelingTrend
    followup: FollowupPlan
    prompt: PromptPolicy
