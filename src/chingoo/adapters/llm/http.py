"""One POST to a model provider: deadline, status and shape checked in one place, whatever the wire format."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec

from chingoo.errors import LlmError
from chingoo.model.llm import ChatMessage, LlmReply

Messages = Sequence[ChatMessage]
Encode = Callable[[str, Messages, int, Mapping[str, Any] | None], tuple[str, dict[str, Any]]]
"""(model, messages, max_tokens, json_schema) → (path below the base URL, JSON body)."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a provider's answer holds, in our terms."""

    text: str
    model: str | None
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


class HttpLlm:
    """An `ports.models.Llm` over one httpx client.

    `decode` raises msgspec.MsgspecError for an answer of the wrong shape. Nothing is retried here, so that the turn's
    deadline is spent by whoever owns it.
    """

    def __init__(
        self, provider: str, base_url: str, headers: Mapping[str, str], encode: Encode, decode: Callable[[bytes], Said]
    ) -> None:
        self.provider = provider
        self._base_url, self._encode, self._decode = base_url.rstrip("/"), encode, decode
        self._client = httpx.AsyncClient(
            headers={"content-type": "application/json", **headers},
            limits=httpx.Limits(max_connections=200, max_keepalive_connections=50),
            trust_env=False,
        )

    async def complete(
        self,
        model: str,
        messages: Messages,
        *,
        max_tokens: int,
        timeout_s: float,
        json_schema: Mapping[str, Any] | None = None,
    ) -> LlmReply:
        """One call. LlmError kinds: timeout, transport, status, malformed. An empty text is returned as it is."""
        path, body = self._encode(model, messages, max_tokens, json_schema)
        started = time.perf_counter()
        response = await self._post(self._base_url + path, msgspec.json.encode(body), timeout_s)
        if response.status_code != 200:
            raise LlmError("status", f"the model answered with HTTP {response.status_code}")
        try:
            said = self._decode(response.content)
        except msgspec.MsgspecError as error:
            raise LlmError("malformed", f"the answer is not one of the {self.provider} protocol") from error
        return LlmReply(
            text=said.text,
            model=said.model or model,
            input_tokens=said.input_tokens,
            output_tokens=said.output_tokens,
            duration_ms=(time.perf_counter() - started) * 1000,
            cached_tokens=said.cached_tokens,
        )

    async def _post(self, url: str, content: bytes, timeout_s: float) -> httpx.Response:
        try:
            # httpx bounds each read, not the whole answer: a server that trickles must not outlive the call's share
            async with asyncio.timeout(timeout_s):
                return await self._client.post(url, content=content, timeout=timeout_s)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise LlmError("timeout", f"the model did not answer within {timeout_s:.1f} s") from error
        except httpx.HTTPError as error:
            raise LlmError("transport", f"the model could not be reached ({type(error).__name__})") from error

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()
