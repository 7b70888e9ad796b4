"""An item of a word list is one word or phrase; commas in it do not part words, for they are not looked for."""

import re
from collections.abc import Iterator

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding

_BETWEEN = re.compile("[,;،、，]")


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every entry that looks like several."""
    for word in subject.words:
        parts = _BETWEEN.split(word.entry.text)
        if len(parts) > 1 and word.forms and all(part.strip() for part in parts):
            message = f"`{word.entry.text}` is looked for as one phrase, `{word.forms[0].text}`"
            hint = "give each word a line of its own, or write | between forms of one word"
            yield Finding("keyword-holds-comma", message, word.entry.place, hint=hint, about=word.entry.text)
