"""Reading a conversation."""

from typing import Any
from uuid import UUID

from chingoo.flow.answers import message_body
from chingoo.ports.memories import MemoryStore


class ConversationService:
    """The history, as it stands."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def owner(self, conversation_id: UUID) -> UUID:
        """Whose conversation this is, or NotFoundError (S-13)."""
        return await self._store.owner_of_conversation(conversation_id)

    async def messages(self, user_id: UUID, conversation_id: UUID, limit: int, before: str | None) -> dict[str, Any]:
        """A page of the history, oldest first within the page; `next` leads to older ones."""
        messages, following = await self._store.messages(user_id, conversation_id, limit, before)
        return {"items": [message_body(message) for message in messages], "next": following}
