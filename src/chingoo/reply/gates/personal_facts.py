"""At most two remembered facts in a reply unless recall was asked for; one in a proactive message (GATE-04…06)."""

from chingoo.model.enums import Source
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding


def judge(look: Look) -> Finding | None:
    """Distinct surfaced memories, and nothing else, count."""
    count = look.measures.personal_fact_count
    limit = look.policy.personal_facts
    if look.given.source is Source.RETENTION:
        return Finding(count, [0, limit.retention]) if count > limit.retention else None
    if look.given.asks_recall or count <= limit.chat:
        return None
    return Finding(count, [0, limit.chat])
