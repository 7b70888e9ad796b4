"""Every word list is used somewhere; words of one that is not have no effect."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every list that nothing names."""
    used = {use.id for use in subject.uses}
    for declared in subject.lists:
        if declared.id not in used:
            message = f"nothing uses the word list `{declared.id}`; its words have no effect"
            hint = "name it in a rule, or delete it"
            yield Finding("list-unused", message, declared.place, len(declared.id), hint)
