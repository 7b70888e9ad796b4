"""Every phrase of a correction has its slots, asks for one thing only, and every name stands for a memory key."""

import re
from collections.abc import Iterator

from chingoo.memory.forms import forms_of
from chingoo.policy.documents.corrections import SLOTS, Command, CorrectionsDocument
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean
from chingoo.text.normalise import matching

_SLOT = re.compile(r"\{([^{}]*)\}")
_ALSO: dict[Command, frozenset[str]] = {Command.REPLACE: frozenset({"name"}), Command.TALK: frozenset({"x"})}


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every phrase that cannot be understood, and every name of no key."""
    families = subject.bundle.memory.families.values()
    known = {f"{family.key}:{key}" for family in families for key in family.keys} | {one.key for one in families}
    asked: dict[str, Command] = {}
    for document in subject.bundle.corrections.values():
        yield from _phrases(document, asked)
        for key in document.names.keys() - known:
            offer = did_you_mean(key, known)
            hint = f"did you mean `{offer}`?" if offer else "write a key or the first part of one"
            message = f"`names` speaks of `{key}`, which no family of memories has"
            yield Finding("correction-name-unknown", message, document.place, hint=hint, about=key)


def _phrases(document: CorrectionsDocument, asked: dict[str, Command]) -> Iterator[Finding]:
    for command, lines in document.phrases.items():
        wanted = set(SLOTS.get(command, ()))
        for line, form in ((written, form) for written in lines for form in forms_of((written,))):
            slots = _SLOT.findall(form)
            if not wanted <= set(slots) <= wanted | _ALSO.get(command, frozenset()) or len(set(slots)) < len(slots):
                needed = ", ".join(f"{{{slot}}}" for slot in sorted(wanted)) or "no slot"
                message = f"`{form}` stands under `{command}`, whose phrases have {needed}"
                yield Finding("correction-slots", message, document.place, about=line)
            words = matching(_SLOT.sub("", form) if slots else form)
            if not words:
                message = f"`{form}` has no word to be known by"
                yield Finding("correction-slots", message, document.place, about=line)
            other = asked.setdefault(" ".join((words, *slots)), command)
            if other is not command:
                message = f"`{form}` stands under `{command}` and under `{other}`"
                yield Finding("correction-ambiguous", message, document.place, about=line)
