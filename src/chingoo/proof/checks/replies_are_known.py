"""Every fixed reply that is named somewhere is written."""

from collections.abc import Iterator

from chingoo.model.enums import Language
from chingoo.proof.replies import default_of, reply_uses
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every name of no reply."""
    bundle = subject.bundle
    known = bundle.replies[Language.EN].replies
    for use in reply_uses(subject):
        if not {use.id, default_of(use.id)} & known.keys():
            offer = did_you_mean(use.id, known)
            hint = f"did you mean `{offer}`?" if offer else "write it in policies/replies, in every language"
            message = f"there is no fixed reply `{use.id}`"
            yield Finding("reply-unknown", message, use.place, hint=hint, about=use.written)
