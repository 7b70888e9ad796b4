"""What is looked at and changed when a person has something forgotten, deleted or corrected outside a turn."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from chingoo.model.enums import Role
from chingoo.model.people import Memory, MemoryChange


@dataclass(frozen=True, slots=True)
class DroppedEvidence:
    """An evidence id that was taken out of a memory because its message is forgotten; it comes back with the message.

    `core` tells evidence proper from the messages around it (C-34).
    """

    message_id: UUID
    memory_id: UUID
    core: bool


@dataclass(frozen=True, slots=True)
class ForgottenMessage:
    """That a message is forgotten, and on whose account: its own, or that of the message it repeated.

    `erased`: its words are gone for good.
    """

    message_id: UUID
    because_of: UUID
    undo_until: datetime
    erased: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A message of the conversation whose words are there; `hidden` while something keeps it forgotten.

    `reply_to_id` and `surfaced_memory_ids` are the assistant's.
    """

    message_id: UUID
    role: Role
    seq: int
    text: str
    reply_to_id: UUID | None = None
    surfaced_memory_ids: tuple[UUID, ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Remembered:
    """All that is remembered of a person, under the person's lock.

    `memories` of every status, oldest first. `asked` is the message that the call is about, None where it is about a
    memory; `lines` are then those of its conversation, in order.
    """

    user_id: UUID
    memories: tuple[Memory, ...] = ()
    suppressed_memory_keys: tuple[str, ...] = ()
    dropped: tuple[DroppedEvidence, ...] = ()
    forgotten: tuple[ForgottenMessage, ...] = ()
    asked: UUID | None = None
    lines: tuple[Line, ...] = ()

    def memory(self, memory_id: UUID) -> Memory | None:
        """A memory by its id."""
        return next((memory for memory in self.memories if memory.memory_id == memory_id), None)


@dataclass(frozen=True, slots=True)
class MemoryEdit:
    """What becomes of it, written as a whole or not at all.

    `hide` messages, on behalf of `asked`, until `undo_until`; `unhide` what was hidden on its behalf. `drop` and
    `restore` are evidence ids that leave and come back with messages. Nothing at all is no change.
    """

    changes: tuple[MemoryChange, ...] = ()
    hide: tuple[UUID, ...] = ()
    undo_until: datetime | None = None
    unhide: tuple[UUID, ...] = ()
    drop: tuple[DroppedEvidence, ...] = ()
    restore: tuple[DroppedEvidence, ...] = ()
    suppress: tuple[str, ...] = ()
    unsuppress: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.changes or self.hide or self.unhide or self.drop or self.restore or self.suppress) and not (
            self.unsuppress
        )


@dataclass(frozen=True, slots=True)
class Purged:
    """What was erased for good, over all users: messages blanked, and memories deleted."""

    messages: int = 0
    memories: int = 0
