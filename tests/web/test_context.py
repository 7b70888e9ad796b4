"""The context pack over HTTP."""

from datetime import UTC, datetime

import httpx
import pytest
from tests.web.asking import assert_problem, key, pointers
from tests.web.fakes import FRIEND, NOW, OWNER, STRANGER, FakeServices

PATH = f"/v1/users/{OWNER}/context"


async def test_a_question_reaches_the_service_as_it_was_sent(client: httpx.AsyncClient, services: FakeServices) -> None:
    asked = {"text": " Do you remember? ", "at": "2026-03-20T21:00:00+09:00", "ai_friend_id": str(FRIEND)}
    response = await client.get(PATH, params=asked, headers=key("editor"))
    assert response.status_code == 200, response.text
    await client.get(PATH, params={"text": "hello"}, headers=key("app"))
    assert services.context.calls == [
        (OWNER, FRIEND, "Do you remember?", datetime(2026, 3, 20, 12, tzinfo=UTC)),
        (OWNER, None, "hello", NOW),
    ]


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ({}, "/text"),
        ({"text": ""}, "/text"),
        ({"text": "a" * 4001}, "/text"),
        ({"text": "hi", "at": "yesterday"}, "/at"),
        ({"text": "hi", "at": "2026-03-20T21:00:00"}, "/at"),
        ({"text": "hi", "ai_friend_id": "Nabi"}, "/ai_friend_id"),
    ],
)
async def test_a_wrong_question_is_named(client: httpx.AsyncClient, asked: dict[str, str], pointer: str) -> None:
    response = await client.get(PATH, params=asked, headers=key("app"))
    assert_problem(response, 400)
    assert pointers(response) == [pointer]


async def test_nobody_is_404(client: httpx.AsyncClient) -> None:
    url = f"/v1/users/{STRANGER}/context"
    assert_problem(await client.get(url, params={"text": "hi"}, headers=key("app")), 404)
