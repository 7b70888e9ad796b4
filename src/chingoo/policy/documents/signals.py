"""policies/signals.yaml: what is read in a message besides topics and safety: intent flags, closeness, feeling."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chingoo.policy.documents.base import Distances, Near, Place, Sight, WordList


@dataclass(frozen=True, slots=True)
class SignalRule:
    """A boolean signal: when it is seen, and why it matters. Where one of `unless` is seen, it does not count.

    With `own_language`, only words of the message's own language count (and of none), because everyday words of one
    language mean something else in another. Combinations stand as far apart as `distances` say, where these are set,
    unless they say it themselves: once read, each has its own.
    """

    place: Place
    because: str
    when: Sight
    own_language: bool = False
    unless: tuple[Near, ...] = ()
    distances: Distances | None = None

    def __post_init__(self) -> None:
        """Give every combination its distances."""
        if self.distances is not None:
            of = self.distances.of
            object.__setattr__(self, "when", replace(self.when, any=tuple(map(of, self.when.any))))
            object.__setattr__(self, "unless", tuple(map(of, self.unless)))


@dataclass(frozen=True, slots=True)
class QuestionRule:
    """is_question (ROUTE-03): one of the `marks`, or a word of `first_words` first, or a phrase of `anywhere`."""

    place: Place
    because: str
    marks: tuple[str, ...]
    first_words: str
    anywhere: str


@dataclass(frozen=True, slots=True)
class FactQuestionRule:
    """is_pure_fact_q (ROUTE-07): a question of at most `max_tokens` without any of the signals of `without`."""

    place: Place
    because: str
    max_tokens: int
    without: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClosingRule:
    """A signal that counts only near the end: a place where it is `seen` that ends within the last `last_tokens`."""

    place: Place
    because: str
    seen: Sight
    last_tokens: int


@dataclass(frozen=True, slots=True)
class ValenceRule:
    """How feeling is scored (C-64): lists with their strength, what turns and what strengthens it.

    The sum s of strengths becomes s / sqrt(s² + `alpha`). A word of `negations` up to `window` tokens before (or after,
    in the languages of `negation_follows`) multiplies by `negation_factor`; a word of `boosters` or `dampeners` just
    before adds or takes away `booster_step`. `tags` name lists whose words give an emotion tag; beyond `strong` the tag
    `strong_tags.positive` or `.negative` is added.
    """

    place: Place
    alpha: float
    window: int
    negation_factor: float
    booster_step: float
    strong: float
    strengths: Mapping[str, float]
    negations: str
    negation_follows: tuple[str, ...]
    boosters: str
    dampeners: str
    tags: Mapping[str, str]
    strong_tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SignalsDocument:
    """All signals. Those of `signals` that facts.yaml declares are facts of the same name."""

    place: Place
    question: QuestionRule
    fact_question: FactQuestionRule
    farewell: ClosingRule
    valence: ValenceRule
    signals: Mapping[str, SignalRule]
    lists: Mapping[str, WordList]
