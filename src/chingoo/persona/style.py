"""From a template, its mutations and the table of archetypes to the friend's frozen style (PERS-10, C-66)."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.model.enums import CoreArchetype, EmojiFreq, FriendEnergy, HumorMode, Length
from chingoo.model.people import ComboKey, StableStyleParams
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.planning import ArchetypeStyle


@dataclass(frozen=True, slots=True)
class Sampled:
    """What sampling may change of a template: the three categories of §3.2.1, speech style by its three fields."""

    length: Length
    emoji: EmojiFreq
    quirks: int
    humor: HumorMode
    energy: FriendEnergy


def defaults(template: PersonaTemplate) -> Sampled:
    """The template as it stands, before any mutation."""
    speech = template.speech_style
    return Sampled(
        length=speech.sentence_length_bias,
        emoji=speech.emoji_usage,
        quirks=speech.punctuation_quirks,
        humor=template.humor_mode,
        energy=template.friend_energy,
    )


def combo_key(template: PersonaTemplate, sampled: Sampled) -> ComboKey:
    """What the cap counts, after mutation (PERS-12)."""
    return ComboKey(template.core_archetype, sampled.humor, sampled.energy)


def stable_style(
    template: PersonaTemplate, sampled: Sampled, styles: Mapping[CoreArchetype, ArchetypeStyle]
) -> StableStyleParams:
    """The style that is frozen with the friend (TURN-05)."""
    style = styles[template.core_archetype]
    return StableStyleParams(
        msg_length_pref=sampled.length,
        emoji_freq=sampled.emoji,
        humor_mode=sampled.humor,
        directness_level=style.directness_level,
        followup_question_rate=style.followup_question_rate,
        lexicon_bias=template.lexicon_bias.language_cleanliness,
        punctuation_quirks=sampled.quirks,
    )
