"""The friends can be told apart by their words alone (PERS-04, PLAN-02)."""

from tests.reply.voices import guess_voices

from chingoo.engine.engine import Engine
from chingoo.policy.bundle import Bundle


def test_a_reply_tells_who_wrote_it(bundle: Bundle, engine: Engine) -> None:
    """Blind, one of 24 friends is guessed far more often than by chance, and its archetype mostly."""
    guesses = guess_voices(bundle, engine, replies=16)
    assert guesses.friends >= 8 / len(bundle.personas), guesses.mistaken.most_common(8)
    assert guesses.archetypes >= 0.6, guesses.mistaken.most_common(8)
