"""The fake store's users, controls and friends."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from chingoo.errors import ConflictError, FieldError, ForbiddenError, NotFoundError
from chingoo.model.enums import AgeBand, IntimatePersona, TopicID, UserState
from chingoo.model.people import Answers, Controls, Friend, LaterAssignment, Relationship, User, Window
from chingoo.ports.people import AnswersPatch, ChooseAssignment
from chingoo.testing.store.state import ControlsRow, ConversationRow, State, check_storable, refused

_BANDS = tuple(AgeBand)


def create_user(state: State, user_id: UUID) -> tuple[User, bool]:
    """See `Store.create_user`."""
    if user_id in state.erased:
        raise ConflictError("the user of this id was erased; make a user with a new id")
    new = user_id not in state.users
    if new:
        state.users[user_id] = User(user_id, UserState.CREATED, Answers(), AgeBand.UNKNOWN, mem_version=0)
        state.controls[user_id] = ControlsRow()
    return state.users[user_id], new


def find(state: State, user_id: UUID) -> User:
    """The user, or NotFoundError."""
    if user_id not in state.users:
        raise NotFoundError("no such user")
    return state.users[user_id]


def patch_onboarding(state: State, user_id: UUID, patch: AnswersPatch) -> User:
    """See `Store.patch_onboarding`."""
    user, controls = find(state, user_id), state.controls.get(user_id, ControlsRow())
    cleared = [name for name, answer in patch.answers.items() if answer is None]
    if user.state is UserState.ACTIVE and cleared:
        raise ConflictError(
            "an answer cannot be taken back once the user is ACTIVE; send another one",
            [FieldError(f"/{name}", "may not be null any more") for name in cleared],
        )
    switched = patch.proactive_messages_enabled is not None or patch.suppressed_topics is not None
    if not patch.answers and not switched:
        return user
    for answer in patch.answers.values():
        check_storable(answer or "")
    answers = dict(patch.answers)
    band = answers.get("age_band")
    if band is not None:
        answers["age_band"] = AgeBand(band)
    accepted = switched or any(answer is not None for answer in answers.values())
    lower = user.safety_age_band if band is None else min(user.safety_age_band, AgeBand(band), key=_BANDS.index)
    if patch.proactive_messages_enabled is not None:
        controls.proactive = patch.proactive_messages_enabled
    if patch.suppressed_topics is not None:
        controls.suppressed_topics = tuple(patch.suppressed_topics)
    controls.intimate_mode = controls.intimate_mode and lower.is_adult
    state.users[user_id] = replace(
        user,
        state=UserState.ONBOARDING if user.state is UserState.CREATED and accepted else user.state,
        answers=replace(user.answers, **answers),  # type: ignore[arg-type]  # the names were checked at the edge
        safety_age_band=lower,
        mem_version=user.mem_version + 1,
    )
    return state.users[user_id]


def patch_controls(state: State, user_id: UUID, changes: Mapping[str, Any]) -> Controls:
    """See `Store.patch_controls`."""
    user = find(state, user_id)
    row = state.controls[user_id]
    band = user.safety_age_band
    if changes.get("intimate_mode") and not band.is_adult:
        why = "the age is not known" if band is AgeBand.UNKNOWN else "the person is a minor, or said so"
        raise ForbiddenError(f"intimate mode is for adults only: {why}")
    if changes:
        state.users[user_id] = replace(user, mem_version=user.mem_version + 1)
    row.proactive = changes.get("proactive_messages_enabled", row.proactive)
    row.mute_until = changes.get("mute_until", row.mute_until)
    row.suppressed_topics = tuple(map(TopicID, changes.get("suppressed_topics", row.suppressed_topics)))
    row.suppressed_memory_keys = tuple(changes.get("suppressed_memory_keys", row.suppressed_memory_keys))
    row.intimate_mode = changes.get("intimate_mode", row.intimate_mode)
    row.intimate_persona = IntimatePersona(changes.get("intimate_persona", row.intimate_persona))
    return row.effective(user)


def create_friend(
    state: State,
    user_id: UUID,
    friend_id: UUID,
    conversation_id: UUID,
    name: str | None,
    assigned_at: datetime,
    required: Sequence[str],
    length: timedelta,
    choose: ChooseAssignment,
) -> tuple[Friend, bool]:
    """See `Store.create_friend`."""
    user = find(state, user_id)
    known = state.friends.get((user_id, friend_id))
    if known is not None:
        return known, False
    missing = [answer for answer in required if getattr(user.answers, answer, "") is None]
    if missing:
        raise ConflictError(
            f"onboarding is not complete; missing: {', '.join(missing)}",
            [FieldError(f"/{answer}", "not answered yet") for answer in missing],
        )
    check_storable(name or "")
    if any(taken == conversation_id for _, taken in state.conversations):
        raise refused("conversation_owners_pkey")
    friend = Friend(user_id, friend_id, conversation_id, name, choose(window(state, assigned_at, length)), assigned_at)
    state.friends[user_id, friend_id] = friend
    state.relationships[user_id, friend_id] = Relationship()
    state.conversations[user_id, conversation_id] = ConversationRow(friend_id)
    state.assignments.append((assigned_at, str(friend.assignment.combo_key), friend.assignment.fallback))
    return friend, True


def window(state: State, at: datetime, length: timedelta) -> Window:
    """The assignments in [at − length, at) (PERS-13), and what a late arrival must leave intact."""
    by_combo = _before(state, at, length)
    smallest: dict[tuple[str, int], int] = {}
    for assigned_at, combo, fallback in state.assignments:
        if at < assigned_at <= at + length and not fallback:
            counts = _before(state, assigned_at, length)
            one = (combo, counts.get(combo, 0))
            smallest[one] = min(smallest.get(one, len(state.assignments)), sum(counts.values()))
    later = (LaterAssignment(combo, total, taken) for (combo, taken), total in sorted(smallest.items()))
    return Window(sum(by_combo.values()), by_combo, tuple(later))


def _before(state: State, at: datetime, length: timedelta) -> dict[str, int]:
    by_combo: dict[str, int] = {}
    for assigned_at, combo, _ in state.assignments:
        if at - length <= assigned_at < at:
            by_combo[combo] = by_combo.get(combo, 0) + 1
    return by_combo


def friends(state: State, user_id: UUID) -> list[tuple[Friend, Relationship]]:
    """See `Store.friends`."""
    find(state, user_id)
    own = [friend for (owner, _), friend in state.friends.items() if owner == user_id]
    own.sort(key=lambda friend: (friend.assigned_at, friend.ai_friend_id))
    return [(friend, state.relationships[user_id, friend.ai_friend_id]) for friend in own]


def friend(state: State, user_id: UUID, ai_friend_id: UUID) -> tuple[Friend, Relationship]:
    """See `Store.friend`."""
    if (user_id, ai_friend_id) not in state.friends:
        raise NotFoundError("no such friend")
    return state.friends[user_id, ai_friend_id], state.relationships[user_id, ai_friend_id]
