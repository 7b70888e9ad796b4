"""The Anthropic Messages protocol."""

from collections.abc import Mapping
from typing import Any

import msgspec

from chingoo.adapters.llm.http import HttpLlm, Messages, Said
from chingoo.adapters.llm.turns import alternating, system_text

DEFAULT_BASE_URL = "https://api.anthropic.com"
_VERSION = "2023-06-01"


class _Block(msgspec.Struct):
    type: str
    text: str = ""


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _Answer(msgspec.Struct):
    content: list[_Block]
    model: str | None = None
    usage: _Usage | None = None


_decoder = msgspec.json.Decoder(_Answer)


def anthropic_llm(base_url: str | None, api_key: str | None) -> HttpLlm:
    """A client of the Messages API; `base_url` ends before `/v1/messages`."""
    headers = {"x-api-key": api_key or "", "anthropic-version": _VERSION}
    return HttpLlm("anthropic", base_url or DEFAULT_BASE_URL, headers, _encode, _decode)


def _encode(
    model: str, messages: Messages, max_tokens: int, json_schema: Mapping[str, Any] | None
) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": max_tokens,
        "messages": [{"role": role, "content": text} for role, text in alternating(messages)],
    }
    if system := system_text(messages):
        # The system prompt of a friend hardly changes: whoever writes again within minutes has it read from the cache.
        body["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
    if json_schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": dict(json_schema)}}
    return "/v1/messages", body


def _decode(content: bytes) -> Said:
    answer = _decoder.decode(content)
    usage = answer.usage or _Usage()
    text = "".join(block.text for block in answer.content if block.type == "text")
    cached = usage.cache_read_input_tokens or 0
    read = usage.input_tokens + (usage.cache_creation_input_tokens or 0) + cached
    return Said(text, answer.model, read, usage.output_tokens, cached)
