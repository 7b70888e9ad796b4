"""What a turn is given beside its message: memories and talk as in its prompt, and their sizes (BUDGET-04, 05)."""

from dataclasses import replace

from chingoo.flow.answers import Body, brief_memory_body, said_body
from chingoo.flow.showing import held
from chingoo.flow.view import TurnView
from chingoo.model.enums import Role
from chingoo.model.people import Memory, StoredMessage
from chingoo.reply.prompt import fit_prompt, tokens_of, tokens_of_item
from chingoo.text.budget import estimate_tokens


def context_body(view: TurnView) -> Body:
    """The context pack of a decided turn, read off the prompt that its model would get.

    Nothing is searched for yet, so that no turn is given episodes or bullets.
    """
    prompt = fit_prompt(view.compiled.bundle, view.prompt_input())
    # Of the history the newest messages fit, without a gap: their number says which.
    told = len(prompt.older) + len(prompt.protected)
    sizes = {
        "system": estimate_tokens(prompt.system),
        "protected": tokens_of(prompt.protected) + prompt.bare_tokens,
        "older": tokens_of(prompt.older),
        "retrieved": sum(map(tokens_of_item, prompt.items)),
    }
    return {
        "episodes": [],
        "memories": [_memory(memory) for memory in held(view.offered, prompt.items)],
        "bullets": [],
        "pending_raw": [said_body(message) for message in _pending(view)],
        "recent": [said_body(message) for message in view.history[len(view.history) - told :]],
        "budget": {"limit": prompt.limit, **sizes, "total": sum(sizes.values())},
    }


def _pending(view: TurnView) -> list[StoredMessage]:
    """The last messages of the person, the newest first, while too many wait for a batch (BATCH-14)."""
    policy = view.compiled.bundle.context.pending
    if view.known.pending_extraction_count <= policy.above:
        return []
    said = [one for one in view.history if one.role is Role.USER]
    return [replace(one, text=(one.text or "")[: policy.characters]) for one in said[: -policy.messages - 1 : -1]]


def _memory(memory: Memory) -> Body:
    evidence = [str(message_id) for message_id in memory.evidence_message_ids]
    return {**brief_memory_body(memory), "evidence_message_ids": evidence, "score": memory.confidence}
