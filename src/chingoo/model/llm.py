"""What goes to a chat model and what comes back, whatever its wire format."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt: role is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class LlmReply:
    """What a model said, and what it used. `text` may be empty; judging that is the caller's.

    `cached_tokens` are those of the input tokens that the provider had read before (LLM-06).
    """

    text: str
    model: str
    input_tokens: int
    output_tokens: int
    duration_ms: float
    cached_tokens: int = 0
