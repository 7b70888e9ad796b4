"""The fake store's door of a turn: judged in the order of the SQL, the lease taken, and what is known gathered."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from chingoo.errors import NotFoundError
from chingoo.model.enums import Mode, ReplyOrigin, Role, UserState
from chingoo.model.people import DisclosureState, Friend, User
from chingoo.model.turn import Admission, AdmitOutcome, Admitted, Known, TurnRequest
from chingoo.testing.store.state import ConversationRow, MessageRow, State, check_storable


def admit(state: State, admission: Admission, now: datetime) -> Admitted:
    """See `Store.admit`."""
    request = admission.request
    check_storable(request.text)
    user = state.users.get(request.user_id)
    if user is None:
        return Admitted(AdmitOutcome.NOT_FOUND)
    key = (request.user_id, request.message_id)
    earlier, kept, talk = state.messages.get(key), state.attempts.get(key), conversation_of(state, request)
    missing = _missing(state, user, admission.required_answers)
    controls = state.controls[user.user_id].effective(user)
    verdicts = (
        (earlier is not None and not (talk is not None and _same(earlier, request)), AdmitOutcome.CONFLICT),
        (earlier is not None and earlier.completed, AdmitOutcome.REPLAY),
        (kept is not None, AdmitOutcome.REPLAY if kept is not None and kept.same(request) else AdmitOutcome.CONFLICT),
        (user.state is UserState.CREATED or missing, AdmitOutcome.NOT_READY),
        (talk is None, AdmitOutcome.NOT_FOUND),
        (
            request.mode is Mode.INTIMATE and not (admission.closing or controls.intimate_mode),
            AdmitOutcome.MODE_FORBIDDEN,
        ),
        (talk is not None and not talk.free_for(admission.lease_token, now), AdmitOutcome.BUSY),
        (True, AdmitOutcome.ADMITTED),
    )
    outcome = next(outcome for holds, outcome in verdicts if holds)
    known, answer, retry_after_s = None, None, 0.0
    if outcome is AdmitOutcome.NOT_READY:
        known = Known(user, controls, missing, request.received_at)
    elif outcome is AdmitOutcome.REPLAY:
        answer = earlier.answer if earlier is not None else kept.answer if kept is not None else None
    elif outcome is AdmitOutcome.BUSY and talk is not None and talk.lease_until is not None:
        retry_after_s = (talk.lease_until - now).total_seconds()
    elif outcome is AdmitOutcome.ADMITTED and talk is not None:
        known = _take(state, admission, user, talk, earlier, now)
    return Admitted(outcome, known, answer, retry_after_s)


def reread(state: State, request: TurnRequest, lease: UUID, history_limit: int, reply_window: int) -> Known | None:
    """See `Store.reread`."""
    conversation = conversation_of(state, request)
    message = state.messages.get((request.user_id, request.message_id))
    if conversation is None or conversation.lease != lease or message is None or message.completed:
        return None
    return _known(state, state.users[request.user_id], _told(state, message, request), history_limit, reply_window)


def foresee(
    state: State,
    user_id: UUID,
    ai_friend_id: UUID,
    at: datetime,
    required: Sequence[str],
    history_limit: int,
    reply_window: int,
) -> Known:
    """See `Store.foresee`."""
    friend = state.friends.get((user_id, ai_friend_id))
    if friend is None:
        raise NotFoundError("no such user or friend")
    user = state.users[user_id]
    conversation = state.conversations[user_id, friend.conversation_id]
    missing = _missing(state, user, required)
    told = _Told(
        friend,
        Mode.FRIEND,
        received_at=max(conversation.last_received_at or at, at),
        activates=user.state is UserState.ONBOARDING and not missing,
    )
    return replace(_known(state, user, told, history_limit, reply_window), missing=missing)


def conversation_of(state: State, request: TurnRequest) -> ConversationRow | None:
    """The conversation, if it is this user's with this friend."""
    found = state.conversations.get((request.user_id, request.conversation_id))
    return found if found is not None and found.ai_friend_id == request.ai_friend_id else None


def _same(row: MessageRow, request: TurnRequest) -> bool:
    return (
        row.role is Role.USER
        and not row.used_up
        and (row.text, row.conversation_id, row.mode, row.source)
        == (
            request.text,
            request.conversation_id,
            request.mode,
            request.source,
        )
    )


def _missing(state: State, user: User, required: Sequence[str]) -> tuple[str, ...]:
    if user.state is UserState.ACTIVE:
        return ()
    answers = asdict(user.answers)
    persona = () if any(owner == user.user_id for owner, _ in state.friends) else ("persona",)
    return tuple(name for name in required if answers.get(name, "") is None) + persona


def _take(
    state: State,
    admission: Admission,
    user: User,
    conversation: ConversationRow,
    earlier: MessageRow | None,
    now: datetime,
) -> Known:
    """Take the lease, write the message down, activate; what was known before."""
    request = admission.request
    activates = user.state is UserState.ONBOARDING
    conversation.lease = admission.lease_token
    conversation.lease_until = now + timedelta(seconds=admission.lease_seconds)
    conversation.message_seq += 1
    conversation.last_received_at = max(conversation.last_received_at or request.received_at, request.received_at)
    row = earlier or MessageRow(
        conversation_id=request.conversation_id,
        message_id=request.message_id,
        mode=request.mode,
        seq=0,
        role=Role.USER,
        source=request.source,
        completed=False,
        text=request.text,
        created_at=now,
        admitted_at=now,
        activates=activates,
        client_locale=request.client_locale,
        client_timezone=request.client_timezone,
    )
    row.seq, row.created_at, row.admitted_at = conversation.message_seq, conversation.last_received_at, now
    known = _known(state, user, _told(state, row, request), admission.history_limit, admission.reply_window)
    state.messages[request.user_id, request.message_id] = row
    if activates:
        key = (request.user_id, request.ai_friend_id)
        state.users[user.user_id] = replace(user, state=UserState.ACTIVE)
        state.relationships[key] = replace(state.relationships[key], last_interaction_at=row.created_at)
    return known


@dataclass(frozen=True, slots=True)
class _Told:
    """Which turn is told what is known: with whom, when, and whether it makes the person ACTIVE."""

    friend: Friend
    mode: Mode
    received_at: datetime
    activates: bool


def _told(state: State, message: MessageRow, request: TurnRequest) -> _Told:
    friend = state.friends[request.user_id, request.ai_friend_id]
    return _Told(friend, request.mode, message.created_at, message.activates)


def _known(state: State, user: User, turn: _Told, history_limit: int, reply_window: int) -> Known:
    friend = turn.friend
    of_friend = (friend.user_id, friend.ai_friend_id)
    conversation = state.conversations[friend.user_id, friend.conversation_id]
    lines = [row for row in state.of_conversation(friend.user_id, friend.conversation_id) if row.shown]
    lines = [row for row in lines if not row.is_forgotten]
    recent = {id(row) for mode in Mode for row in [row for row in lines if row.mode is mode][-history_limit:]}
    spoken = (ReplyOrigin.LLM, ReplyOrigin.OFFLINE)
    replies = [row.text for row in lines if row.mode is turn.mode and row.origin in spoken]
    crises = [row["created_at"] for (owner, _), row in state.crisis_log.items() if owner == friend.user_id]
    return Known(
        user=replace(user, state=UserState.ONBOARDING) if turn.activates else user,
        controls=state.controls[user.user_id].effective(user),
        missing=(),
        received_at=turn.received_at,
        friend=friend,
        relationship=state.relationships[of_friend],
        history=tuple(row.stored() for row in lines if id(row) in recent),
        recent_replies=tuple(replies[-reply_window:]),
        memories=tuple(
            memory
            for memory in state.of_user(friend.user_id)
            if memory.ai_friend_id == friend.ai_friend_id and memory.status == "ACTIVE"
        ),
        disclosure=DisclosureState(state.disclosed.get(of_friend)),
        last_crisis_at=max(crises, default=None),
        turn_seq=conversation.turn_seq,
        pending_extraction_count=conversation.pending,
        activated=turn.activates,
    )
