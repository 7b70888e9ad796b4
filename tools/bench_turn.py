"""Turns a second through the service, beside pgbench doing the same writes; and what a model over real HTTP costs.

`python tools/bench_turn.py [rounds] [seconds]`: interleaved rounds on one embedded server, medians.
(a) the model a fake in process, no memory hit, worker off; (b) the same over a scripted HTTP server at 0 ms.
"""

import asyncio
import itertools
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import uvloop

from bench_turn_sql import CLIENTS, USERS, clear, pgbench_tps, populate
from chingoo.adapters.clock import RandomIds, SystemClock
from chingoo.adapters.llm.openai import openai_llm
from chingoo.adapters.metrics import PrometheusMetrics
from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.migrations import upgrade
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.flow.compiled import CompiledPolicy, compile_policy
from chingoo.model.llm import ChatMessage, LlmReply
from chingoo.model.turn import TurnRequest
from chingoo.ports.models import Llm
from chingoo.proof.run import check_files
from chingoo.service.policies import PolicyHolder
from chingoo.service.turn import TurnService, TurnSettings
from chingoo.service.voice import VoiceSettings
from chingoo.testing.openai_server import bland_reply

ROOT = Path(__file__).resolve().parent.parent
PORT = 18799
_START = datetime(2026, 3, 1, 9, tzinfo=UTC)
_SETTINGS = TurnSettings(45, 15, 5, 600, VoiceSettings("voice-model", "mechanics-model", 15))


class FakeModel:
    """Answers in process, at once."""

    provider = "fake"

    def __init__(self) -> None:
        self._numbers = itertools.count()

    async def complete(
        self,
        model: str,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        timeout_s: float,
        json_schema: Mapping[str, Any] | None = None,
    ) -> LlmReply:
        """A bland reply, whatever is asked."""
        del messages, max_tokens, timeout_s, json_schema
        return LlmReply(bland_reply(next(self._numbers)), model, 100, 20, 0.0)

    async def aclose(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Turns a second, CPU of this process a turn, and the median and worst percent of latency, in milliseconds."""

    tps: float
    cpu_ms: float
    p50_ms: float
    p99_ms: float
    origins: Mapping[str, int]


async def turns(url: str, compiled: CompiledPolicy, seconds: float, make_llm: Any) -> Figure:
    """Take turns with eight clients for so long."""
    store = await PostgresStore.open(url, connections=CLIENTS)
    llm: Llm = make_llm()
    service = TurnService(
        store,
        PolicyHolder(compiled, _START),
        llm,
        SystemClock(),
        RandomIds(),
        PrometheusMetrics(),
        _SETTINGS,
    )
    until = time.perf_counter() + seconds
    took: list[float] = []
    origins: dict[str, int] = {}

    async def client(number: int) -> None:
        turn = 0
        while time.perf_counter() < until:
            turn += 1
            who = UUID(f"00000000-0000-4000-8000-{(number + turn * CLIENTS) % USERS + 1:012x}")
            text = "there is a blue chair near the window"
            request = TurnRequest(uuid4(), who, who, who, text, _START + timedelta(seconds=turn))
            began = time.perf_counter()
            answer = await service.take_turn(request)
            took.append(time.perf_counter() - began)
            origin = answer["reply"]["origin"]
            origins[origin] = origins.get(origin, 0) + 1

    began, cpu = time.perf_counter(), _cpu()
    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    elapsed, spent = time.perf_counter() - began, _cpu() - cpu
    await llm.aclose()
    await store.aclose()
    ranked = sorted(took)
    return Figure(
        tps=len(took) / elapsed,
        cpu_ms=spent / len(took) * 1000,
        p50_ms=ranked[len(ranked) // 2] * 1000,
        p99_ms=ranked[len(ranked) * 99 // 100] * 1000,
        origins=origins,
    )


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Interleaved rounds; medians."""
    rounds, seconds = (int(word) for word in (sys.argv[1:] + ["5", "4"][len(sys.argv) - 1 :])[:2])
    result = check_files(read_policy_files(ROOT), read_schemas(ROOT))
    if result.bundle is None:
        raise SystemExit("bench: the policies do not compile; run `chingoo policy check`")
    compiled = compile_policy(result.bundle)
    model = subprocess.Popen([sys.executable, "-m", "chingoo.testing.openai_server", str(PORT)])
    try:
        with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres.attach(Path(folder)) as server:
            upgrade(server.url)
            populate(server.url)
            _rounds(server.url, compiled, rounds, seconds)
    finally:
        model.terminate()
        model.wait()


def _rounds(url: str, compiled: CompiledPolicy, rounds: int, seconds: int) -> None:
    plain, fake, http = [], [], []
    for _ in range(rounds):
        clear(url)
        plain.append(pgbench_tps(url, seconds).tps)
        clear(url)
        fake.append(uvloop.run(turns(url, compiled, seconds, FakeModel)))
        clear(url)
        http.append(uvloop.run(turns(url, compiled, seconds, lambda: openai_llm(f"http://127.0.0.1:{PORT}/v1", "key"))))
    baseline = statistics.median(plain)
    print(f"\nturns, c = {CLIENTS}, {rounds} interleaved rounds of {seconds} s, medians")
    print(f"{'':34}{'turns/s':>9}{'ratio':>8}{'CPU ms':>8}{'p50 ms':>8}{'p99 ms':>8}")
    print(f"{'pgbench, the same writes':34}{baseline:9.0f}{1:8.2f}")
    for name, figures in (("(a) model in process", fake), ("(b) model over HTTP at 0 ms", http)):
        tps = statistics.median(figure.tps for figure in figures)
        cpu, p50, p99 = (
            statistics.median(getattr(figure, field) for figure in figures) for field in ("cpu_ms", "p50_ms", "p99_ms")
        )
        print(f"{name:34}{tps:9.0f}{tps / baseline:8.2f}{cpu:8.2f}{p50:8.2f}{p99:8.2f}  {dict(figures[-1].origins)}")
    more = statistics.median(figure.cpu_ms for figure in http) - statistics.median(figure.cpu_ms for figure in fake)
    print(f"{'(b) over (a), CPU a turn':34}{more:33.2f}")


if __name__ == "__main__":
    main()
