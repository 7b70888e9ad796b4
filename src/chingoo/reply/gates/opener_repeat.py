"""No reply begins with the same twelve words as one of the last twenty (GATE-07, GATE-08)."""

from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding


def judge(look: Look) -> Finding | None:
    """The opener, if an earlier reply had it; a reply without words has none."""
    opener = look.measures.opener_norm
    if opener and any(opener == earlier.opener for earlier in look.previous):
        return Finding(opener, None)
    return None
