"""Every fixed reply is said by somebody: a rule, a category of the guard or of a crisis, or the program itself."""

from collections.abc import Iterator

from chingoo.model.enums import Language
from chingoo.proof.replies import default_of, reply_uses, spoken_replies
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every English reply that is never said; other languages follow English."""
    named = {use.id for use in reply_uses(subject)}
    said = named | {default_of(name) for name in named} | {one.id for one in spoken_replies(subject.bundle.memory)}
    for name, reply in subject.bundle.replies[Language.EN].replies.items():
        if name not in said:
            offer = did_you_mean(name, said)
            hint = f"did you mean `{offer}`?" if offer else "name it in a rule, or delete it in every language"
            yield Finding("reply-unused", f"nothing says the reply `{name}`", reply.place, len(name), hint)
