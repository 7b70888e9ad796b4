"""Every pattern is a regular expression."""

from collections.abc import Iterator

import regex

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every pattern that cannot be compiled, or that matches the empty text and so everywhere."""
    for part in subject.parts:
        pattern = getattr(part, "pattern", None)
        if not isinstance(pattern, str):
            continue
        try:
            compiled = regex.compile(pattern)
        except regex.error as error:
            yield Finding("pattern-broken", f"the pattern is not valid: {error}", part.place, about=pattern)
            continue
        if compiled.search("") is not None:
            message = "the pattern also fits where nothing is written, and so everywhere"
            yield Finding("pattern-too-wide", message, part.place, hint="use + instead of *", about=pattern)
