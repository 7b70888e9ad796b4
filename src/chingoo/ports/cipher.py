"""Encryption at rest."""

from typing import Protocol


class Cipher(Protocol):
    """Encryption at rest. `about` binds a token to its place: opened elsewhere it is no token."""

    @property
    def key_ids(self) -> tuple[str, ...]:
        """The keys there are, the one that seals first."""
        ...

    def seal(self, text: str, about: str) -> str:
        """A token of the text, another one each time."""
        ...

    def seal_name(self, text: str, about: str) -> str:
        """A token that is the same for the same text about the same, so that tokens can be compared."""
        ...

    def names_of(self, text: str, about: str) -> tuple[str, ...]:
        """What `seal_name` gives under each of the keys."""
        ...

    def open(self, token: str, about: str) -> str | None:
        """The text, or None for what is no token of ours about this: a plain text."""
        ...
