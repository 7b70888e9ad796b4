"""Where words of several lists are wanted near each other, no phrase of one of the lists is enough by itself.

Words count as the lists write them, without accents, whole or up to an open ending; what a message may put around them
is left out. Not looked at are lists that must follow each other (there no word counts for two), lists that may be seen
anywhere (they say two things of a message rather than want two words), what is written to stand inside a word (`-더니-`
is meant to share it), and conditions that say `overlap`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from chingoo.engine.entries import Form
from chingoo.engine.sights import go_together
from chingoo.policy.documents.base import Near
from chingoo.proof.walk import Subject, Word
from chingoo.source.findings import Finding, OtherPlace
from chingoo.text.letters import unaccented

_START = 2
"""By how many letters open endings are told apart before they are compared."""
_LENGTHS = range(1, _START + 1)


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every entry with a form in which words of all the other lists stand too."""
    nears = [part for part in subject.parts if isinstance(part, Near) and part.within]
    nears = [near for near in nears if not (near.ordered or near.overlap)]
    lists = _Lists(subject.words)
    for near in nears:
        for name in near.lists:
            others = sorted((lists[other] for other in near.lists if other != name), key=len)
            yield from _alone(near, lists[name], others, lists)


class _Phrase(NamedTuple):
    """A form of an entry, and how it is written without accents."""

    word: Word
    form: Form
    bare: str

    def holds(self, other: "_Phrase") -> bool:
        """Whether another one stands in it, and may go with its language."""
        sought = f" {other.bare}" if other.form.open else f" {other.bare} "
        return sought in f" {self.bare} " and go_together(other.word.language, self.word.language)


class _Phrases:
    """The forms of a list; whole ones by their first words, open ones by how they begin."""

    def __init__(self, words: Iterable[Word]) -> None:
        self.all = [_Phrase(word, form, unaccented(form.text)) for word in words for form in word.forms]
        self._whole: dict[str, list[_Phrase]] = defaultdict(list)
        self._open: dict[str, list[_Phrase]] = defaultdict(list)
        for phrase in self.all:
            _, form, bare = phrase
            if form.open and not form.glued:
                self._open[bare.partition(" ")[0][:_START]].append(phrase)
            elif not form.glued:
                self._whole[bare.partition(" ")[0]].append(phrase)

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def tokens(self) -> frozenset[str]:
        """All words that they are made of: many times fewer than are written."""
        return frozenset(" ".join([phrase.bare for phrase in self.all]).split(" "))

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset([phrase.bare.partition(" ")[0] for phrases in self._open.values() for phrase in phrases])

    def may_begin_in(self, other: "_Phrases") -> set[str]:
        """The words of another list with which one of them may begin."""
        found = self._whole.keys() & other.tokens
        for start in _LENGTHS if self._open else ():
            alike = [token for token in other.tokens if token[:start] in self._open]
            for length in set(map(len, self._stems)) if alike else ():
                found.update([token for token in alike if token[:length] in self._stems])
        return found

    def within(self, phrase: _Phrase) -> _Phrase | None:
        """One of them that stands in a phrase."""
        for token in phrase.bare.split(" "):
            for other in self._whole.get(token, ()):
                if phrase.holds(other):
                    return other
            for length in _LENGTHS if self._open else ():
                for other in self._open.get(token[:length], ()):
                    if phrase.holds(other):
                        return other
        return None


class _Lists(dict[str, _Phrases]):
    """The phrases of lists by their names; those that only bar are hardly ever asked for."""

    def __init__(self, words: Iterable[Word]) -> None:
        super().__init__()
        self._words: dict[str, list[Word]] = defaultdict(list)
        for word in words:
            self._words[word.list.id].append(word)

    def __missing__(self, name: str) -> _Phrases:
        phrases = self[name] = _Phrases(self._words[name])
        return phrases


def _alone(near: Near, own: _Phrases, others: Sequence[_Phrases], lists: _Lists) -> Iterator[Finding]:
    """A finding for every entry of a list with which the others are seen too; the first such form is told."""
    begun = min((other.may_begin_in(own) for other in others), key=len, default=None)
    if not begun:
        return
    told: Word | None = None
    for phrase in own.all:
        tokens = phrase.bare.split(" ")
        if begun.isdisjoint(tokens) or phrase.word is told or len(tokens) > (near.within or 0):
            continue
        held = _held(phrase, others)
        if held and not any(lists[other].within(phrase) for other in near.unless):
            told = phrase.word
            yield _finding(near, phrase, held)


def _held(phrase: _Phrase, others: Sequence[_Phrases]) -> list[_Phrase]:
    """A phrase of each other list that stands in this one; none where one of them has no such."""
    held: list[_Phrase] = []
    for other in others:
        found = other.within(phrase)
        if found is None:
            return []
        held.append(found)
    return held


def _finding(near: Near, phrase: _Phrase, held: Sequence[_Phrase]) -> Finding:
    entry = phrase.word.entry
    also = " and ".join(f"`{one.form.text}` of `{one.word.list.id}`" for one in held)
    message = f"`{phrase.form.text}` alone is enough where something else was to stand beside it, for it holds {also}"
    others = [OtherPlace(one.word.entry.place, f"`{one.form.text}` is written here") for one in held]
    others.append(OtherPlace(near.place, "this wants them beside each other"))
    hint = "make one of the two longer or leave it out; if this is meant, say `overlap: true` where both are wanted"
    return Finding("keyword-alone", message, entry.place, 1, hint, tuple(others), about=entry.text)
