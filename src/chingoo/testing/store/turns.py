"""The fake store's end of a turn, and what else is written of turns: the same rules as the SQL."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from chingoo.errors import StoreRefusedError
from chingoo.model.enums import AgeBand, Mode, Role, Source
from chingoo.model.people import Memory, MemoryChange, Spending
from chingoo.model.turn import Attempt, Settlement, SettleOutcome, TurnRequest
from chingoo.testing.store import safety_logs
from chingoo.testing.store.door import conversation_of
from chingoo.testing.store.state import (
    AttemptRow,
    ControlsRow,
    MessageRow,
    State,
    check_memories,
    check_storable,
    refused,
)

_BANDS = tuple(AgeBand)


def settle(state: State, settlement: Settlement, now: datetime) -> SettleOutcome:
    """See `Store.settle`: everything is checked before anything is written."""
    request = settlement.request
    key = (request.user_id, request.message_id)
    user, conversation = state.users.get(request.user_id), conversation_of(state, request)
    message = state.messages.get(key)
    if user is None or user.mem_version != settlement.mem_version:
        return SettleOutcome.STALE_MEMORY
    if conversation is None or conversation.lease != settlement.lease_token or message is None or message.completed:
        return SettleOutcome.LEASE_LOST
    memories = _changed(state, settlement.memory_changes, request.user_id)
    _check(state, settlement)

    band = settlement.lower_age_band_to
    controlled = settlement.suppressed_keys or settlement.unsuppressed_keys or settlement.suppressed_topics
    if settlement.memory_changes or controlled or band is not None or settlement.claimed_under_13:
        state.users[user.user_id] = replace(
            user,
            mem_version=user.mem_version + 1,
            safety_age_band=user.safety_age_band if band is None else min(user.safety_age_band, band, key=_BANDS.index),
            claimed_under_13=user.claimed_under_13 or settlement.claimed_under_13,
        )
    if settlement.claimed_under_13 or (band is not None and not band.is_adult):
        state.controls[user.user_id].intimate_mode = False
    _control(state.controls[user.user_id], settlement)
    for row in settlement.corrections:
        state.corrections[request.user_id, row.correction_id] = (settlement.received_at, request.message_id, row)
    state.memories |= {(request.user_id, memory.memory_id): memory for memory in memories}
    conversation.drop_lease()
    conversation.turn_seq += 1
    conversation.pending += int(request.source is Source.CHAT and request.mode is Mode.FRIEND)
    conversation.message_seq += 1
    message.completed, message.answer = True, settlement.answer
    message.extracted_memory_candidate_ids = settlement.extracted_memory_candidate_ids
    _say(state, settlement, conversation.message_seq, now)
    friend = (request.user_id, conversation.ai_friend_id)
    if settlement.relationship is not None:
        state.relationships[friend] = settlement.relationship
    if settlement.disclosed_at is not None:
        state.disclosed[friend] = settlement.disclosed_at
    decided = (settlement.received_at, request.message_id, settlement.decision)
    state.decisions[request.user_id, settlement.decision.decision_id] = decided
    safety_logs.log(state, settlement, now)
    state.llm_calls |= {(request.user_id, call.call_id): call for call in settlement.llm_calls}
    state.called_at |= {(request.user_id, call.call_id): now for call in settlement.llm_calls}
    if settlement.enqueue_after_turn:
        state.due[request.user_id] = now
        state.queued.add(request.user_id)
    return SettleOutcome.SETTLED


def spending(state: State, now: datetime, user_id: UUID, hours: int) -> Spending:
    """See `Store.spending`."""
    since = now - timedelta(hours=hours)
    priced = [key for key, call in state.llm_calls.items() if key[0] == user_id and call.cost_usd > 0]
    counted = [key for key in priced if state.called_at[key] > since]
    first = min((state.called_at[key] for key in counted), default=since)
    usd = float(sum(state.llm_calls[key].cost_usd for key in counted))
    return Spending(usd, (first - since).total_seconds())


def _control(controls: ControlsRow, settlement: Settlement) -> None:
    keys = dict.fromkeys((*controls.suppressed_memory_keys, *settlement.suppressed_keys))
    controls.suppressed_memory_keys = tuple(key for key in keys if key not in settlement.unsuppressed_keys)
    topics = dict.fromkeys((*controls.suppressed_topics, *settlement.suppressed_topics))
    controls.suppressed_topics = tuple(topics)


def release(state: State, request: TurnRequest, lease: UUID) -> None:
    """See `Store.release`."""
    conversation = state.conversations.get((request.user_id, request.conversation_id))
    if conversation is not None and conversation.lease == lease:
        conversation.drop_lease()


def attempt(state: State, made: Attempt, now: datetime) -> None:
    """See `Store.attempt`."""
    check_storable(made.request.text)
    if made.keep_answer:
        kept = AttemptRow(made.request, made.answer)
        state.attempts.setdefault((made.request.user_id, made.request.message_id), kept)
    safety_logs.log(state, made, now)


def answer_of(state: State, user_id: UUID, message_id: UUID) -> tuple[str, Mapping[str, Any] | None] | None:
    """See `Store.answer_of`."""
    message, kept = state.messages.get((user_id, message_id)), state.attempts.get((user_id, message_id))
    if message is not None and message.role is Role.USER:
        return ("COMPLETED", message.answer) if message.completed else ("PROCESSING", None)
    return None if kept is None else ("COMPLETED", kept.answer)


def stuck_turns(
    state: State, now: datetime, older_than_s: float, limit: int, user_ids: Sequence[UUID] | None
) -> list[TurnRequest]:
    """See `Store.stuck_turns`."""
    found = []
    for (user_id, message_id), row in state.messages.items():
        conversation = state.conversations[user_id, row.conversation_id]
        busy = conversation.lease_until is not None and conversation.lease_until > now
        late = row.admitted_at < now - timedelta(seconds=older_than_s)
        if not row.completed and late and not busy and (user_ids is None or user_id in user_ids):
            found.append((row.admitted_at, user_id, message_id, conversation.ai_friend_id, row))
    return [
        TurnRequest(
            message_id=message_id,
            user_id=user_id,
            ai_friend_id=friend_id,
            conversation_id=row.conversation_id,
            text=row.text,
            received_at=row.created_at,
            mode=row.mode,
            source=row.source,
            client_locale=row.client_locale,
            client_timezone=row.client_timezone,
        )
        for _, user_id, message_id, friend_id, row in sorted(found, key=lambda one: one[:3])[:limit]
    ]


def _changed(state: State, changes: Sequence[MemoryChange], user_id: UUID) -> list[Memory]:
    """The rows of the change set, once they are found good together with what is there."""
    rows = {memory.memory_id: memory for memory in state.of_user(user_id)}
    for change in changes:
        known = change.memory.memory_id in rows
        if change.op == "insert" and known:
            raise refused("memories_pkey")
        if change.op == "update" and not known:
            raise StoreRefusedError("a change names a memory that does not exist", None)
        check_storable(change.memory.memory_value)
    rows |= {change.memory.memory_id: change.memory for change in changes}
    check_memories(rows.values())
    return [change.memory for change in changes]


def _check(state: State, settlement: Settlement) -> None:
    user_id = settlement.request.user_id
    check_storable(settlement.reply.text)
    if (user_id, settlement.reply.message_id) in state.messages:
        raise refused("messages_pkey")
    if (user_id, settlement.decision.decision_id) in state.decisions:
        raise refused("decisions_pkey")
    if settlement.relationship is not None and not 0 <= settlement.relationship.rapport_score <= 100:
        raise refused("relationships_rapport_score_check")


def _say(state: State, settlement: Settlement, seq: int, now: datetime) -> None:
    request, reply = settlement.request, settlement.reply
    state.messages[request.user_id, reply.message_id] = MessageRow(
        conversation_id=request.conversation_id,
        message_id=reply.message_id,
        mode=request.mode,
        seq=seq,
        role=Role.ASSISTANT,
        source=request.source,
        completed=True,
        text=reply.text,
        created_at=settlement.received_at,
        admitted_at=now,
        origin=reply.origin,
        surfaced_memory_ids=reply.surfaced_memory_ids,
        reply_to_id=request.message_id,
    )
