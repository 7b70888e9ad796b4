"""No reply is too much like one of the last twenty: shared trigrams of words (GATE-09)."""

from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding


def judge(look: Look) -> Finding | None:
    """The greatest likeness, from the threshold on."""
    most = look.measures.max_similarity
    limit = look.policy.repetition.similarity_from
    return Finding(round(most, 4), limit) if most >= limit else None
