"""Users, onboarding, friends and controls."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from chingoo.flow.answers import controls_body, friend_body, relationship_body, user_body
from chingoo.model.people import Assignment, User, Window
from chingoo.persona.assignment import assign
from chingoo.ports.machine import Clock, Ids
from chingoo.ports.people import AnswersPatch, PeopleStore
from chingoo.service.policies import PolicyHolder


class PeopleService:
    """Everything about a person that is not a turn."""

    def __init__(self, store: PeopleStore, policies: PolicyHolder, clock: Clock, ids: Ids) -> None:
        self._store, self._policies, self._clock, self._ids = store, policies, clock, ids

    async def create_user(self, user_id: UUID | None) -> tuple[dict[str, Any], bool]:
        """The user, made if new (ONB-01), and whether it is."""
        user, new = await self._store.create_user(user_id or self._ids.uuid(), self._clock.now())
        return {"user_id": str(user.user_id), "user_state": user.state}, new

    async def user(self, user_id: UUID) -> dict[str, Any]:
        """The user with answers, what is missing, and controls."""
        user, controls = await self._store.user(user_id)
        return user_body(user, controls, self._missing(user))

    async def patch_onboarding(self, user_id: UUID, patch: AnswersPatch) -> dict[str, Any]:
        """Take answers (ONB-05). The whole patch is taken or none of it."""
        user = await self._store.patch_onboarding(user_id, patch, self._clock.now())
        return {"user_state": user.state, "missing": list(self._missing(user))}

    async def create_friend(
        self,
        user_id: UUID,
        ai_friend_id: UUID | None,
        name: str | None,
        persona_seed: int | None,
        assigned_at: datetime | None,
    ) -> tuple[dict[str, Any], bool]:
        """A friend with its persona (PERS-07…17), made once per client id; and whether it is new."""
        seed = self._ids.seed() if persona_seed is None else persona_seed
        with self._policies.use() as compiled:
            bundle = compiled.bundle

            def choose(window: Window) -> Assignment:
                return assign(bundle.personas, bundle.planning.assignment, seed, window)

            friend, new = await self._store.create_friend(
                user_id,
                ai_friend_id or self._ids.uuid(),
                self._ids.uuid(),
                name,
                assigned_at or self._clock.now(),
                bundle.onboarding.required,
                timedelta(hours=bundle.planning.assignment.window_hours),
                choose,
            )
        return friend_body(friend), new

    async def friends(self, user_id: UUID) -> dict[str, Any]:
        """All friends of a user."""
        pairs = await self._store.friends(user_id)
        return {"items": [friend_body(friend) | {"relationship": relationship_body(rel)} for friend, rel in pairs]}

    async def friend(self, user_id: UUID, ai_friend_id: UUID) -> dict[str, Any]:
        """One friend and the relationship."""
        friend, relationship = await self._store.friend(user_id, ai_friend_id)
        return friend_body(friend) | {"relationship": relationship_body(relationship)}

    async def controls(self, user_id: UUID) -> dict[str, Any]:
        """The controls in force."""
        _, controls = await self._store.user(user_id)
        return controls_body(controls)

    async def patch_controls(self, user_id: UUID, changes: Mapping[str, Any], now: datetime | None) -> dict[str, Any]:
        """Change the named controls."""
        controls = await self._store.patch_controls(user_id, changes, now or self._clock.now())
        return controls_body(controls)

    async def export(self, user_id: UUID) -> Mapping[str, Any]:
        """Everything that is stored of a person and not forgotten, by section (S-17)."""
        return await self._store.export_user(user_id)

    async def erase(self, user_id: UUID, now: datetime | None) -> Mapping[str, Any]:
        """Erase a person for good (C-68); how many rows of each table."""
        return await self._store.erase_user(user_id, now or self._clock.now())

    def _missing(self, user: User) -> tuple[str, ...]:
        required = self._policies.current.bundle.onboarding.required
        return tuple(name for name in required if getattr(user.answers, name) is None)
