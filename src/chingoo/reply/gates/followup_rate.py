"""Questions stay rare: one a reply, few in a row, none that re-opens a suppressed topic (C-72, POL-09)."""

from chingoo.reply.gates.look import Look, is_question
from chingoo.reply.gates.report import Finding
from chingoo.text.sentences import split_sentences


def judge(look: Look) -> Finding | None:
    """Questions of this reply and of the window before it. A reply that asks nothing is never to blame."""
    asked = look.questions
    if not asked:
        return None
    if look.given.answer_only:
        return Finding(asked, [0, 0])
    rate = look.given.targets.followup
    if rate is None:
        return None
    limits = look.policy.questions
    if asked > limits.per_reply:
        return Finding(asked, [0, limits.per_reply])
    window = limits.by_rate[rate]
    earlier = look.given.previous_replies[-(window.replies - 1) :] if window.replies > 1 else ()
    total = asked + sum(questions_in(reply, look.abbreviations) for reply in earlier)
    return Finding(total, [0, window.questions]) if total > window.questions else None


def questions_in(reply: str, abbreviations: frozenset[str]) -> int:
    """How many sentences of a reply ask."""
    return sum(is_question(sentence) for sentence in split_sentences(reply, abbreviations))
