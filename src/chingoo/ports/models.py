"""The models that are asked over a network."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from chingoo.model.llm import ChatMessage, LlmReply


class Llm(Protocol):
    """A chat model. One call is one HTTP request; retrying is the service's business."""

    provider: str

    async def complete(
        self,
        model: str,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        timeout_s: float,
        json_schema: Mapping[str, Any] | None = None,
    ) -> LlmReply:
        """Answer within `timeout_s` seconds, or raise LlmError."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class Detector(Protocol):
    """A model that says how likely a text is of which harmful category. Optional, and only ever a second opinion."""

    async def scores(self, text: str, *, timeout_s: float) -> Mapping[str, float]:
        """Scores from 0 to 1 by category, within `timeout_s` seconds, or raise DetectorError."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...
