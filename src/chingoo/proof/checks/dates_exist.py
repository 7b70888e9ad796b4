"""Every day that is written is one of the calendar, and things are reviewed after they came into force."""

from collections.abc import Iterator
from datetime import date

from chingoo.policy.documents.base import Place, WordList
from chingoo.policy.documents.crisis import CrisisLine
from chingoo.policy.documents.instant import InstantPattern
from chingoo.policy.documents.routing import RoutingRule
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every day that does not exist."""
    for part in subject.parts:
        if isinstance(part, CrisisLine):
            yield from _day(part.last_checked, part.place)
        elif isinstance(part, WordList | RoutingRule | InstantPattern):
            yield from _day(part.since, part.place)
            yield from _day(part.review_by, part.place)
            if part.since and part.review_by and part.review_by <= part.since:
                message = "it is to be reviewed before it came into force"
                yield Finding("date-order", message, part.place, about=part.review_by)


def _day(written: str | None, place: Place) -> Iterator[Finding]:
    if written is None:
        return
    try:
        date.fromisoformat(written)
    except ValueError:
        yield Finding("date-unknown", f"there is no day {written}", place, about=written)
