"""policies/retention.yaml: when a friend writes first, how often, and the words it may use (§31)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from chingoo.model.enums import Language, RelationshipStage
from chingoo.policy.documents.base import Place


class RungID(StrEnum):
    """The steps of the content ladder, as the API names them."""

    FOLLOW_UP = "FOLLOW_UP"
    NUDGE = "NUDGE"
    CHECK_IN = "CHECK_IN"


@dataclass(frozen=True, slots=True)
class LocalSpan:
    """A span of the person's day, `HH:MM` in their time zone; the first minute belongs to it, `until` does not."""

    place: Place
    from_: str
    until: str


@dataclass(frozen=True, slots=True)
class StageLimits:
    """What a stage allows: at most `most` messages in any `within_hours`, and only after that many hours without a
    message of the person (RET-03, RET-06; rolling, C-55)."""

    place: Place
    most: int
    within_hours: int
    min_inactivity_hours: int


@dataclass(frozen=True, slots=True)
class SilenceHours:
    """Hours without proactive messages after each of these (decisions, *Retention*)."""

    place: Place
    crisis: int
    opt_out: int
    farewell: int


@dataclass(frozen=True, slots=True)
class Backoff:
    """Each ignored message multiplies the inactivity that is needed by `factor`, up to `most` in all (RET-04, C-55)."""

    place: Place
    factor: int
    most: int


@dataclass(frozen=True, slots=True)
class Openers:
    """The first words of the last `window` messages are not used again; `tries` other wordings are tried (RET-12)."""

    place: Place
    window: int
    tries: int


@dataclass(frozen=True, slots=True)
class Rung:
    """One step of the ladder; the first that fits is taken (RET-09…11).

    `after_hours` is the inactivity it needs by itself. `memories` is how many remembered facts it shows,
    no more and no fewer.
    """

    place: Place
    id: RungID
    because: str
    stages: tuple[RelationshipStage, ...]
    max_sentences: int
    max_questions: int
    memories: int
    after_hours: int = 0


@dataclass(frozen=True, slots=True)
class CheckIns:
    """Texts by stage, from a low-pressure hello to a warm check-in (RET-11)."""

    place: Place
    ACQUAINTANCE: tuple[str, ...]
    FRIEND: tuple[str, ...]
    CLOSE_FRIEND: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RungTexts:
    """The texts of one language, several for each use, none bound to a persona.

    `{question}` is the open question, `{value}` the remembered value. `nudge` is by memory key.
    """

    place: Place
    follow_up: tuple[str, ...]
    nudge: Mapping[str, tuple[str, ...]]
    check_in: CheckIns


@dataclass(frozen=True, slots=True)
class RetentionDocument:
    """Everything about proactive messages.

    `sensitive_prefixes` are the beginnings of memory keys that no proactive message may show, whatever else allows it
    (MEM-14, RET-17).
    """

    place: Place
    quiet_hours: LocalSpan
    window: LocalSpan
    stages: Mapping[RelationshipStage, StageLimits]
    silence_hours: SilenceHours
    acknowledged_within_hours: int
    backoff: Backoff
    openers: Openers
    sensitive_prefixes: tuple[str, ...]
    ladder: tuple[Rung, ...]
    texts: Mapping[Language, RungTexts]
