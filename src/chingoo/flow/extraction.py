"""When a model is asked what to remember of a turn, and how it is asked (MEM-07, BATCH-04, S-18)."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from uuid import UUID

from chingoo.flow.view import TurnView
from chingoo.memory.keys import STANCE_MARK
from chingoo.model.enums import ExtractedFrom, MemoryWritePolicy, Role
from chingoo.model.llm import ChatMessage
from chingoo.model.people import Memory
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.memory import MemoryFamily
from chingoo.reply.fill import filled
from chingoo.reply.neutralise import neutralise
from chingoo.reply.prompt import SYSTEM, USER

_OR = "|"

Said = tuple[Role, UUID, str]
"""Who said it, the message's id, and its text."""


def opens(view: TurnView) -> bool:
    """Whether a model looks at this message: long, of strong feeling, or saying again what was said of late (MEM-07).

    Never in a crisis, nor where nothing may be learned; nor beside commands, which say what is wrong, not what is so.
    """
    decision, bundle = view.decision, view.compiled.bundle
    signals, gate = decision.signals, bundle.extraction.gate
    if decision.routing.memory_write_policy is MemoryWritePolicy.NONE or signals.crisis.detected:
        return False
    if view.reading.commands or not view.request.text:
        return False
    strong = abs(signals.valence) >= gate.feeling_from or not set(gate.feelings).isdisjoint(signals.emotion_tags)
    return strong or len(view.request.text) >= bundle.memory.extract_from_characters or _again(view)


def extraction_prompt(view: TurnView) -> tuple[ChatMessage, ...]:
    """The two messages of the call: the rules, then what is known and what was said, all of it made harmless."""
    policy, request = view.compiled.bundle.extraction.prompt, view.request
    before = view.history[max(0, len(view.history) - policy.messages) :]
    said = [(one.role, one.message_id, one.text or "") for one in before]
    said.append((Role.USER, request.message_id, request.text))
    return material_prompt(view.compiled.bundle, view.remembered.known, said)


def material_prompt(bundle: Bundle, known: Iterable[Memory], said: Iterable[Said]) -> tuple[ChatMessage, ...]:
    """The same of any memories and messages, these oldest first."""
    policy = bundle.extraction.prompt
    system = filled(policy.system, families="\n".join(extracted_families(bundle).values()))
    user = filled(
        policy.user,
        knowledge="\n".join(_records(bundle, known)) or policy.nothing,
        messages="\n".join(_messages(bundle, said)) or policy.nothing,
    )
    return ChatMessage(SYSTEM, system), ChatMessage(USER, user)


def extracted_families(bundle: Bundle) -> dict[str, str]:
    """The families that a model may fill, each with the line that tells it how."""
    policy = bundle.extraction.prompt
    return {
        name: filled(policy.family, type=name, key=_key(bundle, family), value=_value(bundle, family))
        for name, family in bundle.memory.families.items()
        if ExtractedFrom.LLM in family.initial_confidence
    }


def _again(view: TurnView) -> bool:
    """Whether a key comes up for the second time within the days of the policy."""
    account = view.remembered.account
    before = {one.memory_id: one.last_confirmed_at for one in view.known.memories}
    within = timedelta(days=view.compiled.bundle.extraction.gate.again_within_days)
    return any(
        one.memory_id in before and view.known.received_at - before[one.memory_id] <= within
        for one in (*account.confirmed, *account.superseded)
    )


def _key(bundle: Bundle, family: MemoryFamily) -> str:
    policy = bundle.extraction.prompt
    parts = [family.key]
    if family.keys:
        parts.append(_OR.join(family.keys))
    if family.dated:
        parts.append(policy.month_part)
    if not family.keys or family.cardinality == "multi":
        parts.append(policy.free_part)
    return ":".join(parts)


def _value(bundle: Bundle, family: MemoryFamily) -> str:
    plain = bundle.extraction.prompt.plain_value
    return " / ".join(f"{stance}{STANCE_MARK}{plain}" for stance in family.stances) or plain


def _records(bundle: Bundle, known: Iterable[Memory]) -> Iterator[str]:
    policy = bundle.extraction.prompt
    newest = sorted(known, key=lambda one: one.last_confirmed_at, reverse=True)
    for one in newest[: policy.records]:
        value = _line(bundle, one.memory_value)
        yield filled(policy.record, id=str(one.memory_id), type=one.type, key=one.memory_key, value=value)


def _messages(bundle: Bundle, said: Iterable[Said]) -> Iterator[str]:
    policy = bundle.extraction.prompt
    for role, message_id, text in said:
        shape = policy.person if role is Role.USER else policy.friend
        yield filled(shape, id=str(message_id), text=_line(bundle, text))


def _line(bundle: Bundle, text: str) -> str:
    """A text of somebody on one line: harmless, so that it cannot pass for another message, and not too long."""
    return " ".join(neutralise(bundle.planning.prompt, text).split())[: bundle.extraction.prompt.message_characters]
