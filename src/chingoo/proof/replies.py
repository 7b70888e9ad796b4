"""Which fixed replies the policies name, and where."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from chingoo.engine.crisis import CRISIS
from chingoo.engine.guard import GUARD
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.crisis import CrisisReplies
from chingoo.policy.documents.routing import Outcome
from chingoo.policy.documents.safety import GuardCategory
from chingoo.proof.walk import Subject


@dataclass(frozen=True, slots=True)
class ReplyUse:
    """A reply's id as it will be looked up, as it is written (with `{guard}`), and the document that names it."""

    id: str
    written: str
    place: Place


def reply_uses(subject: Subject) -> Iterator[ReplyUse]:
    """Every use of a reply's id; an id with `{guard}` is used once for each category. A crisis has ids of its own."""
    for part in subject.parts:
        if isinstance(part, Outcome) and part.reply is not None:
            for name in _expanded(part.reply, subject.bundle.safety.guard):
                yield ReplyUse(name, part.reply, part.place)
        elif isinstance(part, CrisisReplies):
            for field in fields(part):
                if field.name != "place":
                    name = getattr(part, field.name)
                    yield ReplyUse(name, name, part.place)


def default_of(reply_id: str) -> str:
    """The reply that is said where a family lacks one of its own (`guard.default`)."""
    return f"{reply_id.rpartition('.')[0]}.default"


def _expanded(written: str, guard: tuple[GuardCategory, ...]) -> Iterator[str]:
    if f"{{{GUARD}}}" in written:
        yield from (written.replace(f"{{{GUARD}}}", category.id) for category in guard)
    elif f"{{{CRISIS}}}" not in written:
        yield written
