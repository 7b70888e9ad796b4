"""Asking a model within the turn's deadline: at most one retry, every call recorded (S-01, LLM-05, TEL-01)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chingoo.errors import LlmError
from chingoo.model.llm import ChatMessage
from chingoo.model.turn import LlmCallRow
from chingoo.policy.documents.models import ModelsDocument, Price
from chingoo.ports.machine import Clock, Ids, Metrics
from chingoo.ports.models import Llm


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """Model names (None: the policy's default for the provider) and the cap on one call, in seconds."""

    voice_model: str | None
    mechanics_model: str | None
    call_timeout_s: float


@dataclass(frozen=True, slots=True)
class _Used:
    """Tokens of one call; `cached` are those of `input` that the provider had read before."""

    input: int = 0
    output: int = 0
    cached: int = 0

    def cost(self, price: Price) -> float:
        """In US dollars (TEL-02)."""
        cached = price.input if price.cached is None else price.cached
        return ((self.input - self.cached) * price.input + self.cached * cached + self.output * price.output) / 1000


@dataclass(slots=True)
class Voice:
    """The model calls of one turn. `deadline` is on the clock's monotonic scale; `calls` is what settle records."""

    llm: Llm
    models: ModelsDocument
    settings: VoiceSettings
    clock: Clock
    ids: Ids
    metrics: Metrics
    deadline: float
    calls: list[LlmCallRow] = field(default_factory=list)

    def remaining(self) -> float:
        """Seconds of the turn's deadline that are left."""
        return self.deadline - self.clock.monotonic()

    async def ask(
        self,
        operation: str,
        role: str,
        prompt: Sequence[ChatMessage],
        usable: Callable[[str], bool],
        *,
        tries: int,
        schema: Mapping[str, Any] | None = None,
    ) -> str | None:
        """The first usable answer of at most `tries` calls, or None. A failed, late or unusable answer is one try.

        `schema` asks for JSON of that shape, where the provider can.
        """
        for _ in range(tries):
            timeout = min(self.settings.call_timeout_s, self.remaining())
            if timeout <= 0:
                break
            text = await self._call(operation, role, prompt, timeout, schema)
            if text is not None and usable(text):
                return text
        return None

    def model_of(self, role: str) -> tuple[str, int]:
        """The model's name and its output limit in tokens, for the role `voice` or `mechanics`."""
        configured = self.settings.voice_model if role == "voice" else self.settings.mechanics_model
        policy = self.models.voice if role == "voice" else self.models.mechanics
        return configured or policy.default_model.get(self.llm.provider, ""), policy.max_output_tokens

    async def _call(
        self,
        operation: str,
        role: str,
        prompt: Sequence[ChatMessage],
        timeout_s: float,
        schema: Mapping[str, Any] | None,
    ) -> str | None:
        model, max_tokens = self.model_of(role)
        self.metrics.count("chingoo_llm_calls_started_total", {"operation": operation, "model": model})
        started = self.clock.monotonic()
        text, used, error = None, _Used(), None
        try:
            reply = await self.llm.complete(
                model, prompt, max_tokens=max_tokens, timeout_s=timeout_s, json_schema=schema
            )
            text, used = reply.text, _Used(reply.input_tokens, reply.output_tokens, reply.cached_tokens)
        except LlmError as failure:
            error = failure.kind
        except asyncio.CancelledError:
            error = "cancelled"
            raise
        finally:
            self._record(operation, model, used, self.clock.monotonic() - started, error)
        return text

    def _record(self, operation: str, model: str, used: _Used, seconds: float, error: str | None) -> None:
        price = self.models.prices.get(model)
        cost = 0.0 if price is None else used.cost(price)
        self.calls.append(
            LlmCallRow(
                call_id=self.ids.uuid(),
                operation=operation,
                provider=self.llm.provider,
                model=model,
                input_tokens=used.input,
                output_tokens=used.output,
                duration_ms=seconds * 1000,
                cost_usd=cost,
                error=error,
            )
        )
        if price is None:
            self.metrics.count("chingoo_llm_unpriced_calls_total", {"model": model})
        labels = {"operation": operation, "model": model, "outcome": error or "ok"}
        self.metrics.count("chingoo_llm_calls_total", labels)
        self.metrics.count("chingoo_llm_input_tokens_total", {"model": model}, used.input)
        self.metrics.count("chingoo_llm_cached_tokens_total", {"model": model}, used.cached)
        self.metrics.count("chingoo_llm_output_tokens_total", {"model": model}, used.output)
        self.metrics.count("chingoo_llm_cost_usd_total", {"model": model}, cost)
        self.metrics.observe("chingoo_llm_call_seconds", seconds, {"operation": operation})
