"""No condition wants to see a list and not to see it: such an alternative could never hold."""

from collections.abc import Iterator

from chingoo.policy.documents.base import Sight
from chingoo.policy.documents.safety import CountRule
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every alternative that cannot hold, and every counted list that calls its own count off."""
    for part in subject.parts:
        alternatives = part.any if isinstance(part, Sight) else (part,) if isinstance(part, CountRule) else ()
        for alternative in alternatives:
            for name in sorted(set(alternative.lists) & {*part.none, *alternative.unless}):
                message = f"`{name}` must be seen and must not be seen; this can never hold"
                hint = "take it out of one of the two"
                yield Finding("condition-contradicts-itself", message, alternative.place, hint=hint, about=name)
