"""The words of a proactive message are what its rung allows: length, questions, placeholders, memories (RET-09…11)."""

import re
from collections.abc import Iterator

from chingoo.policy.documents.retention import Rung, RungID
from chingoo.proof.retention import RungText, rung_texts
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.text.sentences import split_sentences

_PLACEHOLDER = re.compile(r"\{[^{}]*\}|[{}]")
_MARKS = re.compile("[?？؟]")
_NEEDED = {RungID.FOLLOW_UP: "{question}"}
_KNOWN = {RungID.FOLLOW_UP: ("{question}",), RungID.NUDGE: ("{value}",), RungID.CHECK_IN: ()}


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every text that is not as its rung wants it, and for every rung that is missing or there twice."""
    retention = subject.bundle.retention
    rungs = {rung.id: rung for rung in retention.ladder}
    for rung_id in RungID:
        if rung_id not in rungs:
            message = f"the ladder has no step {rung_id}, for which there are texts"
            yield Finding("retention-ladder", message, retention.place, hint=f"add `id: {rung_id}`", about="ladder")
    for text in rung_texts(retention):
        yield from _placeholders(text)
        if text.rung in rungs:
            yield from _length(text, rungs[text.rung])


def _placeholders(text: RungText) -> Iterator[Finding]:
    found, known, needed = _PLACEHOLDER.findall(text.text), _KNOWN[text.rung], _NEEDED.get(text.rung)
    if needed is not None and needed not in found:
        message = f"a text of {text.rung} must contain {needed}"
        yield Finding("retention-placeholder", message, text.place, hint=f"add {needed}", about=text.text)
    for extra in dict.fromkeys(one for one in found if one not in known):
        message = f"a text of {text.rung} contains {extra}, which nothing fills"
        hint = f"only {' and '.join(known)} is filled here" if known else "write the words out"
        yield Finding("retention-placeholder", message, text.place, hint=hint, about=text.text)


def _length(text: RungText, rung: Rung) -> Iterator[Finding]:
    sentences = len(split_sentences(text.text, frozenset()))
    questions = len(_MARKS.findall(text.text)) + text.text.count("{question}")
    for number, most, what in (
        (sentences, rung.max_sentences, "sentences"),
        (questions, rung.max_questions, "questions"),
    ):
        if number > most:
            message = f"a text of {text.rung} has {number} {what}; at most {most} are allowed"
            yield Finding("retention-length", message, text.place, hint="make it shorter", about=text.text)
