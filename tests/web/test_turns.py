"""Turns over HTTP: instants, events, errors of the service, and who may speak for whom."""

import json
from datetime import UTC, datetime

import httpx
import pytest
from tests.web.asking import assert_problem, key, turn
from tests.web.fakes import CONVERSATION, MESSAGE, NOW, OWNER, STRANGER, FakeServices

from chingoo.errors import (
    ChingooError,
    ConflictError,
    DatabaseUnreachableError,
    FieldError,
    ForbiddenError,
    InvalidInputError,
    LlmError,
    NotFoundError,
    UnavailableError,
)


async def test_a_turn_reaches_the_service_as_it_was_sent(client: httpx.AsyncClient, services: FakeServices) -> None:
    body = turn(
        mode="intimate",
        client_locale="ko-KR",
        client_timezone="Asia/Seoul",
        received_at="2026-03-02T21:00:00.5+09:00",
    )
    response = await client.post("/v1/turns", json=body, headers=key("app"))
    assert response.status_code == 200
    assert response.json()["routing"]["notes"] == ["inner note"]
    request = services.turns.requests[0]
    assert (request.message_id, request.user_id, request.conversation_id) == (MESSAGE, OWNER, CONVERSATION)
    assert (request.mode, request.source) == ("intimate", "chat")
    assert (request.client_locale, request.client_timezone) == ("ko-KR", "Asia/Seoul")
    assert request.received_at == datetime(2026, 3, 2, 12, 0, 0, 500000, tzinfo=UTC)
    assert request.received_at.utcoffset() is not None


async def test_without_an_instant_it_is_now(client: httpx.AsyncClient, services: FakeServices) -> None:
    await client.post("/v1/turns", json=turn(), headers=key("app"))
    assert services.turns.requests[0].received_at == NOW


FAILURES: list[tuple[ChingooError, int, str | None]] = [
    (InvalidInputError("no", [FieldError("/text", "no")]), 400, None),
    (ForbiddenError("intimate mode is off"), 403, None),
    (NotFoundError("no such conversation"), 404, None),
    (ConflictError("used for another text"), 409, None),
    (ConflictError("busy", retry_after_s=2.2), 409, "3"),
    (ConflictError("busy", retry_after_s=0.01), 409, "1"),
    (UnavailableError("no bundle"), 503, "1"),
    (DatabaseUnreachableError("the database does not answer (CHINGOO_DATABASE_URL)"), 503, "1"),
]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
@pytest.mark.parametrize(("failure", "status", "retry_after"), FAILURES, ids=lambda value: str(value)[:30])
async def test_errors_of_the_service_are_problems(
    client: httpx.AsyncClient,
    services: FakeServices,
    failure: ChingooError,
    status: int,
    retry_after: str | None,
    accept: str,
) -> None:
    services.turns.fails = failure
    response = await client.post("/v1/turns", json=turn(), headers=key("app") | {"accept": accept})
    assert assert_problem(response, status)["detail"] == failure.detail
    assert response.headers.get("retry-after") == retry_after


@pytest.mark.parametrize("failure", [RuntimeError("secret text of a person"), LlmError("timeout", "secret text")])
async def test_the_unforeseen_shows_a_trace_id_and_nothing_else(
    client: httpx.AsyncClient, services: FakeServices, failure: Exception
) -> None:
    services.turns.fails = failure
    response = await client.post("/v1/turns", json=turn(), headers=key("app"))
    problem = assert_problem(response, 500)
    assert problem["trace_id"] == str(services.ids.uuid())
    assert "secret" not in response.text
    assert ("chingoo_http_requests_total", {"method": "POST", "route": "/v1/turns", "status": "500"}) in (
        services.metrics.counted
    )


@pytest.mark.parametrize(
    ("accept", "events"),
    [
        ("text/event-stream", True),
        ("application/json;q=0.5, Text/Event-Stream", True),
        ("text/event-stream;q=0", False),
        ("*/*", False),
        ("application/json", False),
        ("", False),
    ],
)
async def test_events_are_sent_to_whoever_asks_for_them(client: httpx.AsyncClient, accept: str, events: bool) -> None:
    response = await client.post("/v1/turns", json=turn(), headers=key("app") | {"accept": accept})
    assert response.headers["content-type"].startswith("text/event-stream" if events else "application/json")


async def test_events_are_routing_reply_and_done(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/turns", json=turn(), headers=key("app") | {"accept": "text/event-stream"})
    events = [block.split("\n") for block in response.text.strip().split("\n\n")]
    names = [lines[0].removeprefix("event: ") for lines in events]
    data = [json.loads(lines[1].removeprefix("data: ")) for lines in events]
    assert names == ["routing", "reply", "done"]
    assert all(len(lines) == 2 for lines in events)
    assert data[0] == {"pipeline": "FRIEND_CHAT", "safety_policy": "ALLOW"}
    assert data[1]["text"] == "you said: hello there\nand more"
    assert data[2]["routing"]["notes"] == ["inner note"]


async def test_a_stored_turn_is_read_by_its_owner_s_id(client: httpx.AsyncClient, services: FakeServices) -> None:
    url = f"/v1/turns/{MESSAGE}"
    assert (await client.get(f"{url}?user_id={OWNER}", headers=key("editor"))).json()["replayed"] is True
    assert_problem(await client.get(f"{url}?user_id={STRANGER}", headers=key("app")), 404)
    services.turns.pending = True
    response = await client.get(f"{url}?user_id={OWNER}", headers=key("app"))
    assert (response.status_code, response.json()["status"]) == (202, "PROCESSING")
