"""The OpenAI-compatible chat-completions protocol."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from chingoo.adapters.llm.http import HttpLlm, Messages, Said

DEFAULT_BASE_URL = "https://api.openai.com/v1"


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Details(msgspec.Struct):
    cached_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _Details | None = None

    @property
    def cached_tokens(self) -> int:
        """Those of the prompt that were read before; not every server tells."""
        return (self.prompt_tokens_details and self.prompt_tokens_details.cached_tokens) or 0


class _Completion(msgspec.Struct):
    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1)]
    model: str | None = None
    usage: _Usage | None = None


_decoder = msgspec.json.Decoder(_Completion)


def openai_llm(base_url: str | None, api_key: str | None) -> HttpLlm:
    """A client of any server that speaks chat completions; `base_url` ends before `/chat/completions`."""
    headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
    return HttpLlm("openai", base_url or DEFAULT_BASE_URL, headers, _encode, _decode)


def _encode(
    model: str, messages: Messages, max_tokens: int, json_schema: Mapping[str, Any] | None
) -> tuple[str, dict[str, Any]]:
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "max_tokens": max_tokens,
    }
    if json_schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": dict(json_schema)},
        }
    return "/chat/completions", body


def _decode(content: bytes) -> Said:
    completion = _decoder.decode(content)
    usage = completion.usage or _Usage()
    text = completion.choices[0].message.content or ""
    return Said(text, completion.model, usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)
