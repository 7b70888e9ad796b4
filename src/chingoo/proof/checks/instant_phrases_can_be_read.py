"""Every phrase of patterns/instant/ can be read, has a slot of its family, and every date phrase says a day."""

from collections.abc import Iterator

from chingoo.engine.entries import EntryError, forms_of
from chingoo.engine.fact_tables import fixed_words
from chingoo.engine.phrases import PhraseError, Slot, read_phrase, readings
from chingoo.engine.slots import AMOUNT_SLOT, EVENT_SLOT, SIZE_SLOTS
from chingoo.engine.when import MEANINGS, NEEDS, SLOTS, Means
from chingoo.policy.documents.instant import DatePhrases, InstantDocument
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every phrase that cannot be read, and every slot that does not fit."""
    families = {
        **dict.fromkeys(SIZE_SLOTS, "body_params"),
        AMOUNT_SLOT: "budget",
        EVENT_SLOT: "life_event",
        **{name: slot.family for name, slot in subject.bundle.anchors.slots.items()},
    }
    for document in subject.bundle.instant.values():
        yield from _patterns(document, families)
        for means in MEANINGS:
            yield from _dates(document.dates, means)


def _patterns(document: InstantDocument, families: dict[str, str]) -> Iterator[Finding]:
    for pattern in document.patterns:
        for written in pattern.say:
            try:
                phrase = read_phrase(written)
                forms_of(fixed_words(phrase, pattern.place, 1), "", {})
            except (PhraseError, EntryError) as error:
                yield Finding("phrase-broken", error.detail, pattern.place, about=written)
                continue
            family = families.get(phrase.slot)
            if family is None:
                offer = did_you_mean(phrase.slot, families)
                hint = f"did you mean {{{offer}}}?" if offer else f"known are {', '.join(sorted(families))}"
                yield Finding(
                    "phrase-slot", f"there is no slot {{{phrase.slot}}}", pattern.place, hint=hint, about=written
                )
            elif family != pattern.family:
                message = f"{{{phrase.slot}}} fills {family}, but the pattern is of {pattern.family}"
                yield Finding("phrase-slot", message, pattern.place, about=written)


def _dates(dates: DatePhrases, means: Means) -> Iterator[Finding]:
    for written in getattr(dates, means):
        try:
            found = readings(written)
        except PhraseError as error:
            yield Finding("phrase-broken", error.detail, dates.place, about=written)
            continue
        for reading in found:
            slots = {part.name for part in reading if isinstance(part, Slot)}
            if not slots <= SLOTS or not slots >= NEEDS[means]:
                needs = " and ".join(f"{{{name}}}" for name in sorted(NEEDS[means])) or "no slot"
                message = f"a phrase under `{means}` has {needs}, and beside it only slots for days"
                yield Finding("phrase-slot", message, dates.place, about=written)
                break
