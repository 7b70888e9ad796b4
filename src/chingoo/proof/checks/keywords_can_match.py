"""Every word of a list can be looked for: something of it is left, and the lists in its braces can be filled in."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding

_REMEDIES = ("punctuation does not count; write the words as people say them", "use shorter lists in the braces")


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every word that no message can contain."""
    for word in subject.words:
        if word.error is not None and not _other_laws_finding(word.error):
            message = f"`{word.entry.text}` can never be seen: {word.error}"
            hint = _REMEDIES[bool(word.entry.text.count("{"))]
            yield Finding("keyword-cannot-match", message, word.entry.place, hint=hint, about=word.entry.text)


def _other_laws_finding(error: str) -> bool:
    return error.endswith("is not known")
