"""The Bedrock Converse protocol, with a bearer key."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec

from chingoo.adapters.llm.http import HttpLlm, Messages, Said
from chingoo.adapters.llm.turns import alternating, system_text

DEFAULT_BASE_URL = "https://bedrock-runtime.us-east-1.amazonaws.com"


class _Block(msgspec.Struct):
    text: str = ""


class _Message(msgspec.Struct):
    content: list[_Block]


class _Output(msgspec.Struct):
    message: _Message


class _Usage(msgspec.Struct, rename="camel"):
    input_tokens: int = 0
    output_tokens: int = 0


class _Answer(msgspec.Struct):
    output: _Output
    usage: _Usage | None = None


_decoder = msgspec.json.Decoder(_Answer)


def bedrock_llm(base_url: str | None, api_key: str | None) -> HttpLlm:
    """A client of Converse; `base_url` is the region's runtime endpoint. JSON schemas are given in the prompt alone."""
    headers = {"authorization": f"Bearer {api_key or ''}"}
    return HttpLlm("bedrock", base_url or DEFAULT_BASE_URL, headers, _encode, _decode)


def _encode(
    model: str, messages: Messages, max_tokens: int, _json_schema: Mapping[str, Any] | None
) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = {
        "messages": [{"role": role, "content": [{"text": text}]} for role, text in alternating(messages)],
        "inferenceConfig": {"maxTokens": max_tokens},
    }
    if system := system_text(messages):
        body["system"] = [{"text": system}]
    return f"/model/{quote(model, safe='')}/converse", body


def _decode(content: bytes) -> Said:
    answer = _decoder.decode(content)
    usage = answer.usage or _Usage()
    return Said(
        "".join(block.text for block in answer.output.message.content), None, usage.input_tokens, usage.output_tokens
    )
