"""policies/relationship.yaml: every number of sessions, evidence, score, stages and decay (§11, REL-09)."""

from dataclasses import dataclass

from chingoo.model.enums import RelationshipStage
from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class EvidenceScores:
    """Points of one message, summed before the clamp (REL-02…06)."""

    place: Place
    one_preference: int
    several_preferences: int
    answer: int
    disclosure: int
    past_reference: int
    disengagement: int


@dataclass(frozen=True, slots=True)
class EvidenceLimits:
    """From where on something counts. Tokens are whitespace tokens of `norm_no_punct` (C-29); valence is -1 to 1.

    `disengaged_from` is how many disengaged replies of a session it takes before each costs points (C-30).
    """

    place: Place
    answer_min_tokens: int
    disclosure_min_valence: float
    strong_emotion_tags: tuple[str, ...]
    disengaged_below_tokens: int
    disengaged_words: tuple[str, ...]
    disengaged_from: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """Both ends belong to it."""

    place: Place
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class StageRule:
    """A stage and the score from which it may be entered; decay stops there as long as the stage lasts (REL-10, 11)."""

    place: Place
    stage: RelationshipStage
    from_score: int


@dataclass(frozen=True, slots=True)
class PromotionRule:
    """What a promotion needs beside the score (REL-11)."""

    place: Place
    min_sessions: int
    min_days_between: int


@dataclass(frozen=True, slots=True)
class DecayRule:
    """Points lost for each full period without a message (REL-10)."""

    place: Place
    points: int
    every_days: int


@dataclass(frozen=True, slots=True)
class RelationshipDocument:
    """How closeness grows and fades. `stages` stand in order, from the first to the closest."""

    place: Place
    session_gap_hours: int
    scores: EvidenceScores
    limits: EvidenceLimits
    delta: Bounds
    score: Bounds
    stages: tuple[StageRule, ...]
    promotion: PromotionRule
    decay: DecayRule
