"""How alike two replies are (GATE-07, GATE-09)."""

from chingoo.text.emoji import strip_leading_emoji
from chingoo.text.normalise import normalise

OPENER_TOKENS = 12
"""Length of an opener, by definition (GATE-07)."""


def opener_norm(text: str) -> str:
    """The first twelve tokens without leading emoji, case and punctuation (GATE-07)."""
    return " ".join(normalise(strip_leading_emoji(text)).tokens[:OPENER_TOKENS])


def trigrams(text: str) -> frozenset[tuple[str, str, str]]:
    """The token 3-grams of `norm_no_punct`; empty below three tokens."""
    tokens = normalise(text).tokens
    return frozenset(zip(tokens, tokens[1:], tokens[2:], strict=False))


def jaccard(a: frozenset[tuple[str, str, str]], b: frozenset[tuple[str, str, str]]) -> float:
    """Shared part of two sets, 0 to 1; 0 when either is empty (GATE-09)."""
    if not a or not b:
        return 0.0
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)
