"""Nothing explicit, nothing that encourages self-harm, no hate (SAFE-10); not with the input guard's words (C-18)."""

from collections.abc import Iterable

from chingoo.policy.documents.gates import SeenAs
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding, Shown
from chingoo.reply.patterns import compiled


def judge(look: Look) -> Finding | None:
    """The kinds of unsafe content that are seen, in every mode and of every origin."""
    kinds = seen_kinds(look, look.policy.safety)
    return Finding(kinds, []) if kinds else None


def seen_kinds(look: Look, kinds: Iterable[SeenAs]) -> list[Shown]:
    """The ids of what is seen in the reply, each once, in the order of the policy."""
    found: dict[str, None] = {}
    for kind in kinds:
        if (kind.after_goodbye and not look.given.farewell) or (kind.when_asked and not look.given.asks_if_ai):
            continue
        if kind.id not in found and is_seen(look, kind):
            found[kind.id] = None
    return list(found)


def is_seen(look: Look, kind: SeenAs) -> bool:
    """Whether a sight is seen, or a pattern found in the log form of the reply."""
    if kind.seen is not None and look.hits(kind.seen):
        return True
    return any(compiled(one.pattern).search(look.text.user_text_norm) for one in kind.patterns)
