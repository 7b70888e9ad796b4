"""What forgetting a message, taking that back, and deleting a memory make of what is remembered (FORGET-*, C-34, C-68).

Pure: called under the person's lock with all that is remembered, and gives back the whole change.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from chingoo.errors import ConflictError, NotFoundError
from chingoo.memory.repeats import Repeats
from chingoo.model.corrections import InvalidReason
from chingoo.model.enums import ExtractedFrom, MemoryStatus, Role
from chingoo.model.forgetting import DroppedEvidence, MemoryEdit, Remembered
from chingoo.model.people import Memory, MemoryChange
from chingoo.policy.documents.memory import Forgetting


def forget_message(policy: Forgetting, remembered: Remembered, now: datetime) -> MemoryEdit:
    """Forget the message asked for: it, the answer to it, what repeats it, and what is known from it alone.

    A memory with other core evidence stays and loses the id; neighbours lose it too; what onboarding gave stays
    (FORGET-04, C-34). Forgetting again changes nothing.
    """
    asked = remembered.asked
    line = next((line for line in remembered.lines if line.message_id == asked), None)
    again = any(one.because_of == asked for one in remembered.forgotten)
    if asked is None or line is None or again:
        return MemoryEdit()
    left, drop = [], []
    for memory in remembered.memories:
        after, dropped = _without(memory, asked)
        drop += dropped
        left.append((memory, after))
    gone = {
        after.memory_id
        for before, after in left
        if after.status is MemoryStatus.INVALID and before.status is not MemoryStatus.INVALID
    }
    hide = (asked, *_echoes(policy, remembered, asked, line.text, gone))
    changes = []
    for before, own in left:
        after, dropped = _apart(own, hide)
        drop += dropped
        if after != before:
            changes.append(MemoryChange("update", after))
    return MemoryEdit(
        changes=tuple(changes),
        hide=hide,
        undo_until=now + timedelta(hours=policy.undo_hours),
        drop=tuple(drop),
    )


def unforget_message(remembered: Remembered, now: datetime) -> MemoryEdit:
    """Take the forgetting back: messages, evidence, and memories whose key nothing has taken meanwhile (S-17).

    ConflictError: the time for that is over.
    """
    asked = remembered.asked
    own = [one for one in remembered.forgotten if one.because_of == asked]
    if asked is None or not own:
        return MemoryEdit()
    if any(one.message_id == asked and (one.erased or one.undo_until <= now) for one in own):
        raise ConflictError("the time to take this back is over; what was forgotten is gone for good")
    still = {one.message_id for one in remembered.forgotten if one.because_of != asked}
    shown = {one.message_id for one in own if not one.erased} - still
    restore = [one for one in remembered.dropped if one.message_id == asked or one.message_id in shown]
    changes = _revived(remembered, restore, still, now)
    left = tuple(
        DroppedEvidence(message_id, change.memory.memory_id, core=True)
        for change in changes
        for before in (remembered.memory(change.memory.memory_id),)
        if before is not None
        for message_id in before.evidence_message_ids
        if message_id not in change.memory.evidence_message_ids
    )
    return MemoryEdit(
        changes=tuple(changes),
        unhide=tuple(one.message_id for one in own if not one.erased),
        drop=left,
        restore=tuple(restore),
    )


def delete_memory(policy: Forgetting, remembered: Remembered, memory_id: UUID, now: datetime) -> MemoryEdit:
    """The person deletes a memory: INVALID, its key suppressed, erased with its history when the time to undo is over.

    One that is INVALID already changes nothing but the suppression (CORR-08, MEM-12).
    """
    memory = known_memory(remembered, memory_id)
    forget_at = memory.forget_at or now + timedelta(hours=policy.undo_hours)
    named = [
        one
        for one in remembered.memories
        if one.memory_id == memory_id or (_same_key(one, memory) and one.status is MemoryStatus.ACTIVE)
    ]
    changes = []
    for one in named:
        reason = one.invalid_reason if one.forget_at is not None else InvalidReason.DELETED.value
        after = replace(one, status=MemoryStatus.INVALID, invalid_reason=reason, forget_at=forget_at, is_disputed=False)
        if after != one:
            changes.append(MemoryChange("update", after))
    suppressed = memory.memory_key in remembered.suppressed_memory_keys
    return MemoryEdit(changes=tuple(changes), suppress=() if suppressed else (memory.memory_key,))


def unfounded(memories: Sequence[Memory], gone: set[UUID], now: datetime) -> list[Memory]:
    """What is to be erased: what rests on nothing but erased messages, and the whole past of a key that was forgotten.

    What is ACTIVE stays: a key that was learned anew meanwhile.
    """
    over = {
        (one.ai_friend_id, one.memory_key) for one in memories if one.forget_at is not None and one.forget_at <= now
    }
    return [
        one
        for one in memories
        if one.status is not MemoryStatus.ACTIVE
        and (
            (one.evidence_message_ids and gone.issuperset(one.evidence_message_ids))
            or (one.ai_friend_id, one.memory_key) in over
        )
    ]


def known_memory(remembered: Remembered, memory_id: UUID) -> Memory:
    """The memory, or NotFoundError: also for somebody else's (S-13)."""
    memory = remembered.memory(memory_id)
    if memory is None:
        raise NotFoundError("no such memory")
    return memory


def _without(memory: Memory, message_id: UUID) -> tuple[Memory, list[DroppedEvidence]]:
    """The memory after the message is forgotten, and the evidence it lost."""
    if message_id in memory.context_message_ids:
        context = _but(memory.context_message_ids, message_id)
        after, dropped = _without(replace(memory, context_message_ids=context), message_id)
        return after, [DroppedEvidence(message_id, memory.memory_id, core=False), *dropped]
    if message_id not in memory.evidence_message_ids:
        return memory, []
    rest = _but(memory.evidence_message_ids, message_id)
    if rest or memory.extracted_from is ExtractedFrom.ONBOARDING:
        core = DroppedEvidence(message_id, memory.memory_id, core=True)
        return replace(memory, evidence_message_ids=rest), [core]
    if memory.status is not MemoryStatus.ACTIVE:
        return memory, []
    reason = InvalidReason.MESSAGE_FORGOTTEN.value
    return replace(memory, status=MemoryStatus.INVALID, invalid_reason=reason, is_disputed=False), []


def _apart(memory: Memory, hidden: Sequence[UUID]) -> tuple[Memory, list[DroppedEvidence]]:
    """The memory without hidden messages that stood around it, such as the answer to a forgotten one (C-34)."""
    lost = [one for one in memory.context_message_ids if one in hidden]
    if not lost:
        return memory, []
    context = tuple(one for one in memory.context_message_ids if one not in hidden)
    dropped = [DroppedEvidence(one, memory.memory_id, core=False) for one in lost]
    return replace(memory, context_message_ids=context), dropped


def _echoes(policy: Forgetting, remembered: Remembered, asked: UUID, text: str, gone: set[UUID]) -> Iterable[UUID]:
    """The answer to the message, and what the friend said later that repeats it or what was known from it alone."""
    others = [
        line.text
        for line in remembered.lines
        if line.role is Role.USER and not line.hidden and line.message_id != asked
    ]
    seq = next(line.seq for line in remembered.lines if line.message_id == asked)
    repeats = Repeats(policy, text, others)
    for line in remembered.lines:
        if line.role is Role.ASSISTANT and line.seq > seq:
            surfaces = not gone.isdisjoint(line.surfaced_memory_ids)
            if line.reply_to_id == asked or surfaces or repeats.within(line.text):
                yield line.message_id


def _revived(
    remembered: Remembered, restore: list[DroppedEvidence], still: set[UUID], now: datetime
) -> list[MemoryChange]:
    """The memories that get evidence back, and those that were INVALID for the lack of it."""
    changes = []
    for memory in remembered.memories:
        returned = [one for one in restore if one.memory_id == memory.memory_id]
        after = memory
        for one in returned:
            if one.core:
                after = replace(after, evidence_message_ids=(*after.evidence_message_ids, one.message_id))
            else:
                after = replace(after, context_message_ids=(*after.context_message_ids, one.message_id))
        mourned = after.invalid_reason == InvalidReason.MESSAGE_FORGOTTEN and after.status is MemoryStatus.INVALID
        if mourned and remembered.asked in after.evidence_message_ids:
            evidence = tuple(one for one in after.evidence_message_ids if one not in still)
            after = _alive(remembered, replace(after, evidence_message_ids=evidence, invalid_reason=None), now)
            changes += _replaced(remembered, after)
        if after != memory:
            changes.append(MemoryChange("update", after))
    return changes


def _alive(remembered: Remembered, memory: Memory, now: datetime) -> Memory:
    """The memory as it is again: ACTIVE, unless its time is over, something later was said, or it is suppressed."""
    if memory.memory_key in remembered.suppressed_memory_keys:
        return replace(memory, invalid_reason=InvalidReason.FORGOTTEN.value)
    if memory.expires_at is not None and memory.expires_at <= now:
        return replace(memory, status=MemoryStatus.EXPIRED)
    later = [one for one in remembered.memories if _same_key(one, memory) and _is_later(one, memory)]
    if later:
        newest = max(later, key=lambda one: (one.status is MemoryStatus.ACTIVE, one.created_at))
        return replace(memory, status=MemoryStatus.SUPERSEDED, superseded_by=newest.memory_id)
    return replace(memory, status=MemoryStatus.ACTIVE)


def _is_later(other: Memory, memory: Memory) -> bool:
    """Whether another record of the key is what the person said after this, be it so or denied by now.

    What is forgotten itself is nothing that was said. One of the same instant that is ACTIVE keeps its place.
    """
    if other.status is MemoryStatus.ACTIVE:
        return other.last_confirmed_at >= memory.last_confirmed_at
    forgotten = other.forget_at is not None or other.invalid_reason == InvalidReason.MESSAGE_FORGOTTEN
    return not forgotten and other.created_at > memory.last_confirmed_at


def _replaced(remembered: Remembered, revived: Memory) -> list[MemoryChange]:
    """What was ACTIVE under the key of a memory that comes back and is newer (UK-08)."""
    if revived.status is not MemoryStatus.ACTIVE:
        return []
    by, over = revived.memory_id, MemoryStatus.SUPERSEDED
    return [
        MemoryChange("update", replace(one, status=over, superseded_by=by, is_disputed=False))
        for one in remembered.memories
        if one.status is MemoryStatus.ACTIVE and _same_key(one, revived)
    ]


def _same_key(one: Memory, other: Memory) -> bool:
    return (one.ai_friend_id, one.memory_key) == (other.ai_friend_id, other.memory_key)


def _but(ids: tuple[UUID, ...], without: UUID) -> tuple[UUID, ...]:
    return tuple(one for one in ids if one != without)
