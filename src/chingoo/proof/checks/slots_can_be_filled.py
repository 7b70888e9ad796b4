"""What slots, events and languages of patterns name is there: kinds and events of synonyms.yaml, months, families."""

from collections.abc import Iterable, Iterator, Mapping

from chingoo.engine.days_ahead import MONTHS, WEEKDAYS
from chingoo.engine.fact_tables import EVENT_KIND, READ_KINDS
from chingoo.engine.facts import INSTANT
from chingoo.policy.documents.base import Place
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean

_NUMBERED = ("number", "multiplier")
_CALENDAR: Mapping[str, tuple[str, ...]] = {"month": MONTHS, "weekday": WEEKDAYS}


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every name of nothing, and for everything that the program reads and that is missing."""
    bundle = subject.bundle
    anchors, synonyms, values = bundle.anchors, bundle.synonyms, bundle.synonyms.values
    for slot in anchors.slots.values():
        yield from _unknown("kind", slot.kinds, values, slot.place)
    yield from _unknown("event", anchors.events, values.get(EVENT_KIND, {}), anchors.place)
    for kind in READ_KINDS:
        if kind not in values:
            yield Finding("slot-gap", f"the kind `{kind}` is missing; the program reads it", synonyms.place)
    for kind, wanted in _CALENDAR.items():
        for name in wanted:
            if name not in values.get(kind, {}):
                yield Finding("slot-gap", f"`{name}` is missing among the words of kind `{kind}`", synonyms.place)
    for kind in _NUMBERED:
        for name in values.get(kind, {}):
            if not name.isdecimal():
                message = f"`{name}` is no number, as the names of kind `{kind}` are"
                yield Finding("slot-gap", message, synonyms.place, about=name)
    for document in bundle.instant.values():
        yield from _unknown("language", document.reads_also, bundle.instant, document.place)
        for pattern in document.patterns:
            family = bundle.memory.families.get(pattern.family)
            if family is None or INSTANT not in family.initial_confidence:
                message = f"policies/memory.yaml does not say how sure `{pattern.family}` is by `{INSTANT}`"
                yield Finding("slot-gap", message, pattern.place, about=pattern.family)


def _unknown(what: str, named: Iterable[str], known: Iterable[str], place: Place) -> Iterator[Finding]:
    there = list(known)
    for name in named:
        if name not in there:
            offer = did_you_mean(name, there)
            hint = f"did you mean `{offer}`?" if offer else f"known are {', '.join(sorted(there))}"
            yield Finding("slot-unknown", f"there is no {what} `{name}`", place, hint=hint, about=name)
