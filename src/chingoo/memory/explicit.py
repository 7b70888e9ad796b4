"""A memory corrected by the person's own hand: a new record in place of the old one (CORR-06, C-73).

No message says the new value, so the record rests on the evidence of the one it replaces, and goes when that is
forgotten; what onboarding gave has none, and stays an answer of onboarding with a new value (UK-10).
"""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from chingoo.errors import ConflictError, FieldError, InvalidInputError
from chingoo.memory.forgetting import known_memory
from chingoo.memory.keys import STANCE_MARK, KeyGrammar
from chingoo.memory.lifecycle import Remembering, Source
from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import ExtractedFrom, MemoryStatus
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import Memory, MemoryChange
from chingoo.policy.documents.memory import MemoryDocument, MemoryFamily
from chingoo.text.slug import slug


def correct_memory(
    policy: MemoryDocument, remembered: Remembered, memory_id: UUID, value: str, now: datetime, new_id: UUID
) -> MemoryEdit:
    """The memory with another value; with the one it has, it is confirmed.

    ConflictError: it is not ACTIVE. InvalidInputError: no value of this family. Where the value stands in the key, as
    in `allergy:nickel`, the new record has a key of its own.
    """
    memory, grammar = known_memory(remembered, memory_id), KeyGrammar(policy)
    if memory.status is not MemoryStatus.ACTIVE:
        raise ConflictError(f"this memory is {memory.status}; only an ACTIVE one can be corrected")
    key = _key(grammar.family(memory.memory_key), memory.memory_key, value)
    fact = _fact(grammar, memory, key, value)
    source = Source(
        remembered.user_id, memory.ai_friend_id, now, memory.evidence_message_ids, memory.context_message_ids
    )
    active = [
        one
        for one in remembered.memories
        if one.status is MemoryStatus.ACTIVE and one.ai_friend_id == memory.ai_friend_id
    ]
    working = Remembering(policy, grammar, source, active, (), lambda _key, _ordinal: new_id)
    working.learn(fact)
    replacement = working.under(key)
    if replacement is None or replacement.memory_id == memory_id:
        working.confirm(memory_id)
        return MemoryEdit(changes=working.changes())
    changes = {change.memory.memory_id: _rested(change) for change in working.changes()}
    changes.setdefault(memory_id, MemoryChange("update", _superseded(memory, replacement)))
    return MemoryEdit(changes=tuple(changes.values()))


def _fact(grammar: KeyGrammar, memory: Memory, key: str, value: str) -> ExtractedFact:
    family = grammar.family(memory.memory_key)
    confidence = None if family is None else family.initial_confidence.get(ExtractedFrom.EXPLICIT_INPUT)
    if family is None or confidence is None:
        raise ConflictError(f"memories of the type {memory.type} cannot be corrected by hand; delete it instead")
    if not grammar.fits(key) or not grammar.fits_value(key, value):
        raise _unfit(family)
    return ExtractedFact(
        type=memory.type,
        memory_key=key,
        memory_value=value,
        confidence=confidence,
        extracted_from=ExtractedFrom.EXPLICIT_INPUT.value,
        expires_at=memory.expires_at,
    )


def _key(family: MemoryFamily | None, key: str, value: str) -> str:
    """The key of the new record: that of the old one, unless the value itself is in it."""
    if family is None or family.keys or family.cardinality == "singleton":
        return key
    return f"{key.rpartition(':')[0]}:{slug(value)}"


def _unfit(family: MemoryFamily) -> InvalidInputError:
    forms = " or ".join(f"`{stance}{STANCE_MARK}…`" for stance in family.stances)
    detail = f"a value of this kind is written {forms}" if forms else "no value: it has to say something"
    return InvalidInputError(detail, [FieldError("/memory_value", detail)])


def _rested(change: MemoryChange) -> MemoryChange:
    """What has no message behind it is an answer of onboarding (UK-10)."""
    memory = change.memory
    if change.op != "insert" or memory.evidence_message_ids:
        return change
    return replace(change, memory=replace(memory, extracted_from=ExtractedFrom.ONBOARDING))


def _superseded(memory: Memory, by: Memory) -> Memory:
    return replace(memory, status=MemoryStatus.SUPERSEDED, superseded_by=by.memory_id, is_disputed=False)
