"""The part of the store that holds conversations and what is remembered of them."""

from collections.abc import Callable
from typing import Protocol
from uuid import UUID

from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import Memory, StoredMessage


class MemoryStore(Protocol):
    """What was said and what is remembered (see `Store` for what its methods raise)."""

    async def owner_of_conversation(self, conversation_id: UUID) -> UUID:
        """The user whose conversation this is."""
        ...

    async def messages(
        self, user_id: UUID, conversation_id: UUID, limit: int, before: str | None
    ) -> tuple[list[StoredMessage], str | None]:
        """A page, newest page first but oldest message first within it, and the cursor of the page before."""
        ...

    async def memories(self, user_id: UUID, include_inactive: bool) -> list[Memory]:
        """The user's memories, ACTIVE ones unless `include_inactive`, oldest first."""
        ...

    async def edit_memories(
        self, user_id: UUID, asked: UUID | None, decide: Callable[[Remembered], MemoryEdit]
    ) -> tuple[Remembered, MemoryEdit]:
        """What is remembered, under the person's lock, and what `decide` made of it: all written, or nothing.

        `asked` is a message it is about; ConflictError while that is still being answered. Turns under way learn of the
        change (STALE_MEMORY). `decide` may be called once per transaction attempt; what it raises comes out.
        """
        ...

    async def evidence(self, user_id: UUID, memory_id: UUID) -> list[StoredMessage]:
        """The messages that a memory rests on, oldest first; none that is forgotten."""
        ...
