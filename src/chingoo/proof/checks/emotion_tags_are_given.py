"""Every emotion tag that counts as strong, has a model look or plans a reply is one that messages can be given."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every tag that no list gives."""
    valence, limits = subject.bundle.signals.valence, subject.bundle.relationship.limits
    given = {*valence.tags, *valence.strong_tags.values()}
    gate = subject.bundle.extraction.gate
    named = [(tag, limits.place) for tag in limits.strong_emotion_tags] + [(tag, gate.place) for tag in gate.feelings]
    named += [(tag, row.place) for row in subject.bundle.planning.plan for tag in row.feelings or ()]
    for tag, place in named:
        if tag not in given:
            offer = did_you_mean(tag, given)
            hint = f"did you mean `{offer}`?" if offer else f"known here: {', '.join(sorted(given))}"
            yield Finding("emotion-tag-unknown", f"no message is ever tagged `{tag}`", place, hint=hint, about=tag)
