"""Where words of several lists are wanted within so many tokens, each of their phrases leaves room for the others.

A phrase may be too long for one of the places that want it, but not for all of them, or it is seen nowhere. Words count
as the lists write them, without accents. Where lists follow each other no word counts for two; elsewhere words of
another list may stand in the phrase or reach out of it. Not looked at are phrases beside which nothing is written in
their language, and lists that are also looked for alone. An entry with slots is told of when none of its forms has
room: some words of a list may well be too long for it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from chingoo.engine.entries import Form
from chingoo.engine.sights import go_together
from chingoo.policy.documents.base import Near
from chingoo.policy.documents.crisis import CrisisException
from chingoo.policy.documents.weighing import TalkWeighing, Weighing
from chingoo.proof.walk import Subject, Word
from chingoo.source.findings import Finding, OtherPlace
from chingoo.text.letters import unaccented


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every entry with a form that is too long for all the places that want its list."""
    wanted = _wanted(subject)
    lists = _Lists(subject.words, {name for nears in wanted.values() for near in nears for name in near.lists})
    for name, nears in wanted.items():
        for language, words in lists.words[name].items():
            if not any(lists.has_room_for_all(name, language, near) for near in nears):
                for word in words:
                    tight = _tightness(word, nears, lists)
                    if tight is not None:
                        yield _finding(word, *tight)


def _wanted(subject: Subject) -> Mapping[str, Sequence[Near]]:
    """The bounded places that want each list, of the lists that nothing else asks for.

    What excuses words of a list, or weighs it, does not ask for them.
    """
    excusing = {id(part.near): part.covers for part in subject.parts if isinstance(part, CrisisException)}
    wanted: dict[str, list[Near]] = defaultdict(list)
    otherwise: set[str] = set()
    for use in subject.uses:
        by = use.by
        if isinstance(by, CrisisException | Weighing | TalkWeighing) or (
            isinstance(by, Near) and use.id in excusing.get(id(by), ())
        ):
            continue
        if isinstance(by, Near) and by.within and len(by.lists) > 1 and use.id in by.lists:
            wanted[use.id].append(by)
        else:
            otherwise.add(use.id)
    return {name: nears for name, nears in wanted.items() if name not in otherwise}


def _others(name: str, near: Near) -> list[str]:
    """The lists that are wanted beside a list; itself, where it is wanted twice."""
    others = list(near.lists)
    others.remove(name)
    return others


class _Lists:
    """The words of lists by their names and languages, and how many tokens their forms take."""

    def __init__(self, words: Iterable[Word], names: set[str]) -> None:
        self.words: dict[str, dict[str, list[Word]]] = {name: defaultdict(list) for name in names}
        for word in words:
            if word.list.id in names and word.forms:
                self.words[word.list.id][word.language].append(word)
        self._lengths = {
            (name, language): [form.text.count(" ") + 1 for word in spoken for form in word.forms]
            for name, by_language in self.words.items()
            for language, spoken in by_language.items()
        }
        self._shortest: dict[tuple[str, str], int | None] = {}

    def has_room_for_all(self, name: str, language: str, near: Near) -> bool:
        """Whether a place has room for the longest form of a list in a language and the shortest of each other list."""
        lengths = [self.shortest(other, language) for other in _others(name, near)]
        needed = max(self._lengths[name, language]) + sum(length or 0 for length in lengths)
        return None not in lengths and needed <= (near.within or 0)

    def shortest(self, name: str, language: str) -> int | None:
        """How many tokens the shortest form of a list takes that goes with a language; None without such."""
        key = name, language
        if key not in self._shortest:
            spoken = [other for other in self.words[name] if go_together(other, language)]
            self._shortest[key] = min((min(self._lengths[name, other]) for other in spoken), default=None)
        return self._shortest[key]

    def beside(self, name: str, language: str) -> list[Form]:
        """The forms of a list that go with a language."""
        spoken = [words for other, words in self.words[name].items() if go_together(other, language)]
        return [form for words in spoken for word in words for form in word.forms]


_Tight = tuple[Form, Near, int]
"""A form without room, the place where it lacks least, and how many tokens would do there."""


def _tightness(word: Word, nears: Sequence[Near], lists: _Lists) -> _Tight | None:
    """What the first form of an entry that has no room lacks; None where all have, or with slots any."""
    tight: _Tight | None = None
    for form in word.forms:
        lack = _lack(word, form, nears, lists)
        if lack is None and "{" in word.entry.text:
            return None
        tight = tight or lack
    return tight


def _lack(word: Word, form: Form, nears: Sequence[Near], lists: _Lists) -> _Tight | None:
    """What a form lacks in the place where it lacks least; None where some place has room for it."""
    least: _Tight | None = None
    for near in nears:
        needed = _needed(word, form, near, lists)
        if needed is None:
            continue
        space = near.within or 0
        if needed <= space:
            return None
        if least is None or needed - space < least[2] - (least[1].within or 0):
            least = form, near, needed
    return least


def _needed(word: Word, form: Form, near: Near, lists: _Lists) -> int | None:
    """How many tokens a form and the shortest of each other list take; None where one of these has none to go with."""
    others = _others(word.list.id, near)
    lengths: list[int] = []
    for other in others:
        length = lists.shortest(other, word.language)
        if length is None:
            return None
        lengths.append(length)
    space, own = near.within or 0, _tokens(form)
    needed = len(own) + sum(lengths)
    if near.ordered or needed <= space:
        return needed
    beside = [[_tokens(one) for one in lists.beside(other, word.language)] for other in others]
    beyond = [min(_beyond(own, one) for one in forms) for forms in beside]
    words = [{token.text for one in forms for token in one} for forms in beside]
    shared = any(not first.isdisjoint(second) for first, second in combinations(words, 2))
    return len(own) + (max(beyond) if shared else sum(beyond))


class _Token(NamedTuple):
    """A word of a form; `glued` and `open` as in forms."""

    text: str
    glued: bool
    open: bool

    def may_be(self, other: "_Token") -> bool:
        """Whether one word of a message may stand for both."""
        if self.text == other.text:
            return True
        short, long = sorted((self, other), key=lambda token: len(token.text))
        return (short.open and long.text.startswith(short.text)) or (short.glued and short.text in long.text)


def _tokens(form: Form) -> list[_Token]:
    words = unaccented(form.text).split(" ")
    last = len(words) - 1
    return [_Token(word, form.glued and not at, form.open and at == last) for at, word in enumerate(words)]


def _beyond(own: Sequence[_Token], its: Sequence[_Token]) -> int:
    """How many tokens of a second form stand outside of a first one at least, where they share the words they can."""
    least = len(its)
    for start in range(1 - len(its), len(own)):
        both = [(own[start + at], token) for at, token in enumerate(its) if 0 <= start + at < len(own)]
        if len(its) - len(both) < least and all(one.may_be(other) for one, other in both):
            least = len(its) - len(both)
    return least


def _finding(word: Word, form: Form, near: Near, needed: int) -> Finding:
    entry = word.entry
    others = " and ".join(f"`{name}`" for name in near.lists if name != word.list.id)
    message = (
        f"`{form.text}` is never seen: with {others} beside it, it takes {needed} words, "
        f"and they are wanted within {near.within}"
    )
    hint = f"say `within: {needed}` there, make it shorter, or move it to a list that is looked for alone"
    wants = (OtherPlace(near.place, "this wants it beside others"),)
    return Finding("keyword-without-room", message, entry.place, 1, hint, wants, about=entry.text)
