"""The fixed replies that no rule names, because the program itself says them, are written."""

from collections.abc import Iterator

from chingoo.model.enums import Language
from chingoo.proof.replies import spoken_replies
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for each that English lacks; what other languages lack is for `replies_are_complete` to say."""
    document = subject.bundle.replies[Language.EN]
    for spoken in spoken_replies(subject.bundle.memory):
        if spoken.needed and spoken.id not in document.replies:
            message = f"the reply `{spoken.id}` is missing; it {spoken.when}, though no rule names it"
            hint = "write it again, in every language"
            yield Finding("reply-missing", message, document.place, hint=hint, about="replies")
