"""The anti-cloning window: one standing count, walked to the instant that is asked about (PERS-13…16).

Counting a day of assignments anew costs more the busier the day was. So one row holds the counts of the window that
ended at the newest instant so far; for another instant only what entered and what left between the two is read.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec

from chingoo.adapters.postgres.statements import Statement
from chingoo.model.people import LaterAssignment, Window

WALK = Statement("""
with asked as (
    select %(assigned_at)s::timestamptz as at, %(window)s::interval as length
),
standing as (
    select ended, counts from persona_assignment_standing, asked
    where standing_id = 1 and window_length = length and ended > at - length and ended < at + length
),
walk as (
    select at, length, least(known.ended, at) as first, greatest(known.ended, at) as last,
        case when known.ended > at then -1 else 1 end as entering,
        case when found.ended is null then 0 when found.ended > at then 1 else -1 end as leaving
    from asked left join standing found on true
    cross join lateral (select coalesce(found.ended, at - length) as ended) as known
),
newest as (
    select max(a.assigned_at) as last from persona_assignments a, asked
    where a.assigned_at > at and a.assigned_at <= at + length
),
passing as (
    select a.assigned_at as moment, a.combo_key, 1 as change, not a.fallback as kept
    from persona_assignments a, asked, newest where a.assigned_at >= at and a.assigned_at <= newest.last
    union all
    select a.assigned_at + length, a.combo_key, -1, false
    from persona_assignments a, asked, newest
    where a.assigned_at >= at - length and a.assigned_at < newest.last - length
),
passed as (
    select moment, combo_key, kept,
        coalesce(sum(change) over (order by moment
            range between unbounded preceding and interval '1 microsecond' preceding), 0) as total,
        coalesce(sum(change) over (partition by combo_key order by moment
            range between unbounded preceding and interval '1 microsecond' preceding), 0) as taken
    from passing
)
select 'standing' as kind, null as combo_key, 0::bigint as taken, 0::bigint as total, ended, counts from standing
union all
select 'move', a.combo_key, sum(entering), 0, null, null
from walk, persona_assignments a where a.assigned_at >= first and a.assigned_at < last group by a.combo_key
union all
select 'move', a.combo_key, sum(leaving), 0, null, null
from walk, persona_assignments a
where leaving <> 0 and a.assigned_at >= first - length and a.assigned_at < last - length group by a.combo_key
union all
select 'later', combo_key, taken, min(total), null, null
from passed, asked where kept and moment > at group by combo_key, taken
order by kind, combo_key, taken
""")
"""What the window [at − length, at) holds, as a standing count and moves away from it, and what looks back on it.

Without a standing count near enough – the first one ever, after a day without any, after the policy changed the
length – the moves are the whole window. `later` rows are counted from this window on: what enters and leaves it until
the later instant.
"""

STAND = Statement("""
insert into persona_assignment_standing as s (standing_id, window_length, ended, counts)
values (1, %(window)s, %(ended)s, %(counts)s::jsonb)
on conflict (standing_id) do update
set window_length = excluded.window_length, ended = excluded.ended, counts = excluded.counts
where s.window_length <> excluded.window_length or s.ended <= excluded.ended
""")

_Counts = dict[str, int]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Counts).decode


@dataclass(frozen=True, slots=True)
class Walked:
    """The window at an instant, and the standing count it was walked from, where there was one."""

    at: datetime
    length: timedelta
    window: Window
    stood_at: datetime | None
    stood: Mapping[str, int]

    def stand(self, key: str) -> dict[str, Any]:
        """The parameters of STAND after one more of this key at this instant: the newer of the two windows stands."""
        counts, ended = self.window.by_combo, self.at
        if self.stood_at is not None and self.stood_at > self.at:
            counts, ended = dict(self.stood), self.stood_at
            counts[key] = counts.get(key, 0) + 1
        return {"window": self.length, "ended": ended, "counts": _encode(counts).decode()}


def walked(rows: Sequence[Mapping[str, Any]], at: datetime, length: timedelta) -> Walked:
    """Read the rows of WALK."""
    stood_at: datetime | None = None
    stood: _Counts = {}
    moves: Counter[str] = Counter()
    for row in rows:
        if row["kind"] == "standing":
            stood_at, stood = row["ended"], _decode(row["counts"])
        elif row["kind"] == "move":
            moves[row["combo_key"]] += int(row["taken"])
    moves.update(stood)
    counts = {key: count for key, count in moves.items() if count}
    total = sum(counts.values())
    later = tuple(
        LaterAssignment(key, total=total + int(row["total"]), taken=counts.get(key, 0) + int(row["taken"]))
        for row in rows
        if row["kind"] == "later" and (key := row["combo_key"])
    )
    return Walked(at, length, Window(total, counts, later), stood_at, stood)
