"""What a correction is about: the memories its words name, and those the friend has just shown (CORR-01, CORR-05)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from chingoo.memory.grammar import Reading
from chingoo.memory.keys import KeyGrammar
from chingoo.memory.surfaces import Mentions
from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import MemoryStatus
from chingoo.model.people import Memory
from chingoo.policy.documents.corrections import CorrectionsDocument
from chingoo.text.normalise import normalise

Hear = Callable[[str], tuple[ExtractedFact, ...]]
"""What would be remembered of some words, were they said plainly."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An assistant's message: what it showed, whether it asked something, and whether policy fixed its words."""

    message_id: UUID
    memory_ids: tuple[UUID, ...] = ()
    asks: bool = False
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Before:
    """What came before a message: the friend's reply to it, the person's message before that, and the reply before."""

    reply: Shown | None = None
    said: Reading = Reading((), ())
    said_text: str | None = None
    said_id: UUID | None = None
    earlier_reply: Shown | None = None


@dataclass(frozen=True, slots=True)
class Tails:
    """What may be glued to a value that is named: particles, and words for *is*, the longest first."""

    particles: frozenset[str] = frozenset()
    copulas: tuple[str, ...] = ()


NO_TAILS = Tails()
_HANGUL = re.compile("[\uac00-\ud7a3]")
_WORDS_BESIDE = 2
"""Words that may stand beside a value that is named: the, my, about."""


class Names:
    """What people call memory keys, in every language."""

    def __init__(
        self,
        documents: Iterable[CorrectionsDocument],
        grammar: KeyGrammar,
        mentions: Mentions,
        tails: Tails = NO_TAILS,
    ) -> None:
        self._grammar, self._mentions, self._tails = grammar, mentions, tails
        names: dict[str, dict[str, None]] = {}
        for document in documents:
            for key, words in document.names.items():
                for word in words:
                    names.setdefault(normalise(word).match, {})[key] = None
        self._keys: Mapping[str, tuple[str, ...]] = {word: tuple(keys) for word, keys in names.items()}

    def named(self, words: str, memories: Iterable[Memory]) -> tuple[Memory, ...]:
        """The memories whose key is called so: `my size`, `where i live`."""
        keys = self._keys.get(normalise(words).match, ())
        return tuple(memory for memory in memories if _is_under(memory.memory_key, keys)) if keys else ()

    def keys_named(self, words: str, keys: Iterable[str]) -> tuple[str, ...]:
        """The keys that are called so."""
        called = self._keys.get(normalise(words).match, ())
        return tuple(key for key in keys if _is_under(key, called))

    def meant(self, words: str, memories: Sequence[Memory], hear: Hear) -> tuple[Memory, ...]:
        """The memories that some words are about (CORR-05): by name, by what they state, by the value they mention."""
        named = self.named(words, memories)
        if named:
            return named
        stated = {fact.memory_key for fact in hear(words)}
        under = tuple(memory for memory in memories if memory.memory_key in stated) if stated else ()
        return under or tuple(
            memory for memory in self._mentions.in_order(words, memories) if self._is_all(words, memory)
        )

    def _is_all(self, words: str, memory: Memory) -> bool:
        """Whether the words are about this and hardly anything else: a party in Lisbon is not Lisbon."""
        value = self._grammar.stated(memory.memory_key, memory.memory_value).value
        return len(words.split()) <= len(value.split()) + _WORDS_BESIDE

    def keys_meant(self, words: str, keys: Sequence[str], hear: Hear) -> tuple[str, ...]:
        """The suppressed keys that some words are about."""
        named = self.keys_named(words, keys)
        if named:
            return named
        stated = {fact.memory_key for fact in hear(words)}
        items = ((key, self._grammar.item(key)) for key in keys)
        return tuple(key for key in keys if key in stated) or tuple(
            key for key, item in items if item and self._mentions.mentions(words, key, item)
        )

    def denied(self, readings: Iterable[str], memories: Sequence[Memory], hear: Hear) -> tuple[Memory, ...]:
        """The memories whose very value is denied (CORR-10): what the sentence denies is what is remembered."""
        denied: dict[UUID, Memory] = {}
        for reading in readings:
            if not self._mentions.in_order(reading, memories):
                continue
            facts = {fact.memory_key: fact.memory_value for fact in hear(reading)}
            for memory in memories:
                if memory.memory_key in facts and _same(facts[memory.memory_key], memory.memory_value):
                    denied[memory.memory_id] = memory
        return tuple(denied.values())

    def holding(self, value: str, memories: Iterable[Memory]) -> tuple[Memory, ...]:
        """The singletons that hold a value, so that another one can take its place (CORR-06)."""
        return tuple(
            memory
            for memory in memories
            if not self._grammar.item(memory.memory_key) and self._holds(memory.memory_value, value)
        )

    def _holds(self, known: str, said: str) -> bool:
        """Whether somebody means a value by a word, which may carry a particle (서울이 아니라)."""
        value, word = normalise(known).match, normalise(said).match
        return value != "" and (
            word == value or (word.startswith(value) and word[len(value) :] in self._tails.particles)
        )

    def bare(self, words: str) -> str:
        """Words without the *is* that may be glued to their end (M이야); a short one only behind other letters."""
        for copula in self._tails.copulas:
            rest = words.removesuffix(copula)
            if rest and rest != words and (len(copula) > 1 or not _HANGUL.match(rest[-1])):
                return rest
        return words


def last_shown(shown: Shown | None, memories: Iterable[Memory]) -> Memory | None:
    """The last memory that a reply showed and that is still ACTIVE (CORR-01, CORR-03)."""
    known = {memory.memory_id: memory for memory in memories if memory.status is MemoryStatus.ACTIVE}
    standing = [known[one] for one in (shown.memory_ids if shown else ()) if one in known]
    return standing[-1] if standing else None


def _is_under(memory_key: str, keys: Iterable[str]) -> bool:
    return any(memory_key == key or memory_key.startswith(f"{key}:") for key in keys)


def _same(first: str | None, second: str) -> bool:
    return first is not None and normalise(first).match == normalise(second).match != ""
