"""The words that policy fixes for what is remembered: asking back, and what is known and from where (S-17, C-25).

What is known is told from the memories and their evidence alone; no model has a part in it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo

from chingoo.flow.compiled import CompiledPolicy
from chingoo.model.corrections import Heeded, MemoryAnswer, ToldOfMemory
from chingoo.model.enums import Language, Mode
from chingoo.model.people import Memory, StoredMessage
from chingoo.reply.fill import filled

OF_MEMORY = "memory"
"""What the ids of these replies begin with."""

_ALONE = (Heeded.UNCLEAR, Heeded.NOTHING_TO_FORGET, Heeded.TOPIC_UNCLEAR)
"""Said in fixed words only when the message holds nothing else; otherwise the friend takes it up with the rest."""


def asked_back(heeded: Iterable[Heeded], *, only_commands: bool) -> Heeded | None:
    """What is asked back in fixed words, if anything is (CORR-03)."""
    return next((one for one in heeded if one in _ALONE), None) if only_commands else None


class Teller:
    """Speaks one language to one message; `seed` is the message's normalised text."""

    def __init__(self, compiled: CompiledPolicy, language: Language, seed: str) -> None:
        self._compiled, self._language, self._seed = compiled, language, seed

    def plain(self, heeded: Heeded | MemoryAnswer) -> str:
        """The fixed words of one outcome."""
        return self._say(heeded.value)

    def known(self, memories: Iterable[Memory]) -> str:
        """What is known, a line each (S-17)."""
        told = list(memories)
        if not told:
            return self._say(ToldOfMemory.KNOWN_NOTHING)
        most = self._compiled.bundle.memory.surfacing.listed
        lines = [self._line(memory) for memory in told[:most]]
        if len(told) > most:
            lines.append(self._say(ToldOfMemory.KNOWN_MORE, count=str(len(told) - most)))
        return self._say(MemoryAnswer.KNOWN_ASKED, told="\n".join(lines))

    def source(self, memory: Memory | None, evidence: Iterable[StoredMessage], mode: Mode, zone: tzinfo) -> str:
        """Where a memory comes from: the person's own words and their day; none that were said in the other mode."""
        told = [one for one in evidence if one.text]
        said = [one for one in told if one.mode is mode]
        if memory is None:
            return self._say(ToldOfMemory.SOURCE_NOTHING)
        if not said:
            name = ToldOfMemory.SOURCE_ELSEWHERE if told else ToldOfMemory.SOURCE_ANSWERS
            return self._say(name, line=self._line(memory))
        most = self._compiled.bundle.memory.surfacing.quoted_characters
        lines = [
            self._say(ToldOfMemory.SOURCE_LINE, quote=_cut(one.text or "", most), **_day(one.created_at, zone))
            for one in said
        ]
        return self._say(MemoryAnswer.SOURCE_ASKED, line=self._line(memory), told="\n".join(lines))

    def _line(self, memory: Memory) -> str:
        """A memory in words: by its key, or by its family and stance."""
        head, _, rest = memory.memory_key.partition(":")
        stated = self._compiled.memory.keys.stated(memory.memory_key, memory.memory_value)
        by_key, by_family = f"line.{head}_{rest}", f"line.{head}_{stated.stance}" if stated.stance else f"line.{head}"
        words = self._compiled.engine.fixed
        name = by_key if words.knows(f"{OF_MEMORY}.{by_key}") else by_family
        return self._say(name, value=stated.value.replace("_", " "))

    def _say(self, name: str, **values: str) -> str:
        text = self._compiled.engine.fixed.say(f"{OF_MEMORY}.{name}", self._language, self._seed, None)
        return filled(text, **values)


def _cut(text: str, most: int) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= most else f"{joined[:most].rstrip()}…"


def _day(at: datetime, zone: tzinfo) -> Mapping[str, str]:
    local = at.astimezone(zone)
    return {"day": str(local.day), "month": str(local.month), "year": str(local.year)}
