"""`chingoo detector` as an operator runs it: its own process, its real sentence model, real HTTP, and the service."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.service.conftest import SETTINGS, World

from chingoo.adapters.detector import ModerationDetector
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import EvaluationInput
from chingoo.service.turn import TurnService
from chingoo.testing.llm import ScriptedLlm
from chingoo.testing.openai_server import bland_reply

pytestmark = pytest.mark.xdist_group("detector")

CODED = "if I quietly vanished this weekend the world would keep turning, and that feels like permission"
ORDINARY = "my train was late again and I missed the meeting"


@dataclass
class Running:
    """The process, and what it has said on standard error when it is over."""

    child: subprocess.Popen[str]
    url: str


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for all tests here."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CHINGOO_")}
    log = Path(tmp_path_factory.mktemp("detector") / "log")
    with log.open("w") as errors:
        child = subprocess.Popen(
            [sys.executable, "-m", "chingoo", "detector", "--port", "0"],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert child.stdout is not None
    line = child.stdout.readline()
    assert line.startswith("Chingoo's detector is ready at http://127.0.0.1:"), log.read_text()
    yield Running(child, line.rpartition(" ")[2].strip())
    child.send_signal(signal.SIGTERM)
    assert child.wait(15) == 0
    said = log.read_text()
    assert "Traceback" not in said
    assert "vanished" not in said, "it logs nothing of what was said"


@pytest.fixture
def ask(running: Running) -> Iterator[Any]:
    """Asks the protocol."""
    with httpx.Client(base_url=running.url, timeout=30) as client:
        yield lambda body: client.post("/moderations", json=body)


def test_it_speaks_the_protocol(ask: Any, running: Running) -> None:
    response = ask({"input": [CODED, ORDINARY, ""], "model": "omni-moderation-latest"})
    answer = response.json()
    assert response.status_code == 200
    assert answer["model"].startswith("chingoo-")
    danger, calm, nothing = answer["results"]
    assert (danger["flagged"], calm["flagged"], nothing["flagged"]) == (True, False, False)
    assert danger["categories"]["self-harm/intent"] is True
    assert danger["category_scores"].keys() == {"self-harm", "self-harm/intent", "harassment"}
    assert max(calm["category_scores"].values()) < 0.5
    assert ask({"input": CODED}).json()["results"] == [danger], "alone or beside others, it is heard alike"
    assert httpx.get(running.url.removesuffix("/v1") + "/healthz").json() == {"status": "ok"}


def test_what_is_no_question_is_refused_in_the_protocols_words(ask: Any) -> None:
    response = ask({"input": 3})
    assert (response.status_code, response.json()["error"]["param"]) == (400, "input")
    assert ask({"input": "a" * 2_000_000}).status_code == 413
    assert ask({"input": ORDINARY}).status_code == 200


@pytest.fixture
async def beside(world: World, running: Running) -> Any:
    """The service, which asks it."""
    detector = ModerationDetector(running.url, None, None)
    world.llm = ScriptedLlm((bland_reply(0), bland_reply(1)))
    args = (world.store, world.holder, world.llm, world.clock, world.ids, world.metrics, SETTINGS)
    yield TurnService(*args, detector=detector)
    await detector.aclose()


async def test_what_the_words_miss_becomes_a_crisis(world: World, beside: TurnService) -> None:
    request = world.request(CODED)
    words = evaluate(world.holder.current.engine, EvaluationInput(CODED, request.received_at))
    assert not words.signals.crisis.detected, "else this test tells nothing"
    answer = await beside.take_turn(request)
    assert answer["routing"]["pipeline"] == "EMOTIONAL_SUPPORT"
    assert answer["signals"]["crisis"]["detected"] is True
    assert answer["policy"]["rules"] == ["routing.detector-self-harm"]
    assert world.llm.calls == []


async def test_an_ordinary_day_stays_ordinary(world: World, beside: TurnService) -> None:
    answer = await beside.take_turn(world.request(ORDINARY))
    assert answer["signals"]["crisis"]["detected"] is False
    assert answer["reply"]["origin"] == "llm"
