"""No exclusivity, no neediness, and nobody is held back who says goodbye (SAFE-09): the tactics of companion apps."""

from chingoo.model.enums import ReplyOrigin
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding
from chingoo.reply.gates.safety import seen_kinds


def judge(look: Look) -> Finding | None:
    """The tactics that are seen; and an answer to a goodbye that is none, unless policy fixed its words."""
    kinds = seen_kinds(look, look.policy.dependency)
    goodbyes = look.policy.goodbyes
    fixed = look.given.origin is ReplyOrigin.FIXED
    kind = not look.questions and look.hits(goodbyes.kind)
    if look.given.farewell and not (fixed or kind or look.hits(goodbyes.closing)):
        kinds.append(goodbyes.id)
    return Finding(kinds, []) if kinds else None
