"""Proactive messages have a time of day, outside the quiet hours, and closer friends never wait longer (RET-02, 03)."""

from collections.abc import Iterator
from itertools import pairwise

from chingoo.model.enums import RelationshipStage
from chingoo.policy.documents.retention import LocalSpan
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every span that ends before it begins, a window in quiet hours, and stages the wrong way round."""
    retention = subject.bundle.retention
    quiet, window = retention.quiet_hours, retention.window
    for span in (quiet, window):
        if span.from_ >= span.until:
            message = f"it ends ({span.until}) before it begins ({span.from_})"
            yield Finding("retention-hours", message, span.place, hint="write the earlier time first", about=span.until)
    if _overlap(quiet, window):
        message = f"the window {window.from_} to {window.until} lies in the quiet hours in part"
        others = (OtherPlace(quiet.place, "the quiet hours"),)
        hint = f"let it begin at {quiet.until} or later"
        yield Finding("retention-hours", message, window.place, 1, hint, others, about=window.from_)
    stages = [retention.stages[stage] for stage in RelationshipStage if stage in retention.stages]
    for before, after in pairwise(stages):
        if after.min_inactivity_hours > before.min_inactivity_hours:
            message = "closer friends would have to wait longer than less close ones"
            others = (OtherPlace(before.place, "the stage before it"),)
            hint = f"write {before.min_inactivity_hours} or less"
            about = "min_inactivity_hours"
            yield Finding("retention-hours", message, after.place, 1, hint, others, about=about)
    if retention.backoff.most < retention.backoff.factor:
        message = f"the wait is multiplied by {retention.backoff.factor}, which is more than `most`"
        yield Finding("retention-hours", message, retention.backoff.place, about="most")


def _overlap(quiet: LocalSpan, window: LocalSpan) -> bool:
    return window.from_ < quiet.until and quiet.from_ < window.until
