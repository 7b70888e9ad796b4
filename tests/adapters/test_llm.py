"""The three wire formats, against a real HTTP server that answers from a script."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from chingoo.adapters.llm.anthropic import anthropic_llm
from chingoo.adapters.llm.bedrock import bedrock_llm
from chingoo.adapters.llm.http import HttpLlm
from chingoo.adapters.llm.openai import openai_llm
from chingoo.errors import LlmError
from chingoo.model.llm import ChatMessage
from chingoo.testing.openai_server import Scripted, ScriptedModel

PROMPT = (
    ChatMessage("system", "Be kind."),
    ChatMessage("assistant", "Hello."),
    ChatMessage("user", "context"),
    ChatMessage("user", "안녕"),
)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        yield server


@pytest.fixture(params=["openai", "anthropic", "bedrock"])
async def llm(request: pytest.FixtureRequest, model: ScriptedModel) -> AsyncIterator[HttpLlm]:
    make = {"openai": openai_llm, "anthropic": anthropic_llm, "bedrock": bedrock_llm}[request.param]
    client = make(model.base_url, "key")
    yield client
    await client.aclose()


ANSWERS: dict[str, dict[str, Any]] = {
    "openai": {
        "model": "m-1",
        "choices": [{"message": {"role": "assistant", "content": "좋아"}}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3},
    },
    "anthropic": {
        "model": "m-1",
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "좋아"}],
        "usage": {"input_tokens": 7, "output_tokens": 3},
    },
    "bedrock": {
        "output": {"message": {"role": "assistant", "content": [{"text": "좋아"}]}},
        "usage": {"inputTokens": 7, "outputTokens": 3},
    },
}


async def test_an_answer_and_its_usage(llm: HttpLlm, model: ScriptedModel) -> None:
    model.script.append(Scripted(raw=json.dumps(ANSWERS[llm.provider])))
    reply = await llm.complete("m-1", PROMPT, max_tokens=50, timeout_s=5)
    assert (reply.text, reply.model, reply.input_tokens, reply.output_tokens) == ("좋아", "m-1", 7, 3)
    assert reply.duration_ms > 0


@pytest.mark.parametrize(
    ("scripted", "kind"),
    [
        (Scripted(status=500), "status"),
        (Scripted(status=429), "status"),
        (Scripted(raw="<html>bad gateway</html>"), "malformed"),
        (Scripted(raw='{"choices": [], "content": 3, "output": {}}'), "malformed"),
        (Scripted(text="late", delay_s=1.0), "timeout"),
    ],
)
async def test_failures_are_told_apart(llm: HttpLlm, model: ScriptedModel, scripted: Scripted, kind: str) -> None:
    model.script.append(scripted)
    with pytest.raises(LlmError) as failure:
        await llm.complete("m-1", PROMPT, max_tokens=50, timeout_s=0.3)
    assert failure.value.kind == kind
    assert len(model.calls) == 1, "retrying is not the adapter's business"


async def test_nobody_listens() -> None:
    client = openai_llm("http://127.0.0.1:9/v1", None)
    with pytest.raises(LlmError) as failure:
        await client.complete("m-1", PROMPT, max_tokens=50, timeout_s=1)
    assert failure.value.kind == "transport"
    await client.aclose()


async def test_roles_alternate_where_the_protocol_wants_it(model: ScriptedModel) -> None:
    client = anthropic_llm(model.base_url, "key")
    model.script.append(Scripted(raw=json.dumps(ANSWERS["anthropic"])))
    await client.complete("m-1", PROMPT, max_tokens=50, timeout_s=5)
    assert model.calls[0]["system"] == [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]
    assert model.calls[0]["messages"] == [{"role": "user", "content": "context\n\n안녕"}]
    await client.aclose()


async def test_a_schema_travels_as_the_provider_wants_it(model: ScriptedModel) -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    client = openai_llm(model.base_url, "key")
    await client.complete("m-1", PROMPT, max_tokens=50, timeout_s=5, json_schema=schema)
    assert model.calls[0]["response_format"]["json_schema"]["schema"] == schema
    await client.aclose()


@pytest.mark.parametrize(
    ("make", "answer", "usage", "cached"),
    [
        (openai_llm, "openai", {"prompt_tokens": 7, "completion_tokens": 3}, 0),
        (openai_llm, "openai", {"prompt_tokens": 7, "prompt_tokens_details": {"cached_tokens": 4}}, 4),
        (openai_llm, "openai", {"prompt_tokens": 7, "prompt_tokens_details": None}, 0),
        (anthropic_llm, "anthropic", {"input_tokens": 1, "cache_creation_input_tokens": 6}, 0),
        (anthropic_llm, "anthropic", {"input_tokens": 3, "cache_read_input_tokens": 4}, 4),
        (anthropic_llm, "anthropic", {"input_tokens": 7, "cache_read_input_tokens": None}, 0),
    ],
)
async def test_what_the_provider_had_read_before(
    model: ScriptedModel, make: Callable[..., HttpLlm], answer: str, usage: dict[str, Any], cached: int
) -> None:
    """LLM-06, TEL-02: all that was read counts as input, and the cached part is known."""
    client = make(model.base_url, "key")
    model.script.append(Scripted(raw=json.dumps({**ANSWERS[answer], "usage": usage})))
    reply = await client.complete("m", PROMPT, max_tokens=9, timeout_s=5)
    await client.aclose()
    assert (reply.input_tokens, reply.cached_tokens) == (7, cached)
