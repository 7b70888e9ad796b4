"""Reading a conversation and what is remembered of it."""

from typing import Any
from uuid import UUID

from chingoo.flow.answers import memory_body, message_body
from chingoo.ports import Store


class ConversationService:
    """The history and the memories, as they stand."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def owner(self, conversation_id: UUID) -> UUID:
        """Whose conversation this is, or NotFoundError (S-13)."""
        return await self._store.owner_of_conversation(conversation_id)

    async def messages(self, user_id: UUID, conversation_id: UUID, limit: int, before: str | None) -> dict[str, Any]:
        """A page of the history, oldest first within the page; `next` leads to older ones."""
        messages, following = await self._store.messages(user_id, conversation_id, limit, before)
        return {"items": [message_body(message) for message in messages], "next": following}

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
