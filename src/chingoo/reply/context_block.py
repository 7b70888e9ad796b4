"""The current message with what belongs to it: context, notes for this answer, the message (PROMPT-09, PROMPT-10)."""

from collections.abc import Sequence

from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.planning import ContextTexts, PromptPolicy
from chingoo.reply.fill import filled
from chingoo.reply.neutralise import clean_name, neutralise
from chingoo.reply.prompt_input import ContextItem, PromptInput
from chingoo.reply.system_prompt import topic_names


def context_block(bundle: Bundle, given: PromptInput, items: Sequence[ContextItem]) -> str:
    """The content of the last user message. Everything that people wrote is made harmless; the message is never cut."""
    policy = bundle.planning.prompt
    texts = policy.context
    lines = [texts.opening, *_about(bundle, given), *_remembered(policy, items)]
    lines += [texts.closing, texts.plan, *_notes(bundle, given)]
    lines.append(filled(texts.message, text=neutralise(policy, given.user_text)))
    return "\n".join(lines)


def _about(bundle: Bundle, given: PromptInput) -> list[str]:
    policy = bundle.planning.prompt
    texts, lines = policy.context, []
    name = clean_name(policy, bundle.context.budget, given.person_name)
    if name is not None:
        lines.append(filled(texts.person, name=name))
    trend = "" if given.trend is None else texts.trend[given.trend]
    lines.append(filled(texts.intensity, intensity=str(given.intensity), trend=trend, turn=str(given.turn)))
    if not given.history:
        lines.append(texts.first_message)
    if given.summary:
        lines.append(filled(texts.summary, text=neutralise(policy, given.summary)))
    return lines


def _remembered(policy: PromptPolicy, items: Sequence[ContextItem]) -> list[str]:
    texts = policy.context
    memories = [_memory(policy, item) for item in items if item.kind == "memory"]
    episodes = [line for item in items if item.kind == "episode" for line in _episode(policy, item)]
    hints = [filled(texts.hint, text=neutralise(policy, item.text)) for item in items if item.kind == "hint"]
    sections = ((texts.known, memories), (texts.episodes, episodes), (texts.hints, hints))
    return [line for heading, section in sections if section for line in (heading, *section)]


def _memory(policy: PromptPolicy, item: ContextItem) -> str:
    line = filled(policy.context.memory, mark=item.mark, text=neutralise(policy, item.text))
    return line + _warnings(policy.context, item)


def _episode(policy: PromptPolicy, item: ContextItem) -> list[str]:
    texts = policy.context
    text, label = neutralise(policy, item.text), neutralise(policy, item.label)
    line = filled(texts.episode, mark=item.mark, label=label, text=text) + _warnings(texts, item)
    return [line, *(filled(texts.around, text=neutralise(policy, around)) for around in item.around)]


def _warnings(texts: ContextTexts, item: ContextItem) -> str:
    marks = (
        (item.certain, texts.certain),
        (item.long_ago, texts.long_ago),
        (item.disputed, texts.disputed),
        (item.outdated, texts.outdated),
    )
    return "".join(text for holds, text in marks if holds)


def _notes(bundle: Bundle, given: PromptInput) -> list[str]:
    """The response plan in words (PLAN-01, PLAN-04), and what must not come up in this answer.

    Asked what it is, the friend says so first: then no other beginning is asked for.
    """
    policy, plan = bundle.planning.prompt, given.plan
    texts = policy.context
    tone = texts.tone[plan.emotional_tone]
    notes = [texts.says_ai, tone] if given.asks_if_ai else [tone, texts.ack[plan.ack_style]]
    only_heeded = bool(given.heeded) and given.only_heeded
    notes += [texts.only_heeded] if only_heeded else [texts.outline[step] for step in plan.answer_outline]
    if plan.gentle:
        notes.append(texts.gentle)
    if given.grown_closer:
        notes.append(texts.grown_closer)
    if plan.answer_only:
        notes.append(filled(texts.answer_only, topics=topic_names(policy, plan.answer_only)))
    elif plan.followup_question:
        notes.append(texts.question)
    else:
        notes.append(texts.no_question)
    notes += [texts.heeded[one] for one in given.heeded]
    return notes + _topic_notes(bundle, given)


def _topic_notes(bundle: Bundle, given: PromptInput) -> list[str]:
    """What of the topics that the system prompt names came up in this message; none of them is listed again."""
    policy, plan = bundle.planning.prompt, given.plan
    left_alone = given.suppressed_topics | set(bundle.topics.sensitive) | set(given.template.taboo_soft_bounds)
    raised = left_alone - set(plan.taboo_guard) - set(plan.answer_only)
    parts = ((policy.context.raised, raised), (policy.context.touched, plan.touched))
    notes = [filled(text, topics=topic_names(policy, topics)) for text, topics in parts if topics]
    return [*notes, policy.context.not_raised] if plan.taboo_guard else notes
