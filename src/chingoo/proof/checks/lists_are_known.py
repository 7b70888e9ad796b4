"""Every word list that is named somewhere is declared."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every name of no list."""
    known = subject.by_id
    for use in subject.uses:
        if use.id not in known:
            offer = did_you_mean(use.id, known)
            hint = f"did you mean `{offer}`?" if offer else "declare it under `lists:`"
            message = f"there is no word list `{use.id}`"
            yield Finding("list-unknown", message, use.place, hint=hint, about=use.written)
