"""policies/context.yaml: how much a model is shown beside the message, and what is kept of a long conversation."""

from dataclasses import dataclass
from typing import Literal

from chingoo.policy.documents.base import Place

Evictable = Literal["retrieved", "older"]
"""What may be left out of a prompt: what was brought back, or older messages."""


@dataclass(frozen=True, slots=True)
class BudgetPolicy:
    """Sizes of a prompt, in tokens of the script-aware estimate unless a name says otherwise (BUDGET-01…05)."""

    place: Place
    system_tokens: int
    context_tokens: int
    output_tokens: int
    retrieved_percent: int
    max_conversation_messages: int
    protected_messages: int
    max_message_characters: int
    max_name_characters: int


@dataclass(frozen=True, slots=True)
class HintsPolicy:
    """The one message of hints: from how many turns, how many at most, and its first line (INJ-01, 02; C-50, C-51)."""

    place: Place
    turns: int
    most: int
    header: str


@dataclass(frozen=True, slots=True)
class SummaryPolicy:
    """When a conversation is summed up, and how much of it (SUM-01)."""

    place: Place
    after_messages: int
    after_tokens: int
    again_after_messages: int
    leave_last: int
    words: int


@dataclass(frozen=True, slots=True)
class NotesPolicy:
    """How many notes of a conversation are kept, and how many shown (LEDGER-01, 03)."""

    place: Place
    most: int
    shown: int


@dataclass(frozen=True, slots=True)
class PendingPolicy:
    """What stands in for memories while messages wait to be looked at (BATCH-14): the last `messages` of the person.

    Above so many that wait; each cut after so many characters.
    """

    place: Place
    above: int
    messages: int
    characters: int


@dataclass(frozen=True, slots=True)
class ContextDocument:
    """Sizes, the order in which things are left out (C-52), hints, summaries, notes and what waits."""

    place: Place
    budget: BudgetPolicy
    evict: tuple[Evictable, ...]
    hints: HintsPolicy
    summary: SummaryPolicy
    notes: NotesPolicy
    pending: PendingPolicy
