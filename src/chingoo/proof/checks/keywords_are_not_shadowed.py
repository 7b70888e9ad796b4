"""Every word of a list can add something to it: none is seen only where another one, with an open ending, is seen.

Where it matters how far a word reaches – beside others, as an exception, in braces – a longer one does add something.
"""

from collections import defaultdict
from collections.abc import Iterator

from chingoo.engine.entries import ANY_LANGUAGE, Form
from chingoo.policy.documents.base import Near, Sight
from chingoo.policy.documents.crisis import CrisisContext
from chingoo.policy.documents.gates import LexiconLimits
from chingoo.policy.documents.safety import CountRule
from chingoo.policy.documents.topics import TopicRule
from chingoo.policy.documents.weighing import TalkWeighing, Weighing
from chingoo.proof.walk import Subject, Word
from chingoo.source.findings import Finding, OtherPlace

_Stem = tuple[Form, Word]
_OPEN = "-"
"""No entry has an open form without it."""
_START = 2
"""By how many letters stems are told apart before they are compared."""

_ONLY_SEEN = (Near, Sight, TopicRule, CountRule, CrisisContext, LexiconLimits, Weighing, TalkWeighing)


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every entry all of whose forms are covered by the open forms of another entry of its list."""
    reaching = set(_reaching(subject))
    stems: dict[tuple[str, str], list[_Stem]] = defaultdict(list)
    for word in subject.words:
        if _OPEN in word.entry.text and word.entry.requires is None and word.list.id not in reaching:
            stems[word.list.id, word.language] += [(form, word) for form in word.forms if form.open]
    with_stems = {list_id for list_id, _ in stems}
    rivals: dict[tuple[str, str], _Rivals] = {}
    for word in subject.words:
        if word.list.id not in with_stems:
            continue
        known = word.list.id, word.language
        if known not in rivals:
            rivals[known] = _Rivals([*stems.get(known, ()), *stems.get((word.list.id, ANY_LANGUAGE), ())])
        rival = rivals[known].covering(word) if word.forms else None
        if rival is not None:
            message = f"`{word.entry.text}` adds nothing: wherever it is seen, `{rival.entry.text}` is seen already"
            others = (OtherPlace(rival.entry.place, "the word that goes on with any ending"),)
            yield Finding(
                "keyword-shadowed", message, word.entry.place, others=others, about=word.entry.text, hint=_HINT
            )


_HINT = "delete it, or take the `-` off the other and write its endings out"


def _reaching(subject: Subject) -> Iterator[str]:
    """The lists of which more matters than whether, or how many of, their words are seen."""
    for use in subject.uses:
        if not isinstance(use.by, _ONLY_SEEN) or (isinstance(use.by, Near) and len(use.by.lists) > 1):
            yield use.id


class _Rivals:
    """The open forms of a list that words of one language may contain, by how they begin."""

    def __init__(self, stems: list[_Stem]) -> None:
        self._stems = stems
        self._glued = [one for one in stems if one[0].glued]
        self._by_start: dict[str, list[_Stem]] = defaultdict(list)
        for one in stems:
            if not one[0].glued:
                self._by_start[one[0].text.partition(" ")[0][:_START]].append(one)

    def covering(self, word: Word) -> Word | None:
        """An entry without which this one is never seen."""
        if not self._stems:
            return None
        for stem, rival in self._near(word.forms[0]):
            if rival is word or not _covers(stem, word.forms[0]):
                continue
            own = [one for one, other in self._stems if other is rival]
            if all(any(_covers(one, form) for one in own) for form in word.forms):
                return rival
        return None

    def _near(self, form: Form) -> Iterator[_Stem]:
        """The stems that a form may contain, as far as how they begin says."""
        yield from self._glued
        for piece in form.text.split(" "):
            for length in range(1, min(_START, len(piece)) + 1):
                yield from self._by_start.get(piece[:length], ())


def _covers(stem: Form, form: Form) -> bool:
    """Whether a form contains a stem where that may begin: at the start of a word, or anywhere if it is glued."""
    if form == stem or (form.glued and not stem.glued):
        return False
    return stem.text in form.text if stem.glued else f" {stem.text}" in f" {form.text}"
