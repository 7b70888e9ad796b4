"""What a prompt is made of."""

from dataclasses import dataclass
from typing import Literal

from chingoo.model.corrections import Heeded
from chingoo.model.decision import Utterance
from chingoo.model.enums import IntimatePersona, Mode, RelationshipStage, TopicID
from chingoo.model.people import StableStyleParams
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.planning import Trend
from chingoo.reply.plan import ResponsePlan


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One remembered thing for the prompt, most important first within its kind.

    `mark` (`mem1`, `ep2`) is how the model declares that it used it; hints have none. An episode has a `label` for
    finding one's way and its own words as `text`; `around` are the messages beside it. `certain` was told in so many
    words, `long_ago` was not confirmed for long (PROMPT-03).
    """

    kind: Literal["memory", "episode", "hint"]
    text: str
    mark: str = ""
    label: str = ""
    around: tuple[str, ...] = ()
    certain: bool = False
    long_ago: bool = False
    disputed: bool = False
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class PromptInput:
    """Everything a prompt is made of.

    `history` is this mode's, oldest first, without the current message. `turn` counts the user's messages so far.
    `voice` is the intimate voice, used in intimate mode only. `intensity` is 0 to 10 (C-64), `trend` how it moved.
    `minor`: the person is under age, or may be. `grown_closer`: the stage changed with the message before (PROMPT-11).
    `heeded` is what the person's corrections led to; `only_heeded`: the message holds nothing else.
    """

    template: PersonaTemplate
    style: StableStyleParams
    stage: RelationshipStage
    plan: ResponsePlan
    user_text: str
    mode: Mode = Mode.FRIEND
    voice: IntimatePersona = IntimatePersona.CARING
    friend_name: str | None = None
    person_name: str | None = None
    suppressed_topics: frozenset[TopicID] = frozenset()
    history: tuple[Utterance, ...] = ()
    items: tuple[ContextItem, ...] = ()
    summary: str | None = None
    intensity: int = 0
    trend: Trend | None = None
    turn: int = 1
    asks_if_ai: bool = False
    heeded: tuple[Heeded, ...] = ()
    only_heeded: bool = False
    minor: bool = False
    grown_closer: bool = False
