"""Ids that follow from other ids, so that the same message always gets the same reply id."""

from uuid import UUID, uuid5

_REPLY = UUID("6d0f7c0e-5f3a-5a53-9c3c-0d5b0f1d7a11")
_CRISIS = UUID("3b9f5a3e-4c0e-5b6a-9d54-1f4b8f2f6c33")
_MEMORY = UUID("0b0d3f0a-7f0c-5d3e-8a77-3c1f4f0b9e22")
_CORRECTION = UUID("51f4b0a5-3c0e-5d0b-9a3f-8f7c52f1c0d3")


def reply_id(user_id: UUID, message_id: UUID) -> UUID:
    """The id of the assistant's message that answers this one; a message has one answer, whoever writes it."""
    return uuid5(_REPLY, f"{user_id}:{message_id}")


def memory_id(user_id: UUID, ai_friend_id: UUID, memory_key: str, evidence: UUID, ordinal: int = 0) -> UUID:
    """The id of the nth memory that this message makes under this key; settling twice makes it once."""
    return uuid5(_MEMORY, f"{user_id}:{ai_friend_id}:{memory_key}:{evidence}:{ordinal}")


def crisis_event_id(user_id: UUID, message_id: UUID) -> UUID:
    """The id of the event that tells of a crisis in this message, however often it is sent out."""
    return uuid5(_CRISIS, f"{user_id}:{message_id}")


def correction_id(user_id: UUID, message_id: UUID, number: int) -> UUID:
    """The id of the nth line that a message adds to the corrections log."""
    return uuid5(_CORRECTION, f"{user_id}:{message_id}:{number}")
