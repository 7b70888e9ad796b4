"""No tags, ids, timestamps, scores or inner words reach a person (GATE-13, C-69)."""

from collections.abc import Iterator

from chingoo.engine.scan import Scan
from chingoo.engine.sights import seen
from chingoo.policy.documents.gates import Leak
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding, Shown
from chingoo.reply.patterns import compiled


def judge(look: Look) -> Finding | None:
    """The kinds of mechanics that show."""
    given = look.given
    kinds: list[Shown] = [leak.id for leak in look.engine.leaks if leaks(leak, given.reply, given.user_text, look.scan)]
    return Finding(list(dict.fromkeys(kinds)), []) if kinds else None


def leaks(leak: Leak, reply: str, user_text: str, scan: Scan) -> bool:
    """Whether a reply, or a part of one, leaks; `scan` is what is seen in it."""
    if leak.seen is not None and seen(leak.seen, scan) is not None:
        return True
    return next(leaking(leak, reply, user_text), None) is not None


def leaking(leak: Leak, reply: str, user_text: str) -> Iterator[tuple[int, int]]:
    """Where a reply leaks, as spans; what the person wrote themselves may be said back where the leak allows it."""
    if leak.pattern is None or not (leak.needs is None or any(char in reply for char in leak.needs)):
        return
    for found in compiled(leak.pattern).finditer(reply):
        if found.group() and not (leak.echo_allowed and found.group() in user_text):
            yield found.span()
