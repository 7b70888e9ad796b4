"""Gathers the keys of word lists, and makes automata of them that find all keys in one pass over a text."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import ahocorasick

from chingoo.engine.keys import WHOLE_WORD, Key, Rule
from chingoo.engine.scan import Target

_PAD = ("", " ")
_ELIDED = "'"


class Held(NamedTuple):
    """What a key stands for: the rule that must hold around it, and the entries."""

    rule: Rule
    targets: tuple[Target, ...]
    simple: bool


_Value = tuple[int, tuple[Held, ...]]
"""What automata hold for a key: its length without padding, and what it stands for."""


def words_of(folded: Any) -> Any:
    """An automaton of the single words that folded keys are made of; only a key's ends may be open."""
    keys = () if folded is None else tuple(folded.keys())
    words: dict[str, bool] = {}
    whole = set("".join([key for key in keys if key[0] == " " == key[-1]]).split())
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
    return automaton_of(words | {f" {word} ": True for word in whole})


class Collected:
    """Keys of one automaton while they are gathered."""

    def __init__(self) -> None:
        self._values: dict[str, _Value] = {}

    def take(self, keys: Iterable[Key], *, padded: bool = True) -> None:
        """Take keys, with their word boundaries or without; the same again changes nothing.

        Most keys stand for one target under one of few rules, so that these share what they hold.
        """
        values = self._values
        last: Target | None = None
        own: dict[Rule, tuple[Held, ...]] = {}
        whole: tuple[Held, ...] = ()
        for text, rule, target in keys:
            if target is not last:
                last, own = target, {}
                whole = own[WHOLE_WORD] = (Held(WHOLE_WORD, (target,), simple=True),)
            if rule is WHOLE_WORD:
                key, held = (f" {text} " if padded else text), whole
            else:
                key = f"{_ELIDED if rule.elided else _PAD[rule.left]}{text}{_PAD[rule.right]}" if padded else text
                known = own.get(rule)
                held = own[rule] = (Held(rule, (target,), simple=False),) if known is None else known
            before = values.setdefault(key, (len(text), held))
            if before[1] is not held:
                values[key] = (before[0], _joined(before[1], rule, target))

    def automaton(self) -> Any:
        """The automaton, or None when there is nothing to look for."""
        return automaton_of(self._values)


def _joined(held: tuple[Held, ...], rule: Rule, target: Target) -> tuple[Held, ...]:
    """What a key stands for when it also stands for `target` under `rule`."""
    for index, one in enumerate(held):
        if one.rule == rule:
            if target in one.targets:
                return held
            return (*held[:index], one._replace(targets=(*one.targets, target)), *held[index + 1 :])
    return (*held, Held(rule, (target,), rule == WHOLE_WORD))


def automaton_of(held: Mapping[str, Any]) -> Any:
    if not held:
        return None
    automaton = ahocorasick.Automaton()
    for text, value in held.items():
        automaton.add_word(text, value)
    automaton.make_automaton()
    return automaton
