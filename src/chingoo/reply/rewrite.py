"""The one rewrite: the model is shown its message and all that is still wrong with it (GATE-02, GATE-14, C-28)."""

from collections.abc import Sequence

from chingoo.model.llm import ChatMessage
from chingoo.policy.bundle import Bundle
from chingoo.reply.fill import bullets, filled
from chingoo.reply.gates.report import Violation
from chingoo.reply.neutralise import neutralise
from chingoo.reply.prompt import ASSISTANT, USER
from chingoo.reply.prompt_input import PromptInput
from chingoo.reply.system_prompt import emoji_text, length_text


def build_rewrite(
    bundle: Bundle, given: PromptInput, prompt: Sequence[ChatMessage], reply: str, violations: Sequence[Violation]
) -> tuple[ChatMessage, ...]:
    """The prompt of the rewrite call: the first one, the reply as it stands, and the problems in plain words.

    `violations` stand in order of priority, as the report gives them; each is named.
    """
    problems = bullets(f"{violation.rewrite} ({violation.detail})" for violation in violations)
    request = filled(
        bundle.planning.prompt.rewrite,
        problems=problems,
        length=length_text(bundle, given),
        emoji=emoji_text(bundle, given),
    )
    shown = neutralise(bundle.planning.prompt, reply)
    return (*prompt, ChatMessage(ASSISTANT, shown), ChatMessage(USER, request))
