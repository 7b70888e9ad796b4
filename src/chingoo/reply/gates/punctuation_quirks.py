"""Only the friend's own punctuation habits show (GATE-01): the first so many of its template's, or any so many."""

from chingoo.policy.documents.gates import GatesDocument
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding, Shown
from chingoo.reply.patterns import compiled


def judge(look: Look) -> Finding | None:
    """The habits that show and are not the friend's; without a template, more of them than allowed."""
    targets = look.given.targets
    if targets.quirks is None:
        return None
    shown = shown_quirks(look.policy, look.given.reply)
    if targets.quirk_names is not None:
        foreign: list[Shown] = [name for name in shown if name not in targets.quirk_names[: targets.quirks]]
        own: list[Shown] = list(targets.quirk_names[: targets.quirks])
        return Finding(foreign, own) if foreign else None
    every: list[Shown] = list(shown)
    return Finding(every, targets.quirks) if len(shown) > targets.quirks else None


def shown_quirks(policy: GatesDocument, reply: str) -> tuple[str, ...]:
    """The names of the habits that a reply shows, in the order of the policy."""
    return tuple(name for name, quirk in policy.quirks.items() if compiled(quirk.pattern).search(reply))
