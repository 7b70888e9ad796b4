"""The fixed replies that no rule names, because the program itself says them, are written."""

from collections.abc import Iterator, Mapping
from typing import get_args

from chingoo.model.enums import Language
from chingoo.proof.walk import Subject
from chingoo.reply.composer import LAST_RESORT, SAYS_AI
from chingoo.reply.disclosure import NoticeKind
from chingoo.source.findings import Finding

_SPOKEN: Mapping[str, str] = {
    SAYS_AI: "is said by a friend who is asked whether it is an AI",
    LAST_RESORT: "is said when no other reply will do",
    **{
        f"notice.{kind}": "is said beside replies, when policies/disclosure.yaml wants it"
        for kind in get_args(NoticeKind)
    },
}


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for each that English lacks; what other languages lack is for `replies_are_complete` to say."""
    document = subject.bundle.replies[Language.EN]
    for name, when in _SPOKEN.items():
        if name not in document.replies:
            message = f"the reply `{name}` is missing; it {when}, though no rule names it"
            hint = "write it again, in every language"
            yield Finding("reply-missing", message, document.place, hint=hint, about="replies")
