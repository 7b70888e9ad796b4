"""A country's rule on saying that the friend is an AI is never looser than the rule for everywhere."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every country that waits longer than everywhere, and a minor who waits longer than an adult."""
    disclosure = subject.bundle.disclosure
    everywhere = disclosure.everywhere
    for where, one in (("everywhere", everywhere), *disclosure.countries.items()):
        for name in ("adult_minutes", "minor_minutes"):
            if getattr(one, name) > getattr(everywhere, name):
                message = f"{where} waits {getattr(one, name)} minutes, longer than everywhere else"
                others = (OtherPlace(everywhere.place, f"{getattr(everywhere, name)} minutes everywhere"),)
                hint = f"write {getattr(everywhere, name)} or less"
                yield Finding("disclosure-looser", message, one.place, 1, hint, others, about=name)
        if one.minor_minutes > one.adult_minutes:
            message = f"minors would wait longer than adults ({where})"
            hint = f"write {one.adult_minutes} or less"
            yield Finding("disclosure-looser", message, one.place, hint=hint, about="minor_minutes")
