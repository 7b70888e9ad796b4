"""A word stands for one thing of its kind, in whichever language: otherwise the same word would be two memories."""

from collections.abc import Iterator

from chingoo.engine.entries import EntryError, forms_of
from chingoo.policy.documents.base import Entry
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every word with two meanings of one kind, and every one that cannot be seen."""
    for kind, things in subject.bundle.synonyms.values.items():
        first: dict[str, tuple[str, Entry]] = {}
        for name, words in things.items():
            for language, entries in words.items():
                for entry in entries:
                    yield from _entry(kind, name, language, entry, first)


def _entry(kind: str, name: str, language: str, entry: Entry, first: dict[str, tuple[str, Entry]]) -> Iterator[Finding]:
    try:
        forms = forms_of(entry, language, {})
    except EntryError as error:
        message = f"`{entry.text}` can never be seen: {error.detail.partition(': ')[2]}"
        yield Finding("synonym-broken", message, entry.place, about=entry.text)
        return
    for form in forms:
        known, before = first.setdefault(form.text, (name, entry))
        if known != name:
            message = f"`{form.text}` is `{name}`, but also `{known}` ({kind})"
            others = (OtherPlace(before.place, f"written for `{known}` here"),)
            hint = "delete it where it is meant less often"
            yield Finding("synonym-twice", message, entry.place, hint=hint, others=others, about=entry.text)
            return
