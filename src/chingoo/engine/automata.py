"""Gathers the keys of word lists, and makes automata of them that find all keys in one pass over a text."""

from collections.abc import Collection, Iterable, KeysView
from typing import NamedTuple

from chingoo.engine.automaton import Automaton
from chingoo.engine.keys import WHOLE_WORD, Key, Rule
from chingoo.engine.scan import Target

_PAD = ("", " ")
_ELIDED = "'"


class Held(NamedTuple):
    """What a key stands for under a rule that must hold around it, and of which lists that is."""

    rule: Rule
    lists: tuple[str, ...]
    targets: tuple[Target, ...]


Meaning = tuple[tuple[str, ...], tuple[Target, ...], tuple[Held, ...]]
"""What a key stands for; `Automaton.gather` reads it.

The lists and targets are those it stands for as a whole word, where nothing is left to look at; the held are the rest.
Keys that stand for the same share it: a scan should touch few of the hundreds of thousands of things that are built,
for most of them are in no cache.
"""


class Words(NamedTuple):
    """The single words that keys are made of: those that stand whole, and an automaton of those with an open end."""

    whole: frozenset[str]
    open: Automaton[bool] | None

    def any_in(self, text: str) -> bool:
        """Whether a text holds any of them."""
        if not self.whole.isdisjoint(text.split(" ")):
            return True
        return self.open is not None and self.open.is_in(f" {text} ")


def words_of(keys: Collection[str]) -> Words:
    """The single words of padded keys; only the ends of a key may be open."""
    words: dict[str, bool] = {}
    padded = [key for key in keys if key[0] == " " == key[-1]]
    whole = set("".join(padded).split())
    for key in keys:
        if key[0] == " " == key[-1]:
            continue
        pieces = key.split()
        if key[0] != " ":
            words[pieces[0] + (" " if len(pieces) > 1 or key[-1] == " " else "")] = True
            del pieces[0]
        if pieces and key[-1] != " ":
            words[f" {pieces.pop()}"] = True
        whole.update(pieces)
    return Words(frozenset(whole), Automaton(words) if words else None)


class Collected:
    """Keys of one automaton while they are gathered. `ruled`: whole words too are held by their rule."""

    def __init__(self, *, ruled: bool = False) -> None:
        self._ruled = ruled
        self._meanings: dict[str, Meaning] = {}
        self._lists: dict[tuple[str, ...], tuple[str, ...]] = {}

    def take(self, keys: Iterable[Key], *, padded: bool = True) -> None:
        """Take keys, with their word boundaries or without; the same again changes nothing.

        Most keys stand for one target under one of few rules, so that these share what they hold.
        """
        meanings, whole_word = self._meanings, None if self._ruled else WHOLE_WORD
        last: Target | None = None
        under: dict[Rule, Meaning] = {}
        lists: tuple[str, ...] = ()
        targets: tuple[Target, ...] = ()
        whole: Meaning = ((), (), ())
        for text, rule, target in keys:
            if target is not last:
                last, under = target, {}
                lists, targets = self._same((target.list_id,)), (target,)
                whole = (lists, targets, ())
            if rule is whole_word:
                key, meaning = f" {text} ", whole
            else:
                key = f"{_ELIDED if rule.elided else _PAD[rule.left]}{text}{_PAD[rule.right]}" if padded else text
                known = under.get(rule)
                if known is None:
                    known = under[rule] = ((), (), (Held(rule, lists, targets),))
                meaning = known
            before = meanings.setdefault(key, meaning)
            if before is not meaning:
                meanings[key] = self._joined(before, meaning)

    @property
    def texts(self) -> KeysView[str]:
        """The keys as they are looked for."""
        return self._meanings.keys()

    def automaton(self) -> Automaton[Meaning] | None:
        """The automaton, or None when there is nothing to look for."""
        return Automaton(self._meanings) if self._meanings else None

    def _joined(self, one: Meaning, other: Meaning) -> Meaning:
        """What a key stands for that stands for two things, the other one of them a single target's."""
        lists, whole, held = one
        if other[1]:
            both = _both(whole, other[1])
            return one if both is whole else (self._also(lists, other[0]), both, held)
        (more,) = other[2]
        for place, known in enumerate(held):
            if known.rule == more.rule:
                both = _both(known.targets, more.targets)
                if both is known.targets:
                    return one
                joined = Held(more.rule, self._also(known.lists, more.lists), both)
                return lists, whole, (*held[:place], joined, *held[place + 1 :])
        return lists, whole, (*held, more)

    def _also(self, lists: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
        """Lists with one more, or the same if it is among them."""
        return lists if more[0] in lists else self._same(lists + more)

    def _same(self, lists: tuple[str, ...]) -> tuple[str, ...]:
        """One and the same tuple for all keys of the same lists, so that a scan finds it in a cache."""
        return self._lists.setdefault(lists, lists)


def _both(some: tuple[Target, ...], more: tuple[Target, ...]) -> tuple[Target, ...]:
    """Targets with one more, or the same if it is among them; an entry has but one."""
    (target,) = more
    for one in some:
        if one is target:
            return some
    return (*some, target)
