"""The grammar of memory keys: which family a key belongs to, and whether it can be a key at all (MEM-01…05, C-73)."""

import re
from dataclasses import dataclass

from chingoo.policy.documents.memory import MemoryDocument, MemoryFamily
from chingoo.text.slug import slug

LONGEST = 100
"""Characters in a key (UK-07)."""

STANCE_MARK = "|"
"""Between the stance and the value of a preference (PREF-01)."""

_MONTH = re.compile(r"\d{4}_(?:0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Stated:
    """A memory value taken apart: the stance (`like`) of families that have one, and the value itself."""

    stance: str | None
    value: str


class KeyGrammar:
    """The keys of one policy."""

    def __init__(self, document: MemoryDocument) -> None:
        self._by_head = {family.key: (name, family) for name, family in document.families.items()}

    def family(self, memory_key: str) -> MemoryFamily | None:
        """The family that a key's first part names, or None."""
        found = self._by_head.get(memory_key.partition(":")[0])
        return None if found is None else found[1]

    def type_of(self, memory_key: str) -> str | None:
        """The name of that family, which is the memory's type."""
        found = self._by_head.get(memory_key.partition(":")[0])
        return None if found is None else found[0]

    def fits(self, memory_key: str) -> bool:
        """Whether this can be a key. What fits no family is not remembered (MEM-05)."""
        family = self.family(memory_key)
        if family is None or len(memory_key) > LONGEST:
            return False
        _, *parts = memory_key.split(":")
        if family.keys and (not parts or parts.pop(0) not in family.keys):
            return False
        if family.dated and (not parts or not _MONTH.fullmatch(parts.pop(0))):
            return False
        if family.keys and family.cardinality == "singleton":
            return not parts
        return len(parts) == 1 and parts[0] != "" and parts[0] == slug(parts[0])

    def item(self, memory_key: str) -> str:
        """The part of a key that comes from the person's words (`sushi`), or nothing where policy names the keys."""
        family = self.family(memory_key)
        named = family is None or (family.keys and family.cardinality == "singleton")
        return "" if named else memory_key.rpartition(":")[2]

    def stated(self, memory_key: str, memory_value: str) -> Stated:
        """The value taken apart."""
        family = self.family(memory_key)
        stance, mark, value = memory_value.partition(STANCE_MARK)
        if family is not None and mark and stance in family.stances:
            return Stated(stance, value)
        return Stated(None, memory_value)

    def shown(self, memory_key: str, memory_value: str) -> tuple[str, str]:
        """What can show of a memory: the person's words in its key, and its value without the stance."""
        found = self._by_head.get(memory_key.partition(":")[0])
        if found is None:
            return "", memory_value
        family = found[1]
        item = "" if family.keys and family.cardinality == "singleton" else memory_key.rpartition(":")[2]
        if family.stances:
            stance, mark, value = memory_value.partition(STANCE_MARK)
            if mark and stance in family.stances:
                return item, value
        return item, memory_value

    def fits_value(self, memory_key: str, memory_value: str) -> bool:
        """Whether a key of such a family can hold this value: `like|…` where there are stances, something elsewhere."""
        family = self.family(memory_key)
        stated = self.stated(memory_key, memory_value)
        return family is not None and bool(stated.value.strip()) and (not family.stances or stated.stance is not None)

    def value_of(self, memory_key: str, words: str) -> str | None:
        """Words as the value of a key, in the form its family asks for (`m` is the size M); None if they are none."""
        family = self.family(memory_key)
        form = None if family is None else family.forms.get(memory_key.partition(":")[2])
        if form is None:
            return words if words else None
        return next((spelt for spelt in (words, words.upper()) if re.fullmatch(form, spelt)), None)
