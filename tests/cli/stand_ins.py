"""Parts for the command line that start at once and keep a diary; `python -m tests.cli.stand_ins serve` runs on them.

Told by variables of the environment: SLOW_START_S, SLOW_TURN_S, FAILS (build), WORKER_ENDS.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from tests.web.fakes import FakePolicies, FakeServices, FakeTurns, turn_answer

from chingoo.cli.main import main
from chingoo.cli.parts import OfflinePolicies, PolicySources, Progress
from chingoo.errors import DatabaseUnreachableError
from chingoo.model.turn import TurnRequest
from chingoo.settings.values import Settings
from chingoo.web.services import Services


def say(line: str) -> None:
    """A line of the diary."""
    print(f"diary: {line}", file=sys.stderr, flush=True)


class SlowTurns(FakeTurns):
    """Answers after a while."""

    async def take_turn(self, request: TurnRequest) -> Mapping[str, Any]:
        say("turn begun")
        await asyncio.sleep(float(os.environ.get("SLOW_TURN_S", "0")))
        say("turn answered")
        return turn_answer(request)


class StandIns:
    """The parts."""

    def __init__(self, policies: OfflinePolicies | None = None) -> None:
        self.policies = policies or FakePolicies()

    @asynccontextmanager
    async def build(self, settings: Settings, progress: Progress, kind: str) -> AsyncIterator[Services]:
        with progress("starting the database"):
            say("building")
            if os.environ.get("FAILS"):
                raise DatabaseUnreachableError("the database does not answer (CHINGOO_DATABASE_URL); is it running?")
            await asyncio.sleep(float(os.environ.get("SLOW_START_S", "0")))
        try:
            yield FakeServices(turns=SlowTurns())
        finally:
            say("closed")

    async def worker(self, services: Services) -> None:
        say("worker begun")
        if os.environ.get("WORKER_ENDS"):
            raise RuntimeError("the queue is gone")
        try:
            await asyncio.Event().wait()
        finally:
            say("worker ended")

    async def rotate_keys(self, settings: Settings, progress: Progress) -> dict[str, int]:
        return {"memories": 2}

    async def upgrade_database(self, settings: Settings, progress: Progress) -> str:
        with progress("migrating the database"):
            time.sleep(0)
        return "0001"

    @contextmanager
    def offline_policies(self, settings: Settings) -> Iterator[OfflinePolicies]:
        yield self.policies

    def policy_sources(self, root: Path) -> PolicySources:
        return PolicySources({}, {})

    async def safety_counts(
        self, settings: Settings, progress: Progress, first: date | None, last: date | None
    ) -> Mapping[str, Any]:
        crises = {"month": "2026-03", "log": "crisis", "category": None, "level": "HIGH_RISK", "language": "ko"}
        blocked = {"month": "2026-03", "log": "guardrail", "category": "minors", "level": None, "language": "en"}
        return {"items": [crises | {"events": 3}, blocked | {"events": 1}] if first == date(2026, 3, 1) else []}

    def code_pages(self) -> Mapping[str, str]:
        text = "yaml-alias:\n  title: a reference\n  meaning: It refers.\n  mend: Write it out.\n"
        return {"source": text}


if __name__ == "__main__":
    sys.exit(main(parts=StandIns()))
