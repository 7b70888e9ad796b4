"""The part of the store that holds people: users, their answers and controls, their friends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

from chingoo.model.enums import TopicID
from chingoo.model.people import Assignment, Controls, Friend, Relationship, User, Window

ChooseAssignment = Callable[[Window], Assignment]


@dataclass(frozen=True, slots=True)
class AnswersPatch:
    """Changes to answers and the two controls that onboarding sets. `answers` maps a name to its new value or None."""

    answers: Mapping[str, str | None]
    proactive_messages_enabled: bool | None = None
    suppressed_topics: tuple[TopicID, ...] | None = None


class PeopleStore(Protocol):
    """People in the store, and all that is stored of one (see `Store` for what its methods raise)."""

    async def create_user(self, user_id: UUID, now: datetime) -> tuple[User, bool]:
        """The user, and whether it is new. ConflictError: that user was erased, and the id stays used (C-68)."""
        ...

    async def user(self, user_id: UUID) -> tuple[User, Controls]:
        """The user and its controls."""
        ...

    async def patch_onboarding(self, user_id: UUID, patch: AnswersPatch, now: datetime) -> User:
        """Apply the patch; the first accepted answer moves CREATED to ONBOARDING. ConflictError: null when ACTIVE."""
        ...

    async def patch_controls(self, user_id: UUID, changes: Mapping[str, Any], now: datetime) -> Controls:
        """Change the named controls. ForbiddenError: `intimate_mode` on without a known adult safety band."""
        ...

    async def create_friend(
        self,
        user_id: UUID,
        friend_id: UUID,
        conversation_id: UUID,
        name: str | None,
        assigned_at: datetime,
        required_answers: tuple[str, ...],
        window: timedelta,
        choose: ChooseAssignment,
    ) -> tuple[Friend, bool]:
        """The friend, and whether it is new.

        `choose` sees the exact window of that length before `assigned_at`, under one lock for all assignments.

        ConflictError naming the missing answers. `choose` may be called once per transaction attempt.
        """
        ...

    async def friends(self, user_id: UUID) -> list[tuple[Friend, Relationship]]:
        """All friends of a user, oldest first."""
        ...

    async def friend(self, user_id: UUID, ai_friend_id: UUID) -> tuple[Friend, Relationship]:
        """One friend and the relationship."""
        ...

    async def export_user(self, user_id: UUID) -> Mapping[str, Any]:
        """Everything that is stored of a person and not forgotten, by section, as plain JSON values."""
        ...

    async def erase_user(self, user_id: UUID, now: datetime) -> Mapping[str, int]:
        """Erase a person at once and for good: how many rows of each table. The id is never taken again (C-68)."""
        ...
