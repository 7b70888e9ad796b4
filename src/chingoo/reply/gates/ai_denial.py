"""A reply never denies being an AI and never claims to be a human being (PERS-26, S-16)."""

from chingoo.engine.scan import Scan
from chingoo.engine.sights import seen
from chingoo.model.enums import ReplyOrigin
from chingoo.policy.documents.gates import GatesDocument
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding
from chingoo.reply.gates.safety import seen_kinds
from chingoo.reply.patterns import compiled


def judge(look: Look) -> Finding | None:
    """Denials and claims, in any of the languages, whatever the reply's own; and silence where it was asked."""
    kinds = seen_kinds(look, look.policy.ai_denial)
    asked = look.given.asks_if_ai and look.given.origin is not ReplyOrigin.FIXED
    if asked and not kinds and not says_so(look.policy, look.scan):
        kinds.append(look.policy.unsaid)
    return Finding(kinds, []) if kinds else None


def says_so(policy: GatesDocument, scan: Scan) -> bool:
    """Whether a text says that it is an AI, and not, by a comma less, the opposite."""
    if seen(policy.says_ai, scan) is None:
        return False
    denials = (one.pattern for kind in policy.ai_denial for one in kind.patterns)
    return not any(compiled(pattern).search(scan.text.user_text_norm) for pattern in denials)
