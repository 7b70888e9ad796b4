"""What time does to policies: crisis lines to be checked again, and lists and rules whose review is due."""

from collections.abc import Iterator
from datetime import date, timedelta

from chingoo.policy.documents.crisis import CrisisLine
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, Severity, sorted_findings

_WARNING = Severity.WARNING


def ageing_findings(subject: Subject, today: date) -> tuple[Finding, ...]:
    """A warning for everything that is due on that day; days that do not exist are another law's findings."""
    return sorted_findings(_due(subject, today))


def _due(subject: Subject, today: date) -> Iterator[Finding]:
    most = timedelta(days=subject.bundle.crisis.lines_review_days)
    for part in subject.parts:
        if isinstance(part, CrisisLine):
            checked = _day(part.last_checked)
            if checked is not None and checked > today:
                message = f"`{part.name}` was last checked on {part.last_checked}, a day that is yet to come"
                hint = "write the day it was checked"
                yield Finding("crisis-line-old", message, part.place, 1, hint, (), _WARNING, part.last_checked)
            elif checked is not None and today - checked > most:
                age = (today - checked).days
                message = f"`{part.name}` was last checked {age} days ago; every {most.days} days is wanted"
                hint = "call or look it up, mend what changed, and write today's date"
                yield Finding("crisis-line-old", message, part.place, 1, hint, (), _WARNING, part.last_checked)
        else:
            due = _day(getattr(part, "review_by", None))
            if due is not None and due < today:
                who = getattr(part, "owner", None) or "its owner"
                message = f"it was to be looked at again by {due.isoformat()}, by {who}"
                hint = "look at it again, then write a new day"
                yield Finding("review-due", message, part.place, 1, hint, (), _WARNING, due.isoformat())


def _day(written: object) -> date | None:
    try:
        return date.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        return None
