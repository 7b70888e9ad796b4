"""Which preferences are about the same thing in different languages: кофе, coffee and 커피 are one memory (NORM-10)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from chingoo.memory.keys import KeyGrammar
from chingoo.model.decision import ExtractedFact
from chingoo.model.people import Memory
from chingoo.policy.documents.base import Entry
from chingoo.text.slug import slug

PREFERENCE = "pref"


class Sameness:
    """The things that are the same. A key keeps the name it began with, in its own script; others lead to it."""

    def __init__(self, things: Mapping[str, Sequence[Entry]], grammar: KeyGrammar) -> None:
        self._grammar = grammar
        self._keys: dict[str, frozenset[str]] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        for category, entries in things.items():
            for entry in entries:
                names = tuple(name.strip() for name in entry.text.split("|"))
                slugs = [slug(name) for name in names]
                keys = [f"{PREFERENCE}:{category}:{item}" for item in slugs]
                self._keys |= dict.fromkeys(keys, frozenset(keys))
                for item in slugs:
                    self._names[item] = tuple(dict.fromkeys((*self._names.get(item, ()), *names)))

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """What a thing is called in all languages, by the slug of each of its names."""
        return self._names

    def met(
        self, facts: Iterable[ExtractedFact], memories: Sequence[Memory], suppressed: Sequence[str]
    ) -> tuple[ExtractedFact, ...]:
        """The facts, each under the key that its thing is known (or suppressed) by, if it is by another name.

        What says the same as is known takes the known value, so that it confirms it; a new stance keeps its own words.
        """
        return tuple(self._met(fact, memories, suppressed) for fact in facts)

    def known_as(self, memory_key: str, memories: Sequence[Memory], suppressed: Iterable[str]) -> str:
        """The key that the thing of this key is known, or suppressed, by."""
        keys = self._keys.get(memory_key)
        if keys is None:
            return memory_key
        known = [one.memory_key for one in memories if one.memory_key in keys]
        if memory_key in known:
            return memory_key
        return next((one for one in (*known, *suppressed) if one in keys), memory_key)

    def are_one(self, first: str, second: str) -> bool:
        """Whether two keys are of the same thing."""
        return first == second or first in self._keys.get(second, ())

    def is_of(self, memory_key: str, name: str) -> bool:
        """Whether a name, in whatever language, is that of the thing which the key ends with."""
        head, _, item = memory_key.rpartition(":")
        called = slug(name)
        return called == item or f"{head}:{called}" in self._keys.get(memory_key, ())

    def value_under(self, memory: Memory, value: str) -> str:
        """A value as it stands under a memory's key: the known one where it says the same, else its own words."""
        said = self._grammar.stated(memory.memory_key, value)
        known = self._grammar.stated(memory.memory_key, memory.memory_value)
        same = said.stance == known.stance and self.is_of(memory.memory_key, said.value)
        return memory.memory_value if same and self.is_of(memory.memory_key, known.value) else value

    def _met(self, fact: ExtractedFact, memories: Sequence[Memory], suppressed: Sequence[str]) -> ExtractedFact:
        key = self.known_as(fact.memory_key, memories, suppressed)
        if key == fact.memory_key:
            return fact
        memory = next((one for one in memories if one.memory_key == key), None)
        value = fact.memory_value if memory is None else self.value_under(memory, fact.memory_value)
        return replace(fact, memory_key=key, memory_value=value)
