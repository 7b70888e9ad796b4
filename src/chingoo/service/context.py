"""What a turn would be given, without taking it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from chingoo.errors import ConflictError, FieldError, InvalidInputError, NotFoundError
from chingoo.flow.pack import context_body
from chingoo.flow.view import view_turn
from chingoo.model.turn import TurnRequest
from chingoo.ports.machine import Clock, Ids
from chingoo.ports.store import Store
from chingoo.service.policies import PolicyHolder


class ContextService:
    """Context packs, for who wants to see why a friend knows something or does not. Nothing is written."""

    def __init__(self, store: Store, policies: PolicyHolder, clock: Clock, ids: Ids) -> None:
        self._store, self._policies, self._clock, self._ids = store, policies, clock, ids

    async def context(self, user_id: UUID, ai_friend_id: UUID | None, text: str, at: datetime | None) -> dict[str, Any]:
        """The context pack of a turn with that text at that instant; of the only friend unless one is named.

        NotFoundError: no such user or friend. InvalidInputError: there are several friends. ConflictError: onboarding
        is not complete, so that no turn gets as far.
        """
        friend_id = ai_friend_id or await self._only_friend(user_id)
        instant = at or self._clock.now()
        with self._policies.use() as compiled:
            required = compiled.bundle.onboarding.required
            known = await self._store.foresee(
                user_id, friend_id, instant, required, compiled.history_limit, compiled.reply_window
            )
            if known.missing or known.friend is None:
                raise ConflictError(f"onboarding is not complete; missing: {', '.join(known.missing)}")
            request = TurnRequest(
                message_id=self._ids.uuid(),
                user_id=user_id,
                ai_friend_id=friend_id,
                conversation_id=known.friend.conversation_id,
                text=text,
                received_at=instant,
            )
            view = view_turn(compiled, request, known, trace_id=self._ids.uuid(), decision_id=self._ids.uuid())
            return context_body(view)

    async def _only_friend(self, user_id: UUID) -> UUID:
        friends = await self._store.friends(user_id)
        if not friends:
            raise NotFoundError("this user has no friend yet")
        if len(friends) > 1:
            said = "this user has several friends; say which one"
            raise InvalidInputError(said, [FieldError("/ai_friend_id", said)])
        return friends[0][0].ai_friend_id
