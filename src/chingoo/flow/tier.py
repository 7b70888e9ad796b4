"""Which model answers: the voice for everything a friend says, a count of points for the rest (MODEL-01, C-53)."""

from chingoo.model.decision import Decision
from chingoo.model.enums import Pipeline
from chingoo.policy.documents.models import RouterScores

VOICE, MECHANICS = "voice", "mechanics"


def model_role(scores: RouterScores, decision: Decision, text: str, *, mechanical: bool = False) -> str:
    """`voice` or `mechanics`. `mechanical`: no more than words to be put otherwise, as a rewrite is."""
    pipeline, signals = decision.routing.pipeline, decision.signals
    if pipeline in scores.always_voice:
        return VOICE
    points = scores.emotional_support if pipeline is Pipeline.EMOTIONAL_SUPPORT else 0
    if round(abs(signals.valence) * 10) >= scores.high_intensity_from:
        points += scores.high_intensity
    if signals.flags.is_question and signals.flags.has_distress:
        points += scores.ambiguous
    if len(text) > scores.long_message_over_characters:
        points += scores.long_message
    if mechanical:
        points += scores.mechanical
    return VOICE if points >= scores.large_from else MECHANICS
