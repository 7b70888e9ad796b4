"""Giving out a friend with a million assignments on record: p50 and p95, and what the database does for it.

`python tools/bench_assignment.py [rows] [rounds] [--explain]`: an embedded server, the rows spread over 30 days and all
120 combo keys; then friends one after the other, eight at once, and late arrivals of an hour ago.
"""

import asyncio
import math
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import uvloop

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.migrations import upgrade
from chingoo.adapters.postgres.queries.assignment_window import WALK
from chingoo.adapters.postgres.queries.friends import FLUSHED
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.model.enums import CoreArchetype, FriendEnergy, HumorMode
from chingoo.model.people import Assignment, ComboKey, Window
from chingoo.persona.assignment import assign
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import load

ROOT = Path(__file__).resolve().parent.parent
DAYS, AT_ONCE, BUDGET_MS = 30, 8, 5.0
NOW = datetime(2026, 3, 31, 12, 0, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
KEYS = [
    str(ComboKey(archetype, humor, energy))
    for archetype in CoreArchetype
    for humor in HumorMode
    for energy in FriendEnergy
]

FILL = (
    """insert into persona_assignments (assigned_at, combo_key)
    select %(now)s::timestamptz - random() * make_interval(days => %(days)s),
        (%(keys)s::text[])[1 + n %% cardinality(%(keys)s::text[])]
    from generate_series(1, %(rows)s) as n order by 1""",
    """insert into users (user_id, state, preferred_name, age_band, country_or_region, occupation_category,
        client_timezone, safety_age_band, created_at)
    values (%(user)s, 'ACTIVE', 'Sam', '25-34', 'US', 'working', 'UTC', '25-34', now())""",
    "insert into controls (user_id) values (%(user)s)",
    "vacuum analyze",
)


@dataclass(frozen=True, slots=True)
class Bench:
    """A store full of assignments, and the one user who is given friends."""

    store: PostgresStore
    bundle: Bundle
    user: UUID

    async def befriend(self, number: int, at: datetime) -> float:
        """Milliseconds for one friend, through the store's own method."""
        policy = self.bundle.planning.assignment

        def choose(window: Window) -> Assignment:
            return assign(self.bundle.personas, policy, number, window)

        length = timedelta(hours=policy.window_hours)
        start = time.perf_counter()
        await self.store.create_friend(self.user, uuid4(), uuid4(), None, at, (), length, choose)
        return (time.perf_counter() - start) * 1e3

    async def run(self, title: str, rounds: int, at_once: int, start: datetime) -> None:
        """Friends a second apart, so many at a time; p50 and p95."""
        taken: list[float] = []
        for number in range(0, rounds, at_once):
            instants = [start + timedelta(seconds=number + index) for index in range(at_once)]
            taken += await asyncio.gather(*(self.befriend(number, at) for at in instants))
        p95 = statistics.quantiles(taken, n=20)[-1] if len(taken) > 1 else math.nan
        verdict = "within" if p95 <= BUDGET_MS else "over"
        print(f"{title:28} p50 {statistics.median(taken):7.2f} ms   p95 {p95:7.2f} ms   {verdict} {BUDGET_MS:g} ms")


async def main(rows: int, rounds: int, *, explain: bool) -> None:
    """Fill, measure, print."""
    bundle, user = _bundle(), uuid4()
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres.attach(Path(folder)) as server:
        upgrade(server.url)
        with psycopg.connect(server.url, autocommit=True) as connection:
            for statement in FILL:
                needed = {"now": NOW, "days": DAYS, "keys": KEYS, "rows": rows, "user": user}
                connection.execute(statement.encode(), needed if "%(" in statement else None)
        store = await PostgresStore.open(server.url, connections=AT_ONCE)
        try:
            bench = Bench(store, bundle, user)
            print(f"{rows} assignments in {DAYS} days")
            print_bare_commits(server.url, rounds)
            await bench.run("one after the other", rounds, 1, NOW)
            await bench.run(f"{AT_ONCE} at once, each", rounds, AT_ONCE, NOW + HOUR)
            await bench.run("an hour late", max(rounds // 20, 2), 1, NOW - HOUR)
        finally:
            await store.aclose()
        if explain:
            _explain(server.url)


def print_bare_commits(url: str, rounds: int) -> None:
    """What the disk alone takes: no friend is there before one commit is written."""
    taken: list[float] = []
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(rounds):
            start = time.perf_counter()
            connection.execute(FLUSHED.text)
            taken.append((time.perf_counter() - start) * 1e3)
    p95 = statistics.quantiles(taken, n=20)[-1]
    print(f"{'a bare commit':28} p50 {statistics.median(taken):7.2f} ms   p95 {p95:7.2f} ms")


def _bundle() -> Bundle:
    result = load(read_policy_files(ROOT), read_schemas(ROOT))
    if result.bundle is None:
        sys.exit("the policies do not compile; see `chingoo policy check`")
    return result.bundle


def _explain(url: str) -> None:
    given = {"assigned_at": NOW + 3 * HOUR, "window": timedelta(hours=24)}
    with psycopg.RawCursor(psycopg.connect(url)) as cursor:
        cursor.execute(b"explain (analyze, buffers, costs off) " + WALK.text, WALK.bind(given))
        print("\n".join(line for (line,) in cursor.fetchall()))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    uvloop.run(main(*(numbers + [1_000_000, 400][len(numbers) :]), explain="--explain" in sys.argv))
