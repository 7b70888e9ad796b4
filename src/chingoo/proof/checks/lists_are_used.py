"""Every word list is used somewhere; words of one that is not have no effect."""

from collections.abc import Iterator

from chingoo.policy.documents.weighing import TalkWeighing, Weighing
from chingoo.proof.walk import ListUse, Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every list that nothing names. To be weighed is not enough, but for lists made for that."""
    weighed = subject.bundle.weighing.lists
    used = {use.id for use in subject.uses if not _only_weighs(use) or use.id in weighed}
    for declared in subject.lists:
        if declared.id not in used:
            message = f"nothing uses the word list `{declared.id}`; its words have no effect"
            hint = "name it in a rule, or delete it"
            yield Finding("list-unused", message, declared.place, len(declared.id), hint)


def _only_weighs(use: ListUse) -> bool:
    return isinstance(use.by, Weighing | TalkWeighing)
