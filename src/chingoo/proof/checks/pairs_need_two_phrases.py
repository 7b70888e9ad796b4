"""Where words of several lists are wanted near each other, no phrase of one of the lists is enough by itself.

Words count as the lists write them, without accents, whole or up to an open ending; what a message may put around them
is left out. Not looked at are lists that must follow each other (there no word counts for two), lists that may be seen
anywhere (they say two things of a message rather than want two words), what is written to stand inside a word (`-더니-`
is meant to share it), and conditions that say `overlap`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

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


class _Phrase:
    """A form of an entry, the words that it is made of, and what to look for where it may stand in another."""

    __slots__ = ("padded", "sought", "text", "tokens", "word")

    def __init__(self, word: Word, form: Form) -> None:
        self.word = word
        self.text = form.text
        bare = unaccented(form.text)
        self.tokens = bare.split(" ")
        self.padded = f" {bare} "
        self.sought = f" {bare}" if form.open else self.padded

    def holds(self, other: "_Phrase") -> bool:
        """Whether another one stands in it, and may go with its language."""
        return other.sought in self.padded and go_together(other.word.language, self.word.language)


class _Phrases:
    """The forms of a list; whole ones by their first words, open ones by how they begin."""

    def __init__(self) -> None:
        self.all: list[_Phrase] = []
        self._whole: dict[str, list[_Phrase]] = defaultdict(list)
        self._open: dict[str, list[_Phrase]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self.all)

    def add(self, word: Word) -> None:
        """Take the forms of an entry."""
        for form in word.forms:
            phrase = _Phrase(word, form)
            self.all.append(phrase)
            if form.open and not form.glued:
                self._open[phrase.tokens[0][:_START]].append(phrase)
            elif not form.glued:
                self._whole[phrase.tokens[0]].append(phrase)

    def within(self, phrase: _Phrase) -> _Phrase | None:
        """One of them that stands in a phrase."""
        whole, open_ = self._whole, self._open
        if not open_ and whole.keys().isdisjoint(phrase.tokens):
            return None
        for token in phrase.tokens:
            for other in whole.get(token, ()):
                if phrase.holds(other):
                    return other
            for length in _LENGTHS if open_ else ():
                for other in open_.get(token[:length], ()):
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
        phrases = self[name] = _Phrases()
        for word in self._words[name]:
            phrases.add(word)
        return phrases


def _alone(near: Near, own: _Phrases, others: Sequence[_Phrases], lists: _Lists) -> Iterator[Finding]:
    """A finding for every entry of a list with which the others are seen too; the first such form is told."""
    told: Word | None = None
    for phrase in own.all:
        if phrase.word is told or len(phrase.tokens) > (near.within or 0):
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
    also = " and ".join(f"`{one.text}` of `{one.word.list.id}`" for one in held)
    message = f"`{phrase.text}` alone is enough where something else was to stand beside it, for it holds {also}"
    others = [OtherPlace(one.word.entry.place, f"`{one.text}` is written here") for one in held]
    others.append(OtherPlace(near.place, "this wants them beside each other"))
    hint = "make one of the two longer or leave it out; if this is meant, say `overlap: true` where both are wanted"
    return Finding("keyword-alone", message, entry.place, 1, hint, tuple(others), about=entry.text)
