"""How a memory shows in words: the forms of its value and key, and where a text mentions them (S-11, CORR-02)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chingoo.memory.keys import KeyGrammar
from chingoo.model.people import Memory
from chingoo.policy.documents.memory import SurfacingPolicy
from chingoo.text.normalise import matching, normalise

_BETWEEN = " \ue000 "
"""Between values that are normalised together: of private use, so that no value holds it, and kept as it is."""

_SHORTEST_STEM = 4
_SHORTEST_BASE = 3


@dataclass(frozen=True, slots=True)
class WordRules:
    """What may stand around a word: `heads` before it (articles, elisions), `tails` behind it (Korean particles)."""

    heads: frozenset[str]
    tails: frozenset[str]


class Mentions:
    """Finds memories in texts, under one policy. `synonyms` are the other words for a canonical slug."""

    def __init__(
        self,
        policy: SurfacingPolicy,
        grammar: KeyGrammar,
        rules: WordRules,
        synonyms: Mapping[str, Iterable[str]],
    ) -> None:
        self._policy, self._grammar, self._rules = policy, grammar, rules
        self._endings = frozenset(normalise(ending).match for ending in policy.endings)
        self._any_ending = tuple(sorted(self._endings))
        self._synonyms = {slug: tuple(matching(word) for word in words) for slug, words in synonyms.items()}

    def in_order(self, text: str, memories: Sequence[Memory]) -> tuple[Memory, ...]:
        """The memories that a text mentions, in the order of their first mention."""
        padded = f" {normalise(text).match} "
        found: list[tuple[int, int]] = []
        for number, (value, forms) in enumerate(self._forms(memories)):
            for form in forms:
                # Nearly every memory ends here, so it is asked before anything else.
                if form and form[:_SHORTEST_STEM] in padded:
                    place = self._place(padded, text, form, value)
                    if place is not None:
                        found.append((place, number))
        first: dict[int, None] = dict.fromkeys(number for _, number in sorted(found))
        return tuple(memories[number] for number in first)

    def mentions(self, text: str, memory_key: str, value: str) -> bool:
        """Whether a text mentions a key's own words or a value, whatever is stored under it."""
        normalised = f" {normalise(text).match} "
        forms = {normalise(value).match.replace("_", " "), *self._synonyms.get(self._grammar.item(memory_key), ())}
        return any(self._whole(normalised, stem) is not None for form in forms - {""} for stem in self._stems(form))

    def _forms(self, memories: Sequence[Memory]) -> Iterator[tuple[str, Sequence[str]]]:
        """The value of each memory, and its forms as they would stand in the matching form of a text."""
        shown = [self._grammar.shown(one.memory_key, one.memory_value) for one in memories]
        values = [value for _, value in shown]
        together = normalise(_BETWEEN.join(values)).match.split(_BETWEEN) if values else []
        if len(together) != len(values):
            together = [normalise(value).match for value in values]
        synonyms = self._synonyms
        for (item, value), form in zip(shown, together, strict=True):
            named = item.replace("_", " ")
            forms = (form,) if named == form else (form, named)
            if item in synonyms or value in synonyms:
                forms = (*forms, *synonyms.get(item, ()), *synonyms.get(value, ()))
            yield value, forms

    def _place(self, padded: str, raw: str, form: str, value: str) -> int | None:
        """Where a form stands as words of its own, or None.

        What is very short counts only in the letters it was written in: the size M is no "m".
        """
        if len(form) < self._policy.least_characters and form.isascii():
            found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", raw)
            return None if found is None else padded.find(f" {form} ")
        if not form.endswith(self._any_ending):
            return self._whole(padded, form)
        places = (self._whole(padded, stem) for stem in self._stems(form))
        return min((place for place in places if place is not None), default=None)

    def _stems(self, form: str) -> Iterator[str]:
        """The form, and what is left of it without an ending that may change."""
        yield form
        for ending in self._any_ending if form.endswith(self._any_ending) else ():
            if form.endswith(ending) and len(form) - len(ending) >= _SHORTEST_STEM:
                yield form[: -len(ending)]

    def _whole(self, padded: str, stem: str) -> int | None:
        start = padded.find(stem)
        while start >= 0:
            before = padded[padded.rfind(" ", 0, start) + 1 : start]
            tail = padded[start + len(stem) : padded.index(" ", start + len(stem))]
            if (not before or before in self._rules.heads) and self._may_follow(tail, stem):
                return start
            start = padded.find(stem, start + 1)
        return None

    def _may_follow(self, tail: str, stem: str) -> bool:
        if not tail or tail in self._rules.tails:
            return True
        return len(stem) >= _SHORTEST_BASE and tail in self._endings
