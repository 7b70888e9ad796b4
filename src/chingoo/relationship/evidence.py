"""What one message says about the relationship (REL-02…06)."""

from dataclasses import dataclass

from chingoo.model.decision import Signals
from chingoo.policy.documents.relationship import EvidenceLimits
from chingoo.text.normalise import normalise


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of one user message. `preferences` counts distinct ones; on a `crisis` turn nothing is scored (C-81)."""

    preferences: int = 0
    answered: bool = False
    disclosed: bool = False
    past_reference: bool = False
    disengaged: bool = False
    crisis: bool = False

    @property
    def positive(self) -> bool:
        """Whether anything in it speaks for the relationship."""
        return self.preferences > 0 or self.answered or self.disclosed or self.past_reference


def gather_evidence(limits: EvidenceLimits, signals: Signals, previous_reply: str | None) -> Evidence:
    """The evidence of a message; `previous_reply` is the assistant's message right before it, if there was one.

    A reply that earns anything does not count as disengaged (C-30).
    """
    tokens = signals.norm_no_punct.split()
    listed = signals.norm_no_punct.casefold() in limits.disengaged_words
    preferences = signals.heuristics.preferences or int(signals.heuristics.preference)
    seen = Evidence(
        preferences=preferences,
        answered=len(tokens) >= limits.answer_min_tokens and not listed and asks(previous_reply),
        disclosed=abs(signals.valence) >= limits.disclosure_min_valence
        or not set(limits.strong_emotion_tags).isdisjoint(signals.emotion_tags),
        past_reference=signals.past_reference,
        crisis=signals.crisis.detected,
    )
    disengaged = not seen.positive and (listed or len(tokens) < limits.disengaged_below_tokens)
    return Evidence(
        preferences=seen.preferences,
        answered=seen.answered,
        disclosed=seen.disclosed,
        past_reference=seen.past_reference,
        disengaged=disengaged,
        crisis=seen.crisis,
    )


def asks(reply: str | None) -> bool:
    """Whether an assistant's message asked a question (REL-03); the Arabic mark counts too."""
    if reply is None:
        return False
    norm = normalise(reply).user_text_norm
    return "?" in norm or "؟" in norm
