"""A scripted chat model behind the real wire protocol: an HTTP server that speaks OpenAI's chat completions.

`python -m chingoo.testing.openai_server PORT` serves bland replies, for benchmarks and walk-throughs;
in tests, `ScriptedModel` runs on a thread of its own and keeps every prompt it was sent.
"""

import itertools
import json
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_OPENINGS = (
    "I like how you put that",
    "It is good to hear this",
    "You said it in plain words",
    "That is a clear little thought",
    "There is something nice in this",
    "I am glad you mentioned that",
)
_ENDINGS = (
    "and I am listening with care",
    "so take all the time needed",
    "because small things often say plenty",
    "while the afternoon goes gently by",
    "and nothing here has to hurry",
    "since each day has its colours",
)


def bland_reply(number: int) -> str:
    """A two-sentence reply without topics, slang, questions or emoji; 36 of them, unlike one another."""
    first, second = divmod(number % 36, 6)
    return f"{_OPENINGS[first]} {_ENDINGS[second]}. {_OPENINGS[(first + 1) % 6]} {_ENDINGS[(second + 2) % 6]}."


@dataclass(slots=True)
class Scripted:
    """One scripted answer: a text, or an HTTP status, after an optional delay in seconds."""

    text: str = ""
    status: int = 200
    delay_s: float = 0.0
    raw: str | None = None


@dataclass
class ScriptedModel:
    """The server. `script` holds the next answers; when it is empty, bland replies follow one another."""

    port: int = 0
    script: deque[Scripted] = field(default_factory=deque)
    calls: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._numbers = itertools.count()
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler())
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        """What CHINGOO_LLM_BASE_URL is set to."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> "ScriptedModel":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def serve_forever(self) -> None:
        """Serve on this thread."""
        self._server.serve_forever()

    def answer(self, body: dict[str, Any]) -> Scripted:
        """The next scripted answer to this request."""
        self.calls.append(body)
        return self.script.popleft() if self.script else Scripted(text=bland_reply(next(self._numbers)))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Keep the test output quiet."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
                answer = outer.answer(body)
                time.sleep(answer.delay_s)
                self._send(answer.status, answer.raw or json.dumps(_completion(body, answer)))

            def _send(self, status: int, payload: str) -> None:
                data = payload.encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler


def _completion(body: dict[str, Any], answer: Scripted) -> dict[str, Any]:
    if answer.status != 200:
        return {"error": {"message": "scripted failure"}}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "model": body.get("model"),
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer.text}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


if __name__ == "__main__":
    ScriptedModel(port=int(sys.argv[1])).serve_forever()
