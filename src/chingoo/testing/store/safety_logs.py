"""The fake store's logs of guarded turns, their counts, and the events that tell a human of a crisis."""

from datetime import UTC, date, datetime, timedelta

from chingoo.model.enums import CrisisLevel
from chingoo.model.turn import Attempt, CrisisEvent, LogPart, SafetyCount, Settlement
from chingoo.testing.store.state import EventRow, Key, State

Made = Settlement | Attempt


def log(state: State, made: Made, now: datetime) -> None:
    """All that a turn logs; what was logged before is neither logged nor counted again."""
    key = (made.request.user_id, made.request.message_id)
    crisis = made.crisis is not None and key not in state.crisis_log
    guard = made.guard is not None and key not in state.guard_log
    for part in (LogPart.EVENT, LogPart.CRISIS, LogPart.GUARDRAIL):
        write(state, part, made, now)
    _count(state, made, crisis=crisis, guard=guard)


def write(state: State, part: LogPart, made: Made, now: datetime) -> None:
    """See `Store.write_log`."""
    key = (made.request.user_id, made.request.message_id)
    shared = {"user_id": key[0], "message_id": key[1], "created_at": made.received_at}
    if part is LogPart.EVENT and made.event is not None:
        event = (made.event.user_id, made.event.event_id)
        if event not in state.events_known:
            state.events_known.add(event)
            state.events[event] = EventRow(made.event, now)
    if part is LogPart.CRISIS and made.crisis is not None:
        row = shared | {"level": made.crisis.level.value, "phrases": list(made.crisis.phrases)}
        state.crisis_log.setdefault(key, row)
    if part is LogPart.GUARDRAIL and made.guard is not None:
        blocked = {
            "event_type": "content_guardrail_triggered",
            "event_category": "moderation",
            "action": "block",
            "resource_type": "message",
            "result": "blocked",
            "event_data": {"category": made.guard.category},
        }
        state.guard_log.setdefault(key, shared | blocked)
    if part is LogPart.COUNTS:
        _count(state, made, crisis=True, guard=True)


def counts(state: State, first: date, last: date) -> list[SafetyCount]:
    """See `Store.safety_counts`."""
    return [
        SafetyCount(month, name, category or None, CrisisLevel(level) if level else None, language, events)
        for (month, name, category, level, language), events in sorted(state.safety_counts.items())
        if first <= month <= last
    ]


def take(state: State, now: datetime, limit: int, held_s: float) -> list[tuple[CrisisEvent, int]]:
    """See `CrisisEvents.take_crisis_events`."""
    due = sorted((row for row in state.events.values() if row.due_at <= now), key=lambda row: row.due_at)[:limit]
    for row in due:
        row.due_at = now + timedelta(seconds=held_s)
        row.tries += 1
    return [(row.event, row.tries) for row in due]


def later(state: State, now: datetime, key: Key, wait_s: float) -> None:
    """See `CrisisEvents.crisis_event_later`."""
    if key in state.events:
        state.events[key].due_at = now + timedelta(seconds=wait_s)


def _count(state: State, made: Made, *, crisis: bool, guard: bool) -> None:
    month = made.received_at.astimezone(UTC).date().replace(day=1)
    if crisis and made.crisis is not None:
        state.safety_counts[month, "crisis", "", made.crisis.level.value, made.crisis.language] += 1
    if guard and made.guard is not None:
        state.safety_counts[month, "guardrail", made.guard.category, "", made.guard.language] += 1
