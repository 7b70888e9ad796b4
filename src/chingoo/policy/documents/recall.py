"""policies/recall.yaml: what is brought back from earlier, how much of it is shown, and how it is weighed."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class DensityStep:
    """How many episodes, and which share of the context, below a number of messages; None: for all others (RETR-16)."""

    place: Place
    episodes: int
    percent: int
    below_messages: int | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A message up to so many characters is whole; of a longer one the first and the last so many (RETR-10)."""

    place: Place
    whole_up_to: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ExcerptPolicy:
    """The usual cut, and that of messages which a fact or an event rests on."""

    place: Place
    usual: Cut
    evidence: Cut


@dataclass(frozen=True, slots=True)
class SpanPolicy:
    """Which episodes say too little by themselves, and what is shown before them (RETR-12, 13; C-76)."""

    place: Place
    shorter_than: int
    openers: Mapping[str, tuple[str, ...]]
    messages_before: int
    message_characters: int
    query_shorter_than: int


@dataclass(frozen=True, slots=True)
class LikenessPolicy:
    """How alike a neighbour must be, by language and otherwise (RETR-15)."""

    place: Place
    by_language: Mapping[str, float]
    otherwise: float


@dataclass(frozen=True, slots=True)
class FreshPolicy:
    """How long messages count as fresh, and how alike they are taken to be (RETR-17)."""

    place: Place
    minutes: int
    likeness: float


@dataclass(frozen=True, slots=True)
class Weights:
    """What the parts of a score weigh; together 1 (HSCORE-01)."""

    place: Place
    priority: float
    recency: float
    overlap: float
    strength: float


@dataclass(frozen=True, slots=True)
class RecencyPolicy:
    """After how many days newness has fallen to a third, and what the same session makes of it (HSCORE-03)."""

    place: Place
    days: int
    same_session_factor: float


@dataclass(frozen=True, slots=True)
class ScoringPolicy:
    """Weights, newness, the strength of what has none, and the priority of relations (HSCORE-01…05, C-49)."""

    place: Place
    weights: Weights
    recency: RecencyPolicy
    unknown_strength: float
    priorities: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Amount:
    """At least and at most so many."""

    place: Place
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class BulletsPolicy:
    """How many bullets a mere reaction or question brings, and how many something told (HSCORE-10)."""

    place: Place
    reaction: Amount
    statement: Amount


@dataclass(frozen=True, slots=True)
class ChoicePolicy:
    """Threshold, diversity and novelty (HSCORE-07…10, C-49)."""

    place: Place
    threshold: float
    percentile: int
    percentile_from: int
    of_one_relation: int
    of_one_relation_if_high: int
    high_margin: float
    novelty_turns: int
    bullets: BulletsPolicy


@dataclass(frozen=True, slots=True)
class RecallDocument:
    """Everything about bringing back (RETR, HSCORE)."""

    place: Place
    most_by_meaning: int
    most_of_one_day: int
    density: tuple[DensityStep, ...]
    excerpt: ExcerptPolicy
    span: SpanPolicy
    likeness: LikenessPolicy
    fresh: FreshPolicy
    other_mood_factor: float
    scoring: ScoringPolicy
    choice: ChoicePolicy
