"""A prompt as protocols want it that keep the system text apart and alternate user and assistant."""

from itertools import groupby

from chingoo.adapters.llm.http import Messages


def system_text(messages: Messages) -> str:
    """All system messages, in order."""
    return "\n\n".join(message.content for message in messages if message.role == "system")


def alternating(messages: Messages) -> list[tuple[str, str]]:
    """(role, text) of the others, beginning with the user, neighbours of one role joined."""
    spoken = [message for message in messages if message.role != "system"]
    while spoken and spoken[0].role == "assistant":
        spoken = spoken[1:]
    return [
        (role, "\n\n".join(message.content for message in group))
        for role, group in groupby(spoken, key=lambda message: message.role)
    ]
