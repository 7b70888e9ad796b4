"""No tags, ids, timestamps, scores or inner words reach a person (GATE-13, C-69)."""

from collections.abc import Iterator

from chingoo.policy.documents.gates import Leak
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding, Shown
from chingoo.reply.patterns import compiled


def judge(look: Look) -> Finding | None:
    """The kinds of mechanics that show."""
    kinds: list[Shown] = [
        leak.id for leak in look.policy.leaks if next(leaking(leak, look.given.reply, look.given.user_text), None)
    ]
    return Finding(kinds, []) if kinds else None


def leaking(leak: Leak, reply: str, user_text: str) -> Iterator[tuple[int, int]]:
    """Where a reply leaks, as spans; what the person wrote themselves may be said back where the leak allows it."""
    for found in compiled(leak.pattern).finditer(reply):
        if found.group() and not (leak.echo_allowed and found.group() in user_text):
            yield found.span()
