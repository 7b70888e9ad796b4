"""What is remembered, in the person's own hands: seen, traced to its evidence, corrected, deleted, forgotten."""

from datetime import datetime
from typing import Any
from uuid import UUID

from chingoo.errors import NotFoundError
from chingoo.flow.answers import controls_body, instant, memory_body, said_body
from chingoo.memory.explicit import correct_memory
from chingoo.memory.forgetting import delete_memory, forget_message, unforget_message
from chingoo.model.enums import MemoryStatus
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import Memory
from chingoo.ports.machine import Clock, Ids, Metrics
from chingoo.ports.store import Store
from chingoo.service.memory_counts import count_forgetting
from chingoo.service.policies import PolicyHolder


class MemoryService:
    """Memories and the forgetting of messages (FORGET-01…07, CORR-08, C-34, S-17)."""

    def __init__(self, store: Store, policies: PolicyHolder, clock: Clock, ids: Ids, metrics: Metrics) -> None:
        self._store, self._policies, self._clock, self._ids = store, policies, clock, ids
        self._metrics = metrics

    async def memories(
        self, user_id: UUID, include_inactive: bool, status: str | None, kind: str | None
    ) -> dict[str, Any]:
        """The memories; the ACTIVE ones unless another status, or all, is asked for."""
        memories = await self._store.memories(user_id, include_inactive or status not in (None, "ACTIVE"))
        wanted = [
            memory
            for memory in memories
            if (status is None or memory.status == status) and (kind is None or memory.type == kind)
        ]
        return {"items": [memory_body(memory) for memory in wanted]}

    async def history(self, user_id: UUID, memory_id: UUID) -> dict[str, Any]:
        """All that was ever remembered under the key of a memory with the same friend, oldest first."""
        memories = await self._store.memories(user_id, include_inactive=True)
        one = next((memory for memory in memories if memory.memory_id == memory_id), None)
        if one is None:
            raise NotFoundError("no such memory")
        same = [memory for memory in memories if _key(memory) == _key(one)]
        return {"items": [memory_body(memory) for memory in same]}

    async def evidence(self, user_id: UUID, memory_id: UUID) -> dict[str, Any]:
        """The messages that a memory rests on, oldest first; what onboarding gave rests on none."""
        messages = await self._store.evidence(user_id, memory_id)
        return {"items": [said_body(message) for message in messages]}

    async def delete(self, user_id: UUID, memory_id: UUID, now: datetime | None) -> dict[str, Any]:
        """Delete a memory and suppress its key; what is left of it at once."""
        policy, at = self._policies.current.bundle.memory.forgetting, now or self._clock.now()
        before, edit = await self._store.edit_memories(
            user_id, None, lambda known: delete_memory(policy, known, memory_id, at)
        )
        return memory_body(_after(before, edit, memory_id))

    async def correct(self, user_id: UUID, memory_id: UUID, value: str, now: datetime | None) -> dict[str, Any]:
        """Correct a memory; the record that holds the new value."""
        policy, at, new_id = self._policies.current.bundle.memory, now or self._clock.now(), self._ids.uuid()
        before, edit = await self._store.edit_memories(
            user_id, None, lambda known: correct_memory(policy, known, memory_id, value, at, new_id)
        )
        old = _after(before, edit, memory_id)
        return memory_body(old if old.superseded_by is None else _after(before, edit, old.superseded_by))

    async def unsuppress(self, user_id: UUID, memory_key: str) -> dict[str, Any]:
        """Let a key be remembered again; the controls as they are then."""

        def decide(known: Remembered) -> MemoryEdit:
            if memory_key not in known.suppressed_memory_keys:
                raise NotFoundError("this key is not suppressed")
            return MemoryEdit(unsuppress=(memory_key,))

        await self._store.edit_memories(user_id, None, decide)
        _, controls = await self._store.user(user_id)
        return controls_body(controls)

    async def forget(self, user_id: UUID, message_id: UUID, now: datetime | None) -> dict[str, Any]:
        """Forget a message; the receipt."""
        policy, at = self._policies.current.bundle.memory.forgetting, now or self._clock.now()
        before, edit = await self._store.edit_memories(
            user_id, message_id, lambda known: forget_message(policy, known, at)
        )
        until = [one.undo_until for one in before.forgotten if one.because_of == message_id]
        deactivated = sum(_leaves(before, change.memory) for change in edit.changes)
        count_forgetting(self._metrics, int(bool(edit.hide)), deactivated)
        return {
            "messages_forgotten": int(bool(edit.hide)),
            "replies_forgotten": max(0, len(edit.hide) - 1),
            "snippets_cleared": 0,
            "memories_deactivated": deactivated,
            "evidence_dropped": len(edit.drop),
            "undo_until": instant(edit.undo_until or min(until, default=None)),
        }

    async def unforget(self, user_id: UUID, message_id: UUID, now: datetime | None) -> dict[str, Any]:
        """Take the forgetting of a message back; ConflictError once it is erased."""
        at = now or self._clock.now()
        _, edit = await self._store.edit_memories(user_id, message_id, lambda known: unforget_message(known, at))
        return {
            "messages_restored": int(message_id in edit.unhide),
            "replies_restored": sum(one != message_id for one in edit.unhide),
            "memories_restored": sum(change.memory.status is MemoryStatus.ACTIVE for change in edit.changes),
        }


def _key(memory: Memory) -> tuple[UUID, str]:
    return memory.ai_friend_id, memory.memory_key


def _after(before: Remembered, edit: MemoryEdit, memory_id: UUID) -> Memory:
    """The memory as the edit leaves it."""
    for change in edit.changes:
        if change.memory.memory_id == memory_id:
            return change.memory
    found = before.memory(memory_id)
    if found is None:
        raise NotFoundError("no such memory")
    return found


def _leaves(before: Remembered, after: Memory) -> bool:
    """Whether the memory was ACTIVE and is not any more."""
    known = before.memory(after.memory_id)
    return known is not None and known.status is MemoryStatus.ACTIVE and after.status is not MemoryStatus.ACTIVE
