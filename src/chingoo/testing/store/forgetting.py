"""The fake store's forgetting, taking back, erasing and exporting: the same rules as the SQL."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.errors import ConflictError, NotFoundError
from chingoo.flow.redaction import with_reply, without_memories, without_words
from chingoo.memory.forgetting import unfounded
from chingoo.model.enums import Role
from chingoo.model.forgetting import ForgottenMessage, Line, MemoryEdit, Purged, Remembered
from chingoo.model.people import Memory, StoredMessage
from chingoo.testing.store.people import find
from chingoo.testing.store.state import KeptWords, MessageRow, State, check_memories

_ERASED = (
    "users", "controls", "friends", "relationships", "disclosed", "conversations", "messages", "attempts", "memories",
    "corrections", "decisions", "guard_log", "crisis_log", "events", "llm_calls", "called_at", "due", "kept",
    "forgotten", "dropped", "runs", "samples",
)  # fmt: skip


def edit_memories(
    state: State, user_id: UUID, asked: UUID | None, decide: Callable[[Remembered], MemoryEdit]
) -> tuple[Remembered, MemoryEdit]:
    """See `Store.edit_memories`."""
    before = _remembered(state, user_id, asked)
    edit = decide(before)
    if edit.is_empty:
        return before, edit
    rows = {memory.memory_id: memory for memory in state.of_user(user_id)}
    rows |= {change.memory.memory_id: change.memory for change in edit.changes}
    check_memories(rows.values())
    state.memories |= {(user_id, memory_id): memory for memory_id, memory in rows.items()}
    state.dropped[user_id] = (state.dropped.get(user_id, set()) - set(edit.restore)) | set(edit.drop)
    controls = state.controls[user_id]
    kept = [key for key in controls.suppressed_memory_keys if key not in (*edit.suppress, *edit.unsuppress)]
    controls.suppressed_memory_keys = (*kept, *edit.suppress)
    if asked is not None and edit.undo_until is not None:
        _hide(state, user_id, asked, edit.hide, edit.undo_until)
    if asked is not None and edit.unhide:
        _unhide(state, user_id, asked)
    _bump(state, user_id)
    return before, edit


def evidence(state: State, user_id: UUID, memory_id: UUID) -> list[StoredMessage]:
    """See `Store.evidence`."""
    memory = state.memories.get((user_id, memory_id))
    if memory is None:
        raise NotFoundError("no such memory")
    rows = [state.messages.get((user_id, message_id)) for message_id in memory.evidence_message_ids]
    told = [row for row in rows if row is not None and not row.is_forgotten]
    return [row.stored() for row in sorted(told, key=lambda row: (row.created_at, row.seq))]


def purge_forgotten(state: State, now: datetime, user_ids: Sequence[UUID] | None) -> Purged:
    """See `Store.purge_forgotten`."""
    messages = memories = 0
    for user_id in [user_id for user_id in state.users if user_ids is None or user_id in user_ids]:
        over = [key for key, words in state.kept.items() if key[0] == user_id and words.undo_until <= now]
        for key in over:
            del state.kept[key]
            state.messages[key].text, state.messages[key].used_up = "", True
        gone = {row.memory_id for row in _unfounded(state, user_id, now)}
        _delete(state, user_id, gone, {message_id for _, message_id in over})
        if over or gone:
            _bump(state, user_id)
        messages, memories = messages + len(over), memories + len(gone)
    return Purged(messages, memories)


def export_user(state: State, user_id: UUID) -> dict[str, Any]:
    """See `Store.export_user`."""
    user = find(state, user_id)
    rows = [row for (owner, _), row in state.messages.items() if owner == user_id]
    hidden = {one for owner, one, _ in state.forgotten if owner == user_id}
    memories = [
        row
        for row in state.of_user(user_id)
        if row.forget_at is None and not (row.evidence_message_ids and hidden.issuperset(row.evidence_message_ids))
    ]
    answers = msgspec.to_builtins(user.answers)
    exported = {
        "user": {"user_id": str(user_id), "user_state": user.state.value, **answers},
        "controls": msgspec.to_builtins(state.controls[user_id].effective(user)),
        "friends": [friend for (owner, _), friend in state.friends.items() if owner == user_id],
        "messages": [row.stored() for row in sorted(rows, key=lambda row: (str(row.conversation_id), row.seq))],
        "memories": memories,
        "corrections": [
            {**msgspec.to_builtins(row), "user_id": user_id, "trigger_message_id": message_id, "created_at": at}
            for (owner, _), (at, message_id, row) in state.corrections.items()
            if owner == user_id
        ],
        "retention": [],
    }
    plain: dict[str, Any] = msgspec.to_builtins(exported)
    return plain


def erase_user(state: State, user_id: UUID) -> dict[str, int]:
    """See `Store.erase_user`."""
    find(state, user_id)
    erased = {}
    for name in _ERASED:
        table = getattr(state, name)
        mine = [key for key in table if (key[0] if isinstance(key, tuple) else key) == user_id]
        for key in mine:
            del table[key]
        erased[name] = len(mine)
    state.queued.discard(user_id)
    state.erased.add(user_id)
    return erased


def _remembered(state: State, user_id: UUID, asked: UUID | None) -> Remembered:
    find(state, user_id)
    return Remembered(
        user_id=user_id,
        memories=tuple(state.of_user(user_id)),
        suppressed_memory_keys=state.controls[user_id].suppressed_memory_keys,
        dropped=tuple(state.dropped.get(user_id, ())),
        forgotten=tuple(
            ForgottenMessage(message_id, because_of, until, (owner, message_id) not in state.kept)
            for (owner, message_id, because_of), until in state.forgotten.items()
            if owner == user_id
        ),
        asked=asked,
        lines=() if asked is None else tuple(_lines(state, user_id, asked)),
    )


def _lines(state: State, user_id: UUID, asked: UUID) -> Iterable[Line]:
    row = state.messages.get((user_id, asked))
    if row is None:
        raise NotFoundError("no such message")
    if not row.completed:
        raise ConflictError("this message is still being answered; ask again when it is", retry_after_s=5.0)
    for line in state.of_conversation(user_id, row.conversation_id):
        if line.completed and not (line.is_forgotten and (user_id, line.message_id) not in state.kept):
            yield Line(
                line.message_id,
                line.role,
                line.seq,
                line.text,
                line.reply_to_id,
                line.surfaced_memory_ids,
                line.is_forgotten,
            )


def _hide(state: State, user_id: UUID, asked: UUID, messages: Sequence[UUID], until: datetime) -> None:
    for message_id in messages:
        row = state.messages[user_id, message_id]
        state.forgotten.setdefault((user_id, message_id, asked), until)
        if not row.is_forgotten:
            state.kept.setdefault((user_id, message_id), KeptWords(row.text, row.answer, until))
            row.is_forgotten = True
    _settle_answers(state, user_id, messages)


def _unhide(state: State, user_id: UUID, asked: UUID) -> None:
    freed = [key for key in state.forgotten if (key[0], key[2]) == (user_id, asked) and key[:2] in state.kept]
    for key in freed:
        del state.forgotten[key]
    shown = []
    for _, message_id, _ in freed:
        others = [until for key, until in state.forgotten.items() if key[:2] == (user_id, message_id)]
        if others:
            state.kept[user_id, message_id].undo_until = min(others)
            continue
        words, row = state.kept.pop((user_id, message_id)), state.messages[user_id, message_id]
        row.is_forgotten, row.answer = False, words.answer or row.answer
        shown.append(message_id)
    _settle_answers(state, user_id, shown)


def _settle_answers(state: State, user_id: UUID, changed: Iterable[UUID]) -> None:
    for message_id in changed:
        row = state.messages[user_id, message_id]
        question = row if row.role is Role.USER else state.messages[user_id, row.reply_to_id or row.message_id]
        if question.answer is not None:
            said = None if question.is_forgotten else _reply_to(state, user_id, question)
            question.answer = (
                without_words(question.answer) if question.is_forgotten else with_reply(question.answer, said)
            )


def _reply_to(state: State, user_id: UUID, question: MessageRow) -> str | None:
    for row in state.of_conversation(user_id, question.conversation_id):
        if row.reply_to_id == question.message_id and not row.is_forgotten:
            return row.text
    return None


def _unfounded(state: State, user_id: UUID, now: datetime) -> list[Memory]:
    gone = {one for owner, one, _ in state.forgotten if owner == user_id and (owner, one) not in state.kept}
    return unfounded(state.of_user(user_id), gone, now)


def _delete(state: State, user_id: UUID, memories: set[UUID], messages: set[UUID]) -> None:
    for row in state.of_user(user_id):
        if row.memory_id in memories:
            del state.memories[user_id, row.memory_id]
            state.samples.pop((user_id, row.memory_id), None)
        elif row.superseded_by in memories:
            state.memories[user_id, row.memory_id] = replace(row, superseded_by=None)
    state.dropped[user_id] = {
        one
        for one in state.dropped.get(user_id, set())
        if one.message_id not in messages and one.memory_id not in memories
    }
    for (owner, _), message in state.messages.items():
        if owner == user_id and message.answer is not None:
            message.answer = without_memories(message.answer, memories)


def _bump(state: State, user_id: UUID) -> None:
    user = state.users[user_id]
    state.users[user_id] = replace(user, mem_version=user.mem_version + 1)
