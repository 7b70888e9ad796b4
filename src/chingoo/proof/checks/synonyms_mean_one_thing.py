"""A word stands for one thing of its kind, in whichever language: otherwise it would be two memories."""

from collections.abc import Iterator

from chingoo.engine.entries import EntryError, forms_of
from chingoo.policy.documents.base import Entry
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every word with two meanings of one kind, and every one that cannot be seen."""
    for kind, things in subject.bundle.synonyms.values.items():
        first: dict[str, tuple[str, Entry]] = {}
        for name, words in things.items():
            for language, entries in words.items():
                for entry in entries:
                    yield from _entry(kind, name, language, entry, first)
    yield from _same(subject)


def _same(subject: Subject) -> Iterator[Finding]:
    """What is called the same thing must be the name of one, and of one only."""
    items = subject.bundle.items.values()
    for category, things in subject.bundle.synonyms.same.items():
        entries = [entry for document in items for entry in document.liked.get(category, ())]
        known = {entry.text.partition("|")[0].strip().casefold() for entry in entries}
        first: dict[str, Entry] = {}
        for entry in things:
            for name in map(str.strip, entry.text.split("|")):
                if name.casefold() not in known:
                    closest = did_you_mean(name.casefold(), known)
                    hint = f"did you mean `{closest}`?" if closest else "write it as the first form of an entry there"
                    message = f"no {category} of items/ is remembered as `{name}`"
                    yield Finding("synonym-unknown", message, entry.place, hint=hint, about=entry.text)
                elif first.setdefault(name.casefold(), entry) is not entry:
                    others = (OtherPlace(first[name.casefold()].place, "written first here"),)
                    message = f"`{name}` is the same as two things ({category})"
                    yield Finding("synonym-twice", message, entry.place, others=others, about=entry.text)


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
