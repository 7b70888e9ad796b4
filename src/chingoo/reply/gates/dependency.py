"""No exclusivity, no neediness, and nobody is held back who says goodbye (SAFE-09): the tactics of companion apps."""

from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding
from chingoo.reply.gates.safety import seen_kinds


def judge(look: Look) -> Finding | None:
    """The tactics that are seen; after a goodbye also a question without any closing words."""
    kinds = seen_kinds(look, look.policy.dependency)
    goodbyes = look.policy.goodbyes
    if look.given.farewell and look.questions and not look.hits(goodbyes.closing):
        kinds.append(goodbyes.id)
    return Finding(kinds, []) if kinds else None
