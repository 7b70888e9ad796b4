"""Text written by people, made harmless before it stands in a prompt: no tags, no control tokens, no roles (S-18)."""

import re

from chingoo.policy.documents.context import BudgetPolicy
from chingoo.policy.documents.planning import PromptPolicy
from chingoo.reply.patterns import compiled
from chingoo.text.normalise import strip_invisible

_MOST_PASSES = 5
_NOT_IN_NAMES = re.compile(r"[\"“”„«»\\{}<>|`\[\]()]")


def neutralise(policy: PromptPolicy, text: str) -> str:
    """`text` with everything replaced that could pass for an instruction; its words stay as they are.

    The patterns run until nothing changes, so that taking one away cannot put another together.
    """
    for _ in range(_MOST_PASSES):
        before = text
        for rule in policy.neutralise:
            text = compiled(rule.pattern).sub(rule.replace, text)
        if text == before:
            break
    return text


def clean_name(policy: PromptPolicy, budget: BudgetPolicy, name: str | None) -> str | None:
    """A name on one line, short, without quotes or brackets; None if nothing is left."""
    if name is None:
        return None
    plain = _NOT_IN_NAMES.sub(" ", neutralise(policy, strip_invisible(name)))
    return " ".join(plain.split())[: budget.max_name_characters].strip() or None
