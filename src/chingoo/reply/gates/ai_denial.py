"""A reply never denies being an AI and never claims to be a human being (PERS-26, S-16)."""

from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding
from chingoo.reply.gates.safety import seen_kinds


def judge(look: Look) -> Finding | None:
    """Denials and claims, in any of the languages, whatever the reply's own."""
    kinds = seen_kinds(look, look.policy.ai_denial)
    return Finding(kinds, []) if kinds else None
