"""Counts what turns took: time, prompts by part, models, money, and whether what was remembered was used (TEL-01…05).

No label holds what anybody said or who it was; every label takes its values from policies and code.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from chingoo.flow.gatekeep import Draft
from chingoo.flow.view import TurnView
from chingoo.model.enums import ReplyOrigin
from chingoo.model.turn import LlmCallRow
from chingoo.ports.machine import Metrics
from chingoo.reply.prompt import FittedPrompt, tokens_of, tokens_of_item
from chingoo.text.budget import estimate_tokens

PROMPTS: Final = "chingoo_prompts_total"
PROMPT_TOKENS: Final = "chingoo_prompt_tokens_total"
CHOICES: Final = "chingoo_model_choices_total"
CALLS: Final = "chingoo_turn_model_calls_total"
COST: Final = "chingoo_turn_cost_usd_total"
HINTS: Final = "chingoo_hints_total"
SECONDS: Final = "chingoo_turn_seconds"

_MANY: Final = 3


def count_prompt(metrics: Metrics, prompt: FittedPrompt, pipeline: str, role: str) -> None:
    """A prompt was made for a reply: its parts in estimated tokens, and the model it goes to (TEL-03, MODEL-01)."""
    sizes = {
        "system": estimate_tokens(prompt.system),
        "summary": prompt.summary_tokens,
        "recent": tokens_of(prompt.protected) + tokens_of(prompt.older),
        "retrieved": sum(map(tokens_of_item, prompt.items)),
        "message": prompt.bare_tokens - prompt.summary_tokens,
    }
    metrics.count(PROMPTS)
    for part, tokens in sizes.items():
        metrics.count(PROMPT_TOKENS, {"part": part}, tokens)
    metrics.count(CHOICES, {"pipeline": pipeline, "role": role})


def count_turn(
    metrics: Metrics, view: TurnView, draft: Draft, calls: Sequence[LlmCallRow], milliseconds: Mapping[str, float]
) -> None:
    """A turn was written: its steps, its calls and what they cost, and what its reply used of what it was shown."""
    for step, spent in milliseconds.items():
        metrics.observe(SECONDS, spent / 1000, {"step": step})
    metrics.count(CALLS, {"calls": str(len(calls)) if len(calls) < _MANY else f"{_MANY}+"})
    metrics.count(COST, {"pipeline": view.decision.routing.pipeline}, sum(call.cost_usd for call in calls))
    if draft.origin is not ReplyOrigin.LLM:
        return
    for memory in view.offered:
        used = "true" if memory.memory_id in draft.surfaced else "false"
        metrics.count(HINTS, {"type": memory.type, "used": used})
