"""The moderation protocol against a real HTTP server, and the fake beside it: one contract for both."""

import json
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from chingoo.adapters.detector import ModerationDetector
from chingoo.errors import DetectorError
from chingoo.testing.detector import FakeDetector


@dataclass
class Endpoint:
    """A scripted moderation endpoint: status, body and delay of the next answers."""

    url: str = ""
    script: deque[tuple[int, str, float]] = field(default_factory=deque)
    heard: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)

    def says(self, body: object, status: int = 200, delay_s: float = 0.0) -> None:
        self.script.append((status, body if isinstance(body, str) else json.dumps(body), delay_s))


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    scripted = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            scripted.heard.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            status, content, delay_s = scripted.script.popleft()
            time.sleep(delay_s)
            self.send_response(status)
            self.send_header("content-length", str(len(content.encode())))
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    scripted.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield scripted
    server.shutdown()
    server.server_close()


@pytest.fixture
async def detector(endpoint: Endpoint) -> AsyncIterator[ModerationDetector]:
    client = ModerationDetector(endpoint.url + "/", "a key", "omni-moderation-latest")
    yield client
    await client.aclose()


def result(**scores: float) -> dict[str, Any]:
    named = {name.replace("_", "/"): score for name, score in scores.items()}
    return {
        "flagged": True,
        "categories": {name: score > 0.5 for name, score in named.items()},
        "category_scores": named,
    }


async def test_what_is_sent_and_what_comes_back(endpoint: Endpoint, detector: ModerationDetector) -> None:
    endpoint.says({"id": "modr-1", "model": "omni", "results": [result(hate=0.9, sexual_minors=0.01)]})
    assert await detector.scores("안녕", timeout_s=5) == {"hate": 0.9, "sexual/minors": 0.01}
    [(path, headers, body)] = endpoint.heard
    assert path == "/v1/moderations"
    assert headers["authorization"] == "Bearer a key"
    assert body == {"input": "안녕", "model": "omni-moderation-latest"}


async def test_an_endpoint_of_ones_own_needs_neither_key_nor_model(endpoint: Endpoint) -> None:
    endpoint.says({"results": [{"flagged": True, "categories": {"hate": True, "sexual": False, "violence": None}}]})
    client = ModerationDetector(endpoint.url, None, None)
    assert await client.scores("…", timeout_s=5) == {"hate": 1.0, "sexual": 0.0, "violence": 0.0}
    await client.aclose()
    [(_, headers, body)] = endpoint.heard
    assert "authorization" not in headers
    assert body == {"input": "…"}


async def test_of_several_results_the_highest_counts(endpoint: Endpoint, detector: ModerationDetector) -> None:
    endpoint.says({"results": [result(hate=0.9, sexual=0.1), result(hate=0.2, sexual=0.4)]})
    assert await detector.scores("…", timeout_s=5) == {"hate": 0.9, "sexual": 0.4}


@pytest.mark.parametrize(
    "body",
    ["", "no json", "{}", '{"results": []}', '{"results": [{}]}', '{"results": "hate"}', "[1]"]
    + [json.dumps({"results": [{"category_scores": scores}]}) for scores in ({"hate": "high"}, {"hate": 1.5}, [])],
)
async def test_nonsense_is_malformed(endpoint: Endpoint, detector: ModerationDetector, body: str) -> None:
    endpoint.says(body)
    with pytest.raises(DetectorError) as failed:
        await detector.scores("…", timeout_s=5)
    assert failed.value.kind == "malformed"


@pytest.mark.parametrize("status", [400, 401, 429, 500, 503, 204])
async def test_any_other_status_is_a_failure(endpoint: Endpoint, detector: ModerationDetector, status: int) -> None:
    endpoint.says("" if status == 204 else {"error": "…"}, status)
    with pytest.raises(DetectorError) as failed:
        await detector.scores("…", timeout_s=5)
    assert failed.value.kind == "status"
    assert str(status) in failed.value.detail


async def test_nobody_there() -> None:
    client = ModerationDetector("http://127.0.0.1:1/v1", None, None)
    with pytest.raises(DetectorError) as failed:
        await client.scores("…", timeout_s=5)
    assert failed.value.kind == "transport"
    await client.aclose()


@pytest.mark.parametrize("kind", ["real", "fake"])
async def test_whoever_is_slow_is_late(endpoint: Endpoint, detector: ModerationDetector, kind: str) -> None:
    endpoint.says({"results": [result(hate=0.9)]}, delay_s=0.5)
    fake = FakeDetector({"hate": 0.9})
    fake.slow_s = 0.5
    with pytest.raises(DetectorError) as failed:
        await (detector if kind == "real" else fake).scores("…", timeout_s=0.05)
    assert failed.value.kind == "timeout"


@pytest.mark.parametrize("kind", ["real", "fake"])
async def test_real_and_fake_answer_alike(endpoint: Endpoint, detector: ModerationDetector, kind: str) -> None:
    endpoint.says({"results": [result(hate=0.9)]})
    endpoint.says("…", 500)
    asked = detector if kind == "real" else FakeDetector({"hate": 0.9}, "status")
    assert await asked.scores("…", timeout_s=5) == {"hate": 0.9}
    with pytest.raises(DetectorError) as failed:
        await asked.scores("…", timeout_s=5)
    assert failed.value.kind == "status"
