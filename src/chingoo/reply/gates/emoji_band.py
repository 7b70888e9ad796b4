"""As many emoji as the friend uses, counted as people see them (GATE-10, C-26)."""

from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding


def judge(look: Look) -> Finding | None:
    """Out of the band of the friend's emoji frequency, at either end."""
    frequency = look.given.targets.emoji
    if frequency is None:
        return None
    band, count = look.policy.emoji[frequency], look.measures.emoji_count
    return None if band.min <= count <= band.max else Finding(count, [band.min, band.max])
