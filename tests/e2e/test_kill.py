"""Every message is answered exactly once, whatever is killed and however often it is sent (S-01…S-04)."""

import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.e2e.service import Service, make_friend

from chingoo.testing.openai_server import Scripted, ScriptedModel

MESSAGES = 100
CONVERSATIONS = 20
COPIES = 3
PATIENCE_S = 120

pytestmark = pytest.mark.xdist_group("service")


class SlowModel(ScriptedModel):
    """Takes a moment for each answer, so that a kill finds turns in flight."""

    def answer(self, body: dict[str, object]) -> Scripted:
        scripted = super().answer(body)
        scripted.delay_s = 0.05
        return scripted


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with SlowModel() as server:
        yield server


@pytest.fixture
def service(tmp_path: Path, model: ScriptedModel) -> Iterator[Service]:
    service = Service(
        tmp_path / "data",
        env={
            "CHINGOO_LLM_PROVIDER": "openai",
            "CHINGOO_LLM_BASE_URL": model.base_url,
            "CHINGOO_LLM_TIMEOUT_S": "2",
            "CHINGOO_TURN_DEADLINE_S": "3",
            "CHINGOO_LEASE_MARGIN_S": "1",
        },
    ).start()
    yield service
    service.stop()


def send_until_answered(client: httpx.Client, body: dict[str, str]) -> dict[str, object]:
    """A client that retries a broken or 409 answer for up to two minutes."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            response = client.post("/v1/turns", json=body)
        except httpx.HTTPError:
            time.sleep(0.5)
            continue
        if response.status_code == 200:
            return dict(response.json())
        assert response.status_code in (409, 503), response.text
        time.sleep(0.2)
    raise AssertionError(f"{body['message_id']} was not answered within {PATIENCE_S} s")


def kill_twice(service: Service, stop: threading.Event) -> None:
    for _ in range(2):
        stop.wait(1.5)
        service.kill()
        service.start()


def test_hundred_messages_thrice_each_and_two_kills(service: Service) -> None:
    with service.client() as client:
        friends = [make_friend(client, seed) for seed in range(CONVERSATIONS)]
    turns = [
        {
            "message_id": str(uuid.uuid4()),
            "text": f"the blue chair {n} is near the window",
            **friends[n % CONVERSATIONS],
        }
        for n in range(MESSAGES)
    ]
    copies = [turn for turn in turns for _ in range(COPIES)]
    stop = threading.Event()
    killer = threading.Thread(target=kill_twice, args=(service, stop))
    with ThreadPoolExecutor(24) as pool, service.client(timeout=20) as client:
        killer.start()
        answers = list(pool.map(lambda turn: send_until_answered(client, turn), copies))
    stop.set()
    killer.join()

    replies: dict[str, set[str]] = {}
    for answer in answers:
        reply = answer["reply"]
        assert isinstance(reply, dict)
        replies.setdefault(str(answer["message_id"]), set()).add(f"{reply['message_id']}: {reply['text']}")
    assert len(replies) == MESSAGES
    assert all(len(said) == 1 for said in replies.values()), "one message, two answers"
    with service.client() as client:
        for number, friend in enumerate(friends):
            page = client.get(f"/v1/conversations/{friend['conversation_id']}/messages", params={"limit": 200}).json()
            mine = {turn["message_id"] for turn in turns[number::CONVERSATIONS]}
            users = [item["message_id"] for item in page["items"] if item["role"] == "user"]
            assistants = [item["message_id"] for item in page["items"] if item["role"] == "assistant"]
            assert set(users) == mine, "a message was lost or stored twice"
            assert len(users) == len(assistants) == len(mine), "a message has no reply, or two"
            assert [client.get(f"/v1/turns/{m}", params={"user_id": friend["user_id"]}).status_code for m in mine] == [
                200
            ] * len(mine), "a message is stuck"


@pytest.mark.soak
def test_a_service_killed_with_its_database_comes_back(service: Service) -> None:
    with service.client() as client:
        friend = make_friend(client)
        turn = {"message_id": str(uuid.uuid4()), "text": "hello there", **friend}
        first = client.post("/v1/turns", json=turn).raise_for_status().json()
    service.kill()
    service.start()
    with service.client() as client:
        again = client.post("/v1/turns", json=turn).raise_for_status().json()
    assert again["replayed"] is True
    assert again["reply"] == first["reply"]
