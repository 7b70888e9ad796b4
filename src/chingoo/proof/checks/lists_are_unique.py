"""A word list's name is declared once over all files."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject, repeated
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every name that is declared again."""
    for name, place, first in repeated((declared.id, declared.place) for declared in subject.lists):
        message = f"the word list `{name}` is declared twice; the first is in {first.file}, line {first.line}"
        others = (OtherPlace(first, "first declared here"),)
        yield Finding("list-declared-twice", message, place, len(name), "rename one of them", others)
