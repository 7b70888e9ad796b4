"""What one evaluation takes and gives: the input, the signals, the routing decision and its trace.

Signals and decisions, of which every message makes one with many fields, are structs: they are made ten times sooner.
"""

from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct

from chingoo.model.enums import (
    AgeBand,
    CrisisLevel,
    MemoryReadPolicy,
    MemoryWritePolicy,
    Mode,
    Pipeline,
    Role,
    SafetyPolicy,
    Source,
    Switch,
    TopicID,
    UserState,
    VectorSearchPolicy,
)

FactValue = bool | int | str
"""A value of the closed fact record: a boolean, a small integer, or an enum member's name."""

FactRecord = dict[str, FactValue]
"""Every declared fact of policies/facts.yaml, always present and never null."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One earlier message, as evaluation sees it."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class EvaluationInput:
    """Everything a decision depends on, beside the bundle. Only `text` has no default.

    `history` is oldest first and does not hold the message itself (LIFE-11). `country` is ISO 3166-1 alpha-2.
    `claimed_under_13` is what the person said of themselves in an earlier message (S-15).
    `detector` is a value of the fact of that name: `off`, `unavailable`, `clear`, or what the policy says it may say.
    """

    text: str
    received_at: datetime
    user_state: UserState = UserState.ACTIVE
    age_band: AgeBand = AgeBand.UNKNOWN
    mode: Mode = Mode.FRIEND
    source: Source = Source.CHAT
    country: str | None = None
    client_locale: str | None = None
    client_timezone: str | None = None
    history: tuple[Utterance, ...] = ()
    suppressed_topics: frozenset[TopicID] = frozenset()
    taboo_soft_bounds: frozenset[TopicID] = frozenset()
    claimed_under_13: bool = False
    detector: str = "off"


@dataclass(frozen=True, slots=True)
class TopicMatch:
    """A topic the message touches (TOPIC-02…07). `hits` are distinct keyword entries, in order of first occurrence."""

    topic: TopicID
    confidence: float
    hits: tuple[str, ...]
    user_initiated: bool


@dataclass(frozen=True, slots=True)
class Flags:
    """Intent flags (ROUTE-03…07)."""

    is_question: bool
    has_personal_pronoun: bool
    has_distress: bool
    asks_for_comfort: bool
    is_pure_fact_q: bool


@dataclass(frozen=True, slots=True)
class Heuristics:
    """Memory heuristics as flags (MEM-06); `preferences` counts distinct preference statements (REL-02)."""

    preference: bool
    fact: bool
    event: bool
    correction: bool
    preferences: int = 0


@dataclass(frozen=True, slots=True)
class CrisisSignal:
    """The crisis check (CRISIS-01): the level, and the phrases that triggered it and nothing else."""

    level: CrisisLevel | None
    phrases: tuple[str, ...] = ()

    @property
    def detected(self) -> bool:
        """True when any level was reached."""
        return self.level is not None


@dataclass(frozen=True, slots=True)
class GuardSignal:
    """The content guard (GUARD-01): the first category that blocks, or None."""

    category: str | None

    @property
    def blocked(self) -> bool:
        """True when a category blocks."""
        return self.category is not None


class Signals(Struct, frozen=True):
    """What was seen in the text, before any rule (NORM-05, TOPIC-02, ROUTE-02, C-64).

    `language` is one of model.Language's values, `arabizi`, or `other`. `reply_language` is the Language fixed words
    are spoken in (S-30). `past_reference` and `asks_recall` feed relationship scoring and the personal-facts gate.
    `claimed_minor` / `claimed_under_13` are plain first-person age claims (S-15).
    `asks_if_ai` is set when the user asks whether the friend is a machine (S-16), `asks_about_friend`
    when they ask how it is or what it is up to. `farewell` is a closing goodbye.
    """

    user_text_norm: str
    norm_no_punct: str
    token_estimate: int
    language: str
    reply_language: str
    topics: tuple[TopicMatch, ...]
    flags: Flags
    heuristics: Heuristics
    valence: float
    emotion_tags: tuple[str, ...]
    crisis: CrisisSignal
    guard: GuardSignal
    past_reference: bool = False
    asks_recall: bool = False
    claimed_minor: bool = False
    claimed_under_13: bool = False
    asks_if_ai: bool = False
    asks_about_friend: bool = False
    farewell: bool = False


@dataclass(frozen=True, slots=True)
class RoutingDecision:
    """What the turn may do (TURN-02)."""

    pipeline: Pipeline
    safety_policy: SafetyPolicy
    memory_read_policy: MemoryReadPolicy
    vector_search_policy: VectorSearchPolicy
    memory_write_policy: MemoryWritePolicy
    relationship_update_policy: Switch
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """A fact an instant pattern would store (INST-04). `expires_at` only for life events."""

    type: str
    memory_key: str
    memory_value: str
    confidence: float
    extracted_from: str
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MatchedEntry:
    """One list entry seen in the text; `span` is half-open, in code points of the text as sent."""

    entry: str
    file: str
    line: int
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """Why a rule or signal held: where it is written, its reason, and the words that fed it."""

    rule: str
    file: str
    line: int
    because: str
    matched: tuple[MatchedEntry, ...] = ()


class Decision(Struct, frozen=True):
    """The whole result of `engine.evaluate`.

    `rules` holds the one routing rule that fired, then the ids of the signal, guard and crisis entries that fed it.
    `reply_id` is the id of the fixed reply (`refusal.sexual_minor`), `reply` its rendered text, both None where policy
    fixes no words. `spans` are ("file:line:column" of an entry, start, end) of all that matched, in code points of the
    text as sent; `trace` is filled only on request.
    `facts_record` is the closed fact record the rules saw; replaying it gives the same routing.
    """

    routing: RoutingDecision
    signals: Signals
    taboo_guard: tuple[TopicID, ...]
    facts: tuple[ExtractedFact, ...]
    reply_id: str | None
    reply: str | None
    digest: str
    rules: tuple[str, ...]
    facts_record: FactRecord
    spans: tuple[tuple[str, int, int], ...] = ()
    trace: tuple[TraceEntry, ...] = ()
    effective_age_band: AgeBand = AgeBand.UNKNOWN
