"""Events over real HTTP: signed, with an id, refused by anything but 2xx; the fake keeps to the same contract."""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID

import pytest

from chingoo.adapters.webhook import Webhook, signature
from chingoo.errors import DeliveryError
from chingoo.testing.clock import FakeClock
from chingoo.testing.delivery import RecordingDelivery

SECRET = "shared between two"
EVENT = UUID(int=5)


@dataclass
class Desk:
    """Somebody who takes events; `status` and `delay_s` say how."""

    status: int = 204
    delay_s: float = 0.0
    url: str = ""
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def desk() -> Iterator[Desk]:
    taking = Desk()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            taking.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
            time.sleep(taking.delay_s)
            self.send_response(taking.status)
            self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    taking.url = f"http://127.0.0.1:{server.server_port}/events"
    yield taking
    server.shutdown()
    server.server_close()


async def test_whoever_knows_the_secret_can_tell_that_it_is_ours(desk: Desk) -> None:
    clock = FakeClock()
    webhook = Webhook(desk.url, SECRET, clock)
    await webhook.deliver(EVENT, {"type": "crisis", "language": "ko"})
    await webhook.aclose()
    [(headers, body)] = desk.heard
    assert json.loads(body) == {"type": "crisis", "language": "ko"}
    assert headers["chingoo-event-id"] == str(EVENT)
    assert headers["content-type"] == "application/json"
    timestamp, _, signed = headers["chingoo-signature"].removeprefix("t=").partition(",v1=")
    assert int(timestamp) == int(clock.now().timestamp())
    expected = hmac.new(SECRET.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(signed, expected)
    assert signature("another", int(timestamp), body) != headers["chingoo-signature"]


@pytest.mark.parametrize("status", [200, 202, 204])
async def test_any_2xx_takes_it(desk: Desk, status: int) -> None:
    desk.status = status
    webhook = Webhook(desk.url, SECRET, FakeClock())
    await webhook.deliver(EVENT, {})
    await webhook.aclose()


@pytest.mark.parametrize("status", [302, 400, 401, 404, 429, 500, 503])
async def test_anything_else_does_not(desk: Desk, status: int) -> None:
    desk.status = status
    webhook = Webhook(desk.url, SECRET, FakeClock())
    with pytest.raises(DeliveryError) as refused:
        await webhook.deliver(EVENT, {})
    await webhook.aclose()
    assert refused.value.kind == "status"
    assert str(status) in refused.value.detail
    assert len(desk.heard) == 1, "redirects are not followed: the secret's signature is for one address"


async def test_a_slow_desk_is_not_waited_for(desk: Desk) -> None:
    desk.delay_s = 1.0
    webhook = Webhook(desk.url, SECRET, FakeClock(), timeout_s=0.1)
    with pytest.raises(DeliveryError) as refused:
        await webhook.deliver(EVENT, {})
    await webhook.aclose()
    assert refused.value.kind == "timeout"


async def test_nobody_there() -> None:
    webhook = Webhook("http://127.0.0.1:1/events", SECRET, FakeClock())
    with pytest.raises(DeliveryError) as refused:
        await webhook.deliver(EVENT, {})
    await webhook.aclose()
    assert refused.value.kind == "transport"


async def test_the_fake_fails_alike() -> None:
    fake = RecordingDelivery()
    fake.failures.append("status")
    with pytest.raises(DeliveryError) as refused:
        await fake.deliver(EVENT, {})
    assert refused.value.kind == "status"
    await fake.deliver(EVENT, {"type": "crisis"})
    await fake.aclose()
    assert fake.taken == [(EVENT, {"type": "crisis"})]
