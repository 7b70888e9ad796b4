"""OpenAI's moderation protocol as this project answers it, over a fake that scores."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import httpx
import pytest

from chingoo.adapters.clock import RandomIds
from chingoo.errors import UnavailableError
from chingoo.web.moderation import LARGEST_BODY, LONGEST_TEXT, MOST_TEXTS, moderation_app


class Ears:
    """Scores by length; has too much to do where it was told so."""

    name, bounds = "ears-1", {"self-harm": 0.5}
    busy = broken = False

    async def scores(self, texts: Sequence[str]) -> list[Mapping[str, float]]:
        if self.busy:
            raise UnavailableError("too many texts are waiting; ask again in a moment")
        if self.broken:
            raise RuntimeError(f"cannot read {texts[0]}")
        return [{"self-harm": min(1.0, len(text) / 10), "hate": 0.9} for text in texts]


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
async def client(ears: Ears) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=moderation_app(ears, RandomIds()), raise_app_exceptions=False)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://ears") as client:
        yield client


async def ask(client: httpx.AsyncClient, body: Any) -> httpx.Response:
    return await client.post("/v1/moderations", json=body)


async def test_one_text_has_one_result(client: httpx.AsyncClient) -> None:
    answer = (await ask(client, {"input": "abcdef", "model": "whatever", "user": "x"})).json()
    assert answer.pop("id").startswith("modr-")
    assert answer == {
        "model": "ears-1",
        "results": [
            {
                "flagged": True,
                "categories": {"self-harm": True, "hate": False},
                "category_scores": {"self-harm": 0.6, "hate": 0.9},
            }
        ],
    }


async def test_several_texts_have_several(client: httpx.AsyncClient) -> None:
    results = (await ask(client, {"input": ["a", "abcdef"]})).json()["results"]
    assert [result["flagged"] for result in results] == [False, True]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "input"),
        ({"input": 3}, "input"),
        ({"input": []}, "input"),
        ({"input": [3]}, "input"),
        ({"input": None}, "input"),
        ({"input": [{"type": "text", "text": "a secret"}]}, "input"),
        ({"input": ["a"] * (MOST_TEXTS + 1)}, "input"),
        ({"input": "a" * (LONGEST_TEXT + 1)}, "input"),
        ({"input": "a", "model": 4}, "model"),
        (["a secret"], "input"),
    ],
)
async def test_what_is_no_question_is_400_and_says_why(client: httpx.AsyncClient, body: Any, param: str) -> None:
    response = await ask(client, body)
    error = response.json()["error"]
    assert response.status_code == 400
    assert (error["type"], error["param"], error["code"]) == ("invalid_request_error", param, None)
    assert "`input` is a text" in error["message"]
    assert "secret" not in response.text


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"input": "\xff"}', b"nothing"])
async def test_what_is_no_json_is_400(client: httpx.AsyncClient, content: bytes) -> None:
    response = await client.post("/v1/moderations", content=content)
    assert (response.status_code, response.json()["error"]["message"]) == (400, "the body is not JSON")


async def test_too_much_is_413(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/moderations", content=b" " * (LARGEST_BODY + 1))
    assert (response.status_code, response.json()["error"]["type"]) == (413, "invalid_request_error")


async def test_too_busy_is_503(client: httpx.AsyncClient, ears: Ears) -> None:
    ears.busy = True
    response = await ask(client, {"input": "a"})
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert response.json()["error"]["type"] == "server_error"


async def test_an_error_nobody_foresaw_says_nothing_of_the_text(
    client: httpx.AsyncClient, ears: Ears, capsys: pytest.CaptureFixture[str]
) -> None:
    ears.broken = True
    response = await ask(client, {"input": "a secret"})
    assert (response.status_code, response.json()["error"]["type"]) == (500, "server_error")
    assert "secret" not in response.text + "".join(capsys.readouterr())


async def test_other_routes_and_methods(client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "ok"}
    for response in (await client.get("/v1/moderations"), await client.post("/v1/embeddings")):
        assert response.status_code in (404, 405)
        assert "POST /v1/moderations" in response.json()["error"]["message"]
