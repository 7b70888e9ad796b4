"""The stages of the relationship stand in their order, each from a higher score on than the one before (REL-11)."""

from collections.abc import Iterator
from itertools import pairwise

from chingoo.model.enums import RelationshipStage
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for stages out of order or missing, a number that does not rise, and one beyond the highest score."""
    relationship = subject.bundle.relationship
    stages, score = relationship.stages, relationship.score
    wanted = [stage.value for stage in RelationshipStage]
    if [one.stage.value for one in stages] != wanted:
        message = "the stages must be there once each, in this order: " + ", ".join(wanted)
        yield Finding("stages-order", message, relationship.place, about="stages")
    for before, after in pairwise(stages):
        if after.from_score <= before.from_score:
            message = f"{after.stage} begins at {after.from_score}, not above {before.stage} at {before.from_score}"
            others = (OtherPlace(before.place, "the stage before it"),)
            about = str(after.from_score)
            hint = "each stage begins at a higher score"
            yield Finding("stages-order", message, after.place, 1, hint, others, about=about)
    for one in stages:
        if not score.min <= one.from_score <= score.max:
            message = f"{one.stage} begins at {one.from_score}, but the score lies between {score.min} and {score.max}"
            others = (OtherPlace(score.place, "the score"),)
            yield Finding("stages-order", message, one.place, others=others, about=str(one.from_score))
