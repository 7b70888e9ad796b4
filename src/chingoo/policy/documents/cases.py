"""<area>.cases.yaml: messages and what must come of them, and near misses that must not."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chingoo.model.enums import (
    AgeBand,
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
from chingoo.policy.documents.base import Place

Level = Literal["none", "HIGH_RISK", "CONTEXT", "THIRD_PARTY"]
"""A level of crisis, or none."""


@dataclass(frozen=True, slots=True)
class Said:
    """One earlier message."""

    place: Place
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Given:
    """Who writes, and what was before; what is left out is as every day: a grown-up, active user in friend mode."""

    place: Place
    user_state: UserState = UserState.ACTIVE
    age_band: AgeBand = AgeBand.B25_34
    mode: Mode = Mode.FRIEND
    source: Source = Source.CHAT
    country: str | None = None
    client_locale: str | None = None
    history: tuple[Said, ...] = ()
    suppressed_topics: tuple[TopicID, ...] = ()
    taboo_soft_bounds: tuple[TopicID, ...] = ()
    claimed_under_13: bool = False
    detector: str = "off"


@dataclass(frozen=True, slots=True)
class Expected:
    """What must come of it; only what is named is looked at.

    `rule` is the routing rule that fires. `topics` are touched, `raised` are raised by the user, `untouched` are not
    touched. `facts` are values of the fact record, `signals` what decisions carry beside it. `guard` is a category or
    none. `reply` is the id of the fixed reply, or none. `guarded` are topics that the reply must not bring up.
    `remembers` are instant facts by their memory key, with their value, or for events the day on which they end.
    """

    place: Place
    rule: str | None = None
    pipeline: Pipeline | None = None
    safety_policy: SafetyPolicy | None = None
    memory_read_policy: MemoryReadPolicy | None = None
    vector_search_policy: VectorSearchPolicy | None = None
    memory_write_policy: MemoryWritePolicy | None = None
    relationship_update_policy: Switch | None = None
    crisis: Level | None = None
    guard: str | None = None
    topics: tuple[TopicID, ...] = ()
    raised: tuple[TopicID, ...] = ()
    untouched: tuple[TopicID, ...] = ()
    facts: Mapping[str, bool | int | str] = field(default_factory=dict)
    signals: Mapping[str, bool] = field(default_factory=dict)
    reply: str | None = None
    language: str | None = None
    guarded: tuple[TopicID, ...] = ()
    remembers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """One message. It has an `expect`, or is `near_miss_of` another case, or both.

    A near miss passes when what the other case is about does not come of it: its rule, else its guard category, its
    level of crisis, its topics, its facts, or what it leaves in memory, whichever of these the other names first.
    """

    place: Place
    id: str
    text: str
    given: Given | None = None
    expect: Expected | None = None
    near_miss_of: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedCase:
    """A decision of the past and an editor's verdict on it, without the message: only the facts that rules saw.

    `rule` must decide them, `not_rule` must not. Facts that were declared since are false, 0, or their first member.
    """

    place: Place
    id: str
    facts: Mapping[str, bool | int | str]
    rule: str | None = None
    not_rule: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class CasesDocument:
    """The cases of one area, and the recorded ones."""

    place: Place
    cases: tuple[Case, ...]
    recorded: tuple[RecordedCase, ...] = ()


@dataclass(frozen=True, slots=True)
class Excused:
    """A line of ordinary talk that a refusal or crisis rule may touch, and why that is right.

    `language` is the name of its file without `.txt`: a language, or `other` for those that no list knows.
    """

    place: Place
    language: str
    text: str
    because: str


@dataclass(frozen=True, slots=True)
class ExceptionsDocument:
    """policies/corpus/exceptions.yaml: all such lines."""

    place: Place
    exceptions: tuple[Excused, ...]
