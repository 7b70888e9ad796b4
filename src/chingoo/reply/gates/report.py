"""What the gates are given and what they say; the values behind `POST /v1/check-reply`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

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
from chingoo.policy.documents.gates import GateID

Shown: TypeAlias = "int | float | str | list[Shown] | dict[str, Shown] | None"
"""What `measured` and `allowed` may hold: plain JSON."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The friend's style as the gates judge it; what is None is not known, and its gate is skipped.

    `quirks` is how many habits may show; `quirk_names` are the template's, in order, or None without a template (then
    any `quirks` different ones may show).
    """

    length: Length | None = None
    emoji: EmojiFreq | None = None
    lexicon: LexiconBias | None = None
    followup: FollowupRate | None = None
    quirks: int | None = None
    quirk_names: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Surfaced:
    """A memory that the reply shows."""

    memory_id: str
    memory_key: str


@dataclass(frozen=True, slots=True)
class GateInput:
    """A reply and all that judging it needs. Only `reply` has no default.

    `taboo_guard` are the topics the reply must not bring up (of the decision), `answer_only` the suppressed topics the
    user raised now (POL-09). `previous_replies` are the assistant's, oldest first, without fixed and safe ones (C-78).
    """

    reply: str
    user_text: str = ""
    targets: Targets = Targets()
    stage: RelationshipStage = RelationshipStage.STRANGER
    mode: Mode = Mode.FRIEND
    source: Source = Source.CHAT
    origin: ReplyOrigin = ReplyOrigin.LLM
    previous_replies: tuple[str, ...] = ()
    surfaced: tuple[Surfaced, ...] = ()
    taboo_guard: frozenset[TopicID] = frozenset()
    answer_only: frozenset[TopicID] = frozenset()
    asks_recall: bool = False
    farewell: bool = False
    asks_if_ai: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What one gate objects to. In `allowed`, a list of two numbers is a band, None an open end."""

    measured: Shown
    allowed: Shown


@dataclass(frozen=True, slots=True)
class Violation:
    """One gate that the reply does not pass. `detail` is for people, `rewrite` for the model that writes it again."""

    gate: GateID
    detail: str
    rewrite: str
    measured: Shown
    allowed: Shown


@dataclass(frozen=True, slots=True)
class Measures:
    """What was measured, whether or not a gate looked at it."""

    emoji_count: int
    sentence_count: int
    avg_words_per_sentence: float
    opener_norm: str
    max_similarity: float
    personal_fact_count: int

    def as_json(self) -> Mapping[str, Shown]:
        """The body's `measures`."""
        return {
            "emoji_count": self.emoji_count,
            "sentence_count": self.sentence_count,
            "avg_words_per_sentence": self.avg_words_per_sentence,
            "opener_norm": self.opener_norm,
            "max_similarity": self.max_similarity,
            "personal_fact_count": self.personal_fact_count,
        }


@dataclass(frozen=True, slots=True)
class GateReport:
    """The verdict: violations in order of priority, the measures, and the language the reply was judged in."""

    violations: tuple[Violation, ...]
    measures: Measures
    language: str

    @property
    def passed(self) -> bool:
        """True when no gate objects."""
        return not self.violations

    def fails(self, gate: GateID) -> bool:
        """Whether this gate objects."""
        return any(violation.gate is gate for violation in self.violations)
