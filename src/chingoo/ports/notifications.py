"""What processes tell one another."""

from collections.abc import AsyncIterator
from typing import Protocol


class Notifications(Protocol):
    """What processes say to one another about policies."""

    def listen(self) -> AsyncIterator[str]:
        """`prepare DIGEST PROCESS` when a process is about to switch all to a set, `switch DIGEST` when it has."""
        ...
