"""The fake store's batches: the same rules as the SQL."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from chingoo.model.enums import ExtractedFrom, Mode, Role, Source
from chingoo.model.extraction import (
    SPOILT,
    BatchQuality,
    Conclude,
    DueBatch,
    ExtractionRun,
    RunCall,
    Trigger,
    Triggers,
    Unanalysed,
)
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.testing.store import forgetting
from chingoo.testing.store.people import find
from chingoo.testing.store.state import ConversationRow, MessageRow, State

_EVER = datetime.min.replace(tzinfo=UTC)


def due(
    state: State,
    now: datetime,
    triggers: Triggers,
    limit: int,
    after: UUID | None,
    user_ids: Sequence[UUID] | None,
) -> list[DueBatch]:
    """See `Store.due_batches`."""
    found: dict[UUID, DueBatch] = {}
    talks = sorted(state.conversations.items(), key=lambda item: (item[0][0], item[1].last_received_at or now))
    for (user_id, conversation_id), row in talks:
        if (after is not None and user_id <= after) or (user_ids is not None and user_id not in user_ids):
            continue
        trigger = _trigger(state, user_id, conversation_id, row, now, triggers)
        if trigger is not None and not _ran(state, user_id, now, triggers):
            spoilt = _spoilt(state, user_id, conversation_id)
            found.setdefault(user_id, DueBatch(user_id, row.ai_friend_id, conversation_id, trigger, spoilt))
    return list(found.values())[:limit]


def unanalysed(state: State, user_id: UUID, conversation_id: UUID, limit: int) -> Unanalysed:
    """See `Store.unanalysed`."""
    rows = []
    for message in _new(state, user_id, conversation_id):
        if not message.completed:
            break
        rows.append(message)
    rows = rows[:limit]
    messages = tuple(
        replace(row.stored(), origin=None, surfaced_memory_ids=(), extracted_memory_candidate_ids=())
        for row in rows
        if not row.is_forgotten
    )
    return Unanalysed(messages, max((row.seq for row in rows), default=0))


def begin(state: State, run: ExtractionRun, triggers: Triggers) -> bool:
    """See `Store.begin_extraction`."""
    find(state, run.user_id)
    if _ran(state, run.user_id, run.created_at, triggers):
        return False
    state.runs[run.user_id, run.run_id] = run
    return True


def end(state: State, now: datetime, user_id: UUID, call: RunCall | None, conclude: Conclude) -> ExtractionRun:
    """See `Store.end_extraction`."""
    ended: list[ExtractionRun] = []

    def decide(known: Remembered) -> MemoryEdit:
        edit, run = conclude(known)
        ended.append(run)
        return edit

    forgetting.edit_memories(state, user_id, None, decide)
    run = ended[0]
    state.runs[user_id, run.run_id] = run
    for one in run.samples:
        state.samples.setdefault((user_id, one.memory_id), (one, run.created_at, None))
    if run.error is None:
        talk = state.conversations[user_id, run.conversation_id]
        talk.extracted_seq = max(talk.extracted_seq, run.up_to)
        new = _new(state, user_id, run.conversation_id)
        talk.pending = sum(row.role is Role.USER and row.source is Source.CHAT and row.completed for row in new)
    if call is not None:
        state.llm_calls[user_id, call.call.call_id] = call.call
        state.called_at[user_id, call.call.call_id] = now
    return run


def quality(state: State, since: datetime) -> BatchQuality:
    """See `Store.batch_quality`."""
    made = [
        key
        for key, row in state.memories.items()
        if row.extracted_from is ExtractedFrom.BATCH and row.created_at > since
    ]
    wrong = {(owner, row.deactivated_memory_id) for (owner, _), (_, _, row) in state.corrections.items()}
    return BatchQuality(len(made), sum(key in wrong for key in made))


def _trigger(
    state: State, user_id: UUID, conversation_id: UUID, row: ConversationRow, now: datetime, triggers: Triggers
) -> Trigger | None:
    if row.pending == 0:
        return None
    if row.last_received_at is not None and row.last_received_at <= now - triggers.gap:
        return Trigger.SESSION_CLOSED
    if row.pending >= triggers.messages:
        return Trigger.MESSAGES
    new = _new(state, user_id, conversation_id)
    waited = any(one.role is Role.USER and one.created_at <= now - triggers.wait for one in new)
    return Trigger.CRON if waited else None


def _new(state: State, user_id: UUID, conversation_id: UUID) -> list[MessageRow]:
    seen = state.conversations[user_id, conversation_id].extracted_seq
    rows = state.of_conversation(user_id, conversation_id)
    return [row for row in rows if row.seq > seen and row.mode is Mode.FRIEND]


def _ran(state: State, user_id: UUID, now: datetime, triggers: Triggers) -> bool:
    runs = (run for (owner, _), run in state.runs.items() if owner == user_id)
    return any(run.created_at > now - triggers.apart for run in runs)


def _spoilt(state: State, user_id: UUID, conversation_id: UUID) -> int:
    runs = [run for (owner, _), run in state.runs.items() if (owner, run.conversation_id) == (user_id, conversation_id)]
    good = [run.created_at for run in runs if run.error is None and run.llm_model is not None]
    return sum(run.error in SPOILT and run.created_at > max(good, default=_EVER) for run in runs)
