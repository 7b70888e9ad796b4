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
                keys = frozenset(f"{PREFERENCE}:{category}:{slug(name)}" for name in names)
                for name in names:
                    self._keys[f"{PREFERENCE}:{category}:{slug(name)}"] = keys
                    known = self._names.get(slug(name), ())
                    self._names[slug(name)] = tuple(dict.fromkeys((*known, *names)))

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

    def _met(self, fact: ExtractedFact, memories: Sequence[Memory], suppressed: Sequence[str]) -> ExtractedFact:
        keys = self._keys.get(fact.memory_key)
        if keys is None:
            return fact
        known = {one.memory_key: one for one in memories if one.memory_key in keys}
        if fact.memory_key in known:
            return fact
        memory = next(iter(known.values()), None)
        if memory is None:
            key = next((one for one in suppressed if one in keys), fact.memory_key)
            return fact if key == fact.memory_key else replace(fact, memory_key=key)
        return replace(fact, memory_key=memory.memory_key, memory_value=self._value(fact, memory))

    def _value(self, fact: ExtractedFact, memory: Memory) -> str:
        said = self._grammar.stated(fact.memory_key, fact.memory_value)
        known = self._grammar.stated(memory.memory_key, memory.memory_value)
        head = memory.memory_key.rpartition(":")[0]
        same = said.stance == known.stance and f"{head}:{slug(known.value)}" in self._keys[fact.memory_key]
        return memory.memory_value if same else fact.memory_value
