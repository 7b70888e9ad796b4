"""A file of one language, persona or voice says the same name inside as outside."""

from collections.abc import Iterator

from chingoo.policy.documents.base import Place
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every file whose name and content disagree."""
    bundle = subject.bundle
    said: list[tuple[str, str, Place]] = [
        *((key.value, document.language.value, document.place) for key, document in bundle.replies.items()),
        *((key, document.id, document.place) for key, document in bundle.personas.items()),
        *((key.value, voice.id.value, voice.place) for key, voice in bundle.voices.items()),
    ]
    for outside, inside, place in said:
        if outside != inside:
            message = f"the file is named `{outside}` but says `{inside}`"
            yield Finding("file-misnamed", message, place, hint="let both say the same", about=inside)
