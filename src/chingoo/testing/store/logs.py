"""The fake store's pages and jobs."""

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from chingoo.errors import FieldError, InvalidInputError, NotFoundError
from chingoo.model.enums import MemoryStatus
from chingoo.model.people import Memory, Relationship, StoredMessage
from chingoo.ports.logs import Page
from chingoo.testing.store.state import State


def messages(
    state: State, user_id: UUID, conversation_id: UUID, limit: int, before: str | None
) -> tuple[list[StoredMessage], str | None]:
    """See `Store.messages`."""
    if (user_id, conversation_id) not in state.conversations:
        raise NotFoundError("no such conversation")
    end = None if before is None else _read(before, (int,))[0]
    rows = [row for row in state.of_conversation(user_id, conversation_id) if row.shown]
    rows = [row for row in rows if end is None or row.seq < end]
    page = rows[-limit:]
    return [row.stored() for row in page], _write(page[0].seq) if len(rows) > limit else None


def memories(state: State, user_id: UUID, include_inactive: bool) -> list[Memory]:
    """See `Store.memories`."""
    if user_id not in state.users:
        raise NotFoundError("no such user")
    return [row for row in state.of_user(user_id) if include_inactive or row.status is MemoryStatus.ACTIVE]


def decisions(
    state: State, user_id: UUID | None, pipeline: str | None, since: datetime | None, limit: int, before: str | None
) -> Page:
    """See `Store.decisions`."""
    rows = [
        {
            "decision_id": row.decision_id,
            "trace_id": row.trace_id,
            "message_id": message_id,
            "user_id": owner,
            "received_at": received_at,
            "pipeline": row.pipeline.value,
            "safety_policy": row.safety_policy.value,
            "rules": list(row.rules),
            "digest": row.digest,
            "timings_ms": dict(row.timings_ms),
            "verdict": None,
        }
        for (owner, _), (received_at, message_id, row) in state.decisions.items()
        if user_id in (None, owner) and pipeline in (None, row.pipeline) and (since is None or received_at >= since)
    ]
    return _page(rows, ("received_at", "decision_id"), limit, before)


def audit(
    state: State, kind: str, user_id: UUID | None, since: datetime | None, limit: int, before: str | None
) -> Page:
    """See `Store.audit`."""
    logs = {"guardrail": state.guard_log, "crisis": state.crisis_log}
    if kind not in logs:
        raise InvalidInputError("no such log", [FieldError("/kind", "guardrail or crisis")])
    rows = [
        row
        for (owner, _), row in logs[kind].items()
        if user_id in (None, owner) and (since is None or row["created_at"] >= since)
    ]
    return _page(rows, ("created_at", "message_id", "user_id"), limit, before)


def decay_candidates(
    state: State, now: datetime, limit: int, after: tuple[UUID, UUID] | None, user_ids: Sequence[UUID] | None
) -> list[tuple[UUID, UUID, Relationship]]:
    """See `Store.decay_candidates`."""
    found = [
        (user_id, friend_id, row)
        for (user_id, friend_id), row in sorted(state.relationships.items(), key=lambda item: item[0])
        if row.rapport_score > 0
        and row.last_interaction_at is not None
        and row.last_interaction_at < now
        and (after is None or (user_id, friend_id) > after)
        and (user_ids is None or user_id in user_ids)
    ]
    return found[:limit]


def write_decay(state: State, user_id: UUID, ai_friend_id: UUID, before: Relationship, after: Relationship) -> bool:
    """See `Store.write_decay`."""
    key = (user_id, ai_friend_id)
    if state.relationships.get(key) != before:
        return False
    state.relationships[key] = after
    _bump(state, user_id)
    return True


def expire_memories(state: State, now: datetime, user_ids: Sequence[UUID] | None) -> int:
    """See `Store.expire_memories`."""
    due = [
        (key, memory)
        for key, memory in state.memories.items()
        if memory.status is MemoryStatus.ACTIVE
        and memory.expires_at is not None
        and memory.expires_at <= now
        and (user_ids is None or key[0] in user_ids)
    ]
    for key, memory in due:
        state.memories[key] = replace(memory, status=MemoryStatus.EXPIRED)
    for user_id in {key[0] for key, _ in due}:
        _bump(state, user_id)
    return len(due)


def _bump(state: State, user_id: UUID) -> None:
    user = state.users[user_id]
    state.users[user_id] = replace(user, mem_version=user.mem_version + 1)


def _page(rows: Iterable[dict[str, Any]], order: tuple[str, ...], limit: int, before: str | None) -> Page:
    def place(row: dict[str, Any]) -> list[str | int]:
        return [str(row[name]) if isinstance(row[name], UUID) else row[name].isoformat() for name in order]

    newest = sorted(rows, key=_by(order), reverse=True)
    if before is not None:
        last = _read(before, (str,) * len(order))
        places = [place(row) for row in newest]
        newest = newest[places.index(last) + 1 :] if last in places else []
    page = newest[:limit]
    return Page(tuple(page), _write(*place(page[-1])) if len(newest) > limit else None)


def _by(order: tuple[str, ...]) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    return lambda row: tuple(row[name] for name in order)


def _write(*place: str | int) -> str:
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def _read(cursor: str, kinds: tuple[type, ...]) -> list[Any]:
    try:
        place = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
    except ValueError:
        place = None
    if not isinstance(place, list) or [type(part) for part in place] != list(kinds):
        detail = "no cursor of this list; send the `next` of a page as it was given"
        raise InvalidInputError(detail, [FieldError("/before", detail)])
    return place
