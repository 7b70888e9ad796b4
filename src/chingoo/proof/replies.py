"""Which fixed replies the policies name, and where, and which the program says of itself."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import get_args

from chingoo.engine.crisis import CRISIS
from chingoo.engine.guard import GUARD
from chingoo.flow.telling import OF_MEMORY
from chingoo.model.corrections import Heeded, MemoryAnswer, ToldOfMemory
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.crisis import CrisisReplies
from chingoo.policy.documents.memory import MemoryDocument, MemoryFamily
from chingoo.policy.documents.routing import Outcome
from chingoo.policy.documents.safety import GuardCategory
from chingoo.proof.walk import Subject
from chingoo.reply.composer import LAST_RESORT, SAYS_AI
from chingoo.reply.disclosure import NoticeKind


@dataclass(frozen=True, slots=True)
class ReplyUse:
    """A reply's id as it will be looked up, as it is written (with `{guard}`), and the document that names it."""

    id: str
    written: str
    place: Place


@dataclass(frozen=True, slots=True)
class SpokenReply:
    """A reply that no rule names, because the program itself says it: when it does, and whether it must be there."""

    id: str
    when: str
    needed: bool = True


def spoken_replies(memory: MemoryDocument) -> Iterator[SpokenReply]:
    """Every such reply, each once."""
    yield SpokenReply(SAYS_AI, "is said by a friend who is asked whether it is an AI")
    yield SpokenReply(LAST_RESORT, "is said when no other reply will do")
    for kind in get_args(NoticeKind):
        yield SpokenReply(f"notice.{kind}", "is said beside replies, when policies/disclosure.yaml wants it")
    for name in (*Heeded, *MemoryAnswer, *ToldOfMemory):
        yield SpokenReply(f"{OF_MEMORY}.{name}", "answers what somebody says about memories")
    for family in memory.families.values():
        yield from _lines(family)


def _lines(family: MemoryFamily) -> Iterator[SpokenReply]:
    """A line for each stance, or one for the family, which it can do without where each of its keys has one."""
    by_family = [f"{family.key}_{stance}" for stance in family.stances] or [family.key]
    single = bool(family.keys) and family.cardinality == "singleton"
    when = "tells of one memory, when somebody asks what is known"
    for name in by_family:
        yield SpokenReply(f"{OF_MEMORY}.line.{name}", when, needed=not single)
    for key in family.keys if single else ():
        yield SpokenReply(f"{OF_MEMORY}.line.{family.key}_{key}", when, needed=False)


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
