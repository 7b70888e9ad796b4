"""What automata hold of the keys of word lists, and the words that the keys are made of."""

from collections.abc import Collection
from typing import NamedTuple

from chingoo.engine.automaton import Automaton
from chingoo.engine.hits import Target
from chingoo.engine.keys import Rule


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
