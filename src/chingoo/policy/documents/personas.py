"""persona_library/PTnn.yaml: one friend's character as a set of constraints (TURN-04, PERS-03, PERS-06)."""

from dataclasses import dataclass

from chingoo.model.enums import (
    CoreArchetype,
    EmojiFreq,
    EmotionalLevel,
    FriendEnergy,
    HumorMode,
    Length,
    LexiconBias,
    TopicID,
)
from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class SpeechStyle:
    """How the friend writes. `punctuation_quirks` is how many of the template's named quirks it shows, 0 to 2."""

    place: Place
    sentence_length_bias: Length
    emoji_usage: EmojiFreq
    punctuation_quirks: int


@dataclass(frozen=True, slots=True)
class TemplateLexicon:
    """What words the friend prefers. `hint_tokens` (0 to 12) colour its speech and are never required."""

    place: Place
    language_cleanliness: LexiconBias
    hint_tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TemplateVoice:
    """Who this is, for the prompt: one sentence about the friend, and what it does and does not do."""

    place: Place
    about: str
    dos: tuple[str, ...]
    donts: tuple[str, ...]
    notes: str


@dataclass(frozen=True, slots=True)
class PersonaTemplate:
    """One template. Archetype, expression, taboo bounds and cleanliness are fixed; the rest are sampling defaults.

    `quirks` names the two punctuation habits in the order in which they are allowed: a friend with one quirk shows the
    first only. `emoji` is the palette that repairs and the offline composer take from.
    """

    place: Place
    id: str
    core_archetype: CoreArchetype
    speech_style: SpeechStyle
    lexicon_bias: TemplateLexicon
    humor_mode: HumorMode
    emotional_expression_level: EmotionalLevel
    taboo_soft_bounds: tuple[TopicID, ...]
    friend_energy: FriendEnergy
    quirks: tuple[str, ...]
    emoji: tuple[str, ...]
    voice: TemplateVoice
