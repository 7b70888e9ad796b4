"""The persona library and the four voices: whole, distinct, and inside their limits (PERS-01…06, PERS-19…31)."""

from collections import Counter
from itertools import combinations

from chingoo.model.enums import CoreArchetype, IntimatePersona, TopicID
from chingoo.persona.style import combo_key, defaults
from chingoo.policy.bundle import Bundle
from chingoo.text.emoji import count_emoji
from chingoo.text.similarity import jaccard, trigrams

EVERYDAY = {TopicID.WORK_SCHOOL, TopicID.TRAVEL, TopicID.ENTERTAINMENT, TopicID.TECH_GAMING, TopicID.RELATIONSHIPS}


def test_there_are_twenty_four_templates(bundle: Bundle) -> None:
    """PERS-01."""
    assert sorted(bundle.personas) == [f"PT{number:02d}" for number in range(1, 25)]
    assert all(template.id == name for name, template in bundle.personas.items())


def test_the_first_ten_are_the_ten_archetypes(bundle: Bundle) -> None:
    """PERS-02, PERS-04: and every archetype comes at least twice."""
    first = [bundle.personas[f"PT{number:02d}"].core_archetype for number in range(1, 11)]
    assert first == list(CoreArchetype)
    assert min(Counter(template.core_archetype for template in bundle.personas.values()).values()) >= 2


def test_default_combo_keys_are_distinct(bundle: Bundle) -> None:
    """PERS-04."""
    keys = [combo_key(template, defaults(template)) for template in bundle.personas.values()]
    assert len(set(keys)) == 24


def test_templates_keep_their_limits(bundle: Bundle) -> None:
    """TURN-04: up to twelve single hint words, two quirks that exist, emoji that are emoji, talkable taboos."""
    for template in bundle.personas.values():
        assert 0 < len(template.lexicon_bias.hint_tokens) <= 12
        assert all(len(token.split()) == 1 for token in template.lexicon_bias.hint_tokens)
        assert len(set(template.quirks)) == 2
        assert set(template.quirks) <= set(bundle.gates.quirks)
        assert all(count_emoji(emoji) == 1 for emoji in template.emoji)
        assert not EVERYDAY & set(template.taboo_soft_bounds)


def test_no_two_templates_sound_alike(bundle: Bundle) -> None:
    for one, other in combinations(bundle.personas.values(), 2):
        assert jaccard(trigrams(one.voice.about), trigrams(other.voice.about)) < 0.2
        assert jaccard(trigrams(" ".join(one.voice.dos)), trigrams(" ".join(other.voice.dos))) < 0.25
        assert one.voice.notes != other.voice.notes


def test_there_are_four_voices_and_none_is_explicit(bundle: Bundle) -> None:
    """PERS-19, PERS-21, C-14: each anchors its vocabulary and rules explicit content out."""
    assert set(bundle.voices) == set(IntimatePersona)
    for voice in bundle.voices.values():
        assert len(voice.anchors) >= 3
        assert voice.instead
        assert any("sex" in line for line in voice.donts)
