"""How memories are written down: guaranteed ones sealed, key and value both, where there is a data key (UK-17).

`allergy:nickel` is the value as much as the key, so wherever a key or a value is stored – memories of any status,
suppressed keys, stored answers – it goes through here. A sealed key still tells equal from unequal for one person, so
that constraints and statements work on it as on a plain one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from chingoo.model.people import Memory
from chingoo.ports.cipher import Cipher

Answer = Mapping[str, Any]


class Vault:
    """Seals what is of a guaranteed family, and opens whatever was sealed."""

    def __init__(self, cipher: Cipher | None = None, heads: Callable[[], frozenset[str]] = frozenset) -> None:
        """`heads` are the first parts of the keys of guaranteed families, as the policy in force has them."""
        self.cipher, self._heads = cipher, heads

    def guaranteed(self) -> frozenset[str]:
        """The first parts of the keys that are sealed."""
        return self._heads() if self.cipher is not None else frozenset()

    def seal_key(self, user_id: UUID, memory_key: str) -> str:
        """A key as it is stored."""
        if self.cipher is None or memory_key.partition(":")[0] not in self._heads():
            return memory_key
        return self.cipher.seal_name(memory_key, str(user_id))

    def seal_keys(self, user_id: UUID, keys: Iterable[str]) -> list[str]:
        """Keys as they are stored."""
        return [self.seal_key(user_id, key) for key in keys]

    def open_key(self, user_id: UUID, stored: str) -> str:
        """A key as it is."""
        return stored if self.cipher is None else self.cipher.open(stored, str(user_id)) or stored

    def forms(self, user_id: UUID, keys: Iterable[str]) -> list[str]:
        """All that these keys may be stored as: plain from before there was a data key, or under an earlier one."""
        plain = list(keys)
        if self.cipher is None:
            return plain
        return [form for key in plain for form in (key, *self.cipher.names_of(key, str(user_id)))]

    def seal_memory(self, memory: Memory) -> Memory:
        """A memory as it is stored."""
        if self.cipher is None or memory.memory_key.partition(":")[0] not in self._heads():
            return memory
        return replace(
            memory,
            memory_key=self.cipher.seal_name(memory.memory_key, str(memory.user_id)),
            memory_value=self.cipher.seal(memory.memory_value, _about(memory.user_id, str(memory.memory_id))),
        )

    def open_memory(self, memory: Memory) -> Memory:
        """A memory as it is."""
        if self.cipher is None:
            return memory
        key = self.cipher.open(memory.memory_key, str(memory.user_id))
        value = self.cipher.open(memory.memory_value, _about(memory.user_id, str(memory.memory_id)))
        if key is None and value is None:
            return memory
        return replace(memory, memory_key=key or memory.memory_key, memory_value=value or memory.memory_value)

    def seal_answer(self, user_id: UUID, answer: Answer) -> Answer:
        """A stored answer: what it says of guaranteed memories is sealed as they are."""
        if self.cipher is None:
            return answer
        cipher, heads = self.cipher, self._heads()

        def sealed(row: Mapping[str, Any]) -> Mapping[str, Any]:
            if str(row["memory_key"]).partition(":")[0] not in heads:
                return row
            about = _about(user_id, row["memory_id"])
            key, value = cipher.seal_name(row["memory_key"], str(user_id)), cipher.seal(row["memory_value"], about)
            return {**row, "memory_key": key, "memory_value": value}

        return _with_rows(answer, sealed)

    def open_answer(self, user_id: UUID, answer: Answer) -> Answer:
        """The answer as it was given."""
        return answer if self.cipher is None else _with_rows(answer, lambda row: self.open_row(user_id, row))

    def open_row(self, user_id: UUID, row: Mapping[str, Any]) -> dict[str, Any]:
        """A memory as a row of JSON."""
        key, value = row["memory_key"], row["memory_value"]
        if self.cipher is not None:
            value = self.cipher.open(value, _about(user_id, row["memory_id"])) or value
        return {**row, "memory_key": self.open_key(user_id, key), "memory_value": value}


def _with_rows(answer: Answer, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Answer:
    memory = answer.get("memory")
    if not isinstance(memory, Mapping) or not any(memory.values()):
        return answer
    return {**answer, "memory": {name: [change(row) for row in rows] for name, rows in memory.items()}}


def _about(user_id: UUID, memory_id: str) -> str:
    """A value is opened only where it was sealed: a row copied over another one's tells nothing."""
    return f"{user_id}:{memory_id}"
