"""Builds a prompt: stable parts first, people's text delimited and harmless, within the budget (§13, §25)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from chingoo.model.decision import Utterance
from chingoo.model.enums import Role
from chingoo.model.llm import ChatMessage
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.context import BudgetPolicy
from chingoo.policy.documents.planning import PromptPolicy
from chingoo.reply.context_block import context_block
from chingoo.reply.neutralise import neutralise
from chingoo.reply.prompt_input import ContextItem, PromptInput
from chingoo.reply.system_prompt import system_prompt
from chingoo.text.budget import estimate_tokens

SYSTEM, USER, ASSISTANT = "system", "user", "assistant"
_ROLES: Mapping[Role, str] = {Role.USER: USER, Role.ASSISTANT: ASSISTANT}


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    """A prompt in its parts, as they fit. `items` are the remembered things that `current` holds.

    `limit` is what all parts together may come to, in estimated tokens; `bare_tokens` are those of `current` alone,
    without what is remembered, and `summary_tokens` those of the summary within it.
    """

    system: str
    older: tuple[ChatMessage, ...]
    protected: tuple[ChatMessage, ...]
    current: str
    items: tuple[ContextItem, ...]
    limit: int
    bare_tokens: int
    summary_tokens: int

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """As the model gets it."""
        return (ChatMessage(SYSTEM, self.system), *self.older, *self.protected, ChatMessage(USER, self.current))


def build_prompt(bundle: Bundle, given: PromptInput) -> tuple[ChatMessage, ...]:
    """The messages of a voice call: system rules, history, then the current message behind its context block."""
    return fit_prompt(bundle, given).messages


def fit_prompt(bundle: Bundle, given: PromptInput) -> FittedPrompt:
    """The parts of a prompt within the budget.

    Over the budget, remembered things go first, the least important ones before the others, then the oldest messages;
    the system prompt, the last messages and the current one never do (BUDGET-05).
    """
    policy, budget = bundle.planning.prompt, bundle.context.budget
    system = system_prompt(bundle, given)
    bare = context_block(bundle, given, ())
    history = [_shown(policy, budget, one) for one in given.history[-budget.max_conversation_messages :]]
    protected = history[-budget.protected_messages :] if budget.protected_messages else []
    older = history[: len(history) - len(protected)]
    bare_tokens = estimate_tokens(bare)
    limit = budget.context_tokens - budget.output_tokens
    left = max(0, limit - estimate_tokens(system) - bare_tokens - tokens_of(protected))
    for_items = left * budget.retrieved_percent // 100
    items = fitting_items(given.items, for_items)
    kept = _newest_within(older, left - for_items)
    return FittedPrompt(
        system=system,
        older=tuple(kept),
        protected=tuple(protected),
        current=context_block(bundle, given, items),
        items=items,
        limit=limit,
        bare_tokens=bare_tokens,
        summary_tokens=estimate_tokens(given.summary or ""),
    )


def tokens_of(messages: Iterable[ChatMessage]) -> int:
    """What messages come to, each estimated by itself."""
    return sum(estimate_tokens(message.content) for message in messages)


def tokens_of_item(item: ContextItem) -> int:
    """What a remembered thing comes to."""
    return sum(map(estimate_tokens, (item.mark, item.label, item.text, *item.around)))


def fitting_items(items: Iterable[ContextItem], tokens: int) -> tuple[ContextItem, ...]:
    """The first items that fit into so many tokens; what does not fit ends the list of its kind, not the others'."""
    kept: list[ContextItem] = []
    full: set[str] = set()
    for item in items:
        size = tokens_of_item(item)
        if item.kind in full or size > tokens:
            full.add(item.kind)
            continue
        kept.append(item)
        tokens -= size
    return tuple(kept)


def _newest_within(messages: Sequence[ChatMessage], tokens: int) -> list[ChatMessage]:
    """The newest messages that fit, still oldest first."""
    kept: list[ChatMessage] = []
    for message in reversed(messages):
        tokens -= estimate_tokens(message.content)
        if tokens < 0:
            break
        kept.append(message)
    return kept[::-1]


def _shown(policy: PromptPolicy, budget: BudgetPolicy, message: Utterance) -> ChatMessage:
    """A message of the history: harmless, and cut in the middle when it is long (C-52)."""
    text = neutralise(policy, message.text)
    limit = budget.max_message_characters
    if len(text) > limit:
        head = (limit - len(policy.cut_mark)) * 3 // 5
        tail = limit - len(policy.cut_mark) - head
        text = f"{text[:head]}{policy.cut_mark}{text[-tail:]}"
    return ChatMessage(_ROLES[message.role], text)
