"""The numbers of recall.yaml and context.yaml go together: shares, steps, cuts, and what is shown of what is kept."""

from collections.abc import Iterator
from itertools import pairwise

from chingoo.policy.documents.base import Place
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace

_WHOLE = 1.0
_CLOSE = 1e-6
_SAID_AND_ANSWERED = 2


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every number that contradicts another."""
    yield from _weights(subject)
    yield from _density(subject)
    yield from _cuts(subject)
    yield from _amounts(subject)


def _weights(subject: Subject) -> Iterator[Finding]:
    weights = subject.bundle.recall.scoring.weights
    total = weights.priority + weights.recency + weights.overlap + weights.strength
    if abs(total - _WHOLE) > _CLOSE:
        yield _finding(weights.place, f"the weights are {total:g} together", "let them be 1 together")


def _density(subject: Subject) -> Iterator[Finding]:
    steps, budget = subject.bundle.recall.density, subject.bundle.context.budget
    for before, after in pairwise(steps):
        if before.below_messages is None:
            yield _finding(after.place, "the step before has no bound, so this one is never reached", "move it up")
        elif after.below_messages is not None and after.below_messages <= before.below_messages:
            yield _finding(
                after.place, "the step before has a bound as high", "write the lower bound first", "below_messages"
            )
    if steps[-1].below_messages is not None:
        message = "above this bound no step fits"
        yield _finding(steps[-1].place, message, "leave `below_messages` out in the last step", "below_messages")
    for step in steps:
        if step.percent > budget.retrieved_percent:
            message = f"{step.percent} % is more than everything that is brought back may take"
            others = (OtherPlace(budget.place, f"there it is {budget.retrieved_percent} %"),)
            yield _finding(step.place, message, "write less, or raise `retrieved_percent`", "percent", others)


def _cuts(subject: Subject) -> Iterator[Finding]:
    excerpt = subject.bundle.recall.excerpt
    for cut in (excerpt.usual, excerpt.evidence):
        if cut.first + cut.last > cut.whole_up_to:
            message = f"a message just over {cut.whole_up_to} characters would be shown twice in part"
            yield _finding(cut.place, message, "let `first` and `last` be no more than `whole_up_to` together")


def _amounts(subject: Subject) -> Iterator[Finding]:
    recall, context = subject.bundle.recall, subject.bundle.context
    for amount in (recall.choice.bullets.reaction, recall.choice.bullets.statement):
        if amount.least > amount.most:
            yield _finding(amount.place, f"at least {amount.least} is more than at most {amount.most}", None, "least")
        if amount.most > context.hints.most:
            others = (OtherPlace(context.hints.place, f"the message takes {context.hints.most}"),)
            yield _finding(amount.place, f"{amount.most} do not fit into the message of hints", None, "most", others)
    if context.notes.shown > context.notes.most:
        yield _finding(context.notes.place, "more notes would be shown than are kept", None, "shown")
    if context.summary.leave_last >= context.summary.after_messages:
        message = "nothing is left to sum up when so many messages are left out"
        yield _finding(context.summary.place, message, "write less than `after_messages`", "leave_last")
    budget = context.budget
    if budget.protected_messages > budget.max_conversation_messages:
        message = "more messages would be protected than are looked at"
        yield _finding(budget.place, message, "write at most `max_conversation_messages`", "protected_messages")
    if context.pending.messages * _SAID_AND_ANSWERED > budget.protected_messages:
        others = (OtherPlace(budget.place, f"there are {budget.protected_messages} of them"),)
        message = "the context pack would show words that the prompt may leave out, for they are not all protected"
        hint = "write at most half of `protected_messages`: every second one is the person's"
        yield _finding(context.pending.place, message, hint, "messages", others)


def _finding(
    place: Place, message: str, hint: str | None, about: str | None = None, others: tuple[OtherPlace, ...] = ()
) -> Finding:
    return Finding("numbers-disagree", message, place, 1, hint, others, about=about)
