"""A chat model that says what a test wrote down."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chingoo.errors import LlmError
from chingoo.model.llm import ChatMessage, LlmReply


@dataclass(frozen=True, slots=True)
class Call:
    """One call a `ScriptedLlm` was given."""

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int
    timeout_s: float
    json_schema: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Late:
    """A line that comes after so many seconds, or not at all if the call's time is up before."""

    seconds: float
    line: str


class ScriptedLlm:
    """`ports.models.Llm`: each call gives the next line, or raises it if it is an error; `calls` is what was asked."""

    provider = "scripted"

    def __init__(self, script: Iterable[str | Late | LlmError] = ()) -> None:
        self._script = iter(script)
        self.calls: list[Call] = []
        self.closed = False

    async def complete(
        self,
        model: str,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        timeout_s: float,
        json_schema: Mapping[str, Any] | None = None,
    ) -> LlmReply:
        """The next line; LlmError("transport") at the end of the script."""
        self.calls.append(Call(model, tuple(messages), max_tokens, timeout_s, json_schema))
        line = next(self._script, LlmError("transport", "the script has no more lines"))
        if isinstance(line, Late):
            await asyncio.sleep(min(line.seconds, timeout_s))
            line = line.line if line.seconds < timeout_s else LlmError("timeout", f"no answer within {timeout_s} s")
        if isinstance(line, LlmError):
            raise line
        words = sum(len(message.content.split()) for message in messages)
        return LlmReply(line, model, input_tokens=words, output_tokens=len(line.split()), duration_ms=0.0)

    async def aclose(self) -> None:
        """Note that it was closed."""
        self.closed = True
