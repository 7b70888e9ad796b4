"""The relational store as a whole, in the parts that use cases need one by one."""

from typing import Protocol

from chingoo.ports.batches import BatchStore
from chingoo.ports.logs import LogStore
from chingoo.ports.memories import MemoryStore
from chingoo.ports.people import PeopleStore
from chingoo.ports.reviews import ReviewStore
from chingoo.ports.turns import TurnStore
from chingoo.ports.upkeep import UpkeepStore


class Store(TurnStore, PeopleStore, MemoryStore, LogStore, UpkeepStore, BatchStore, ReviewStore, Protocol):
    """The relational store: the truth. Every method is one transaction.

    Methods raise NotFoundError for an unknown user, friend or conversation, ConflictError where said, and
    DatabaseUnreachableError when the database is away.
    """

    async def ping(self) -> None:
        """Raise DatabaseUnreachableError if the database is away."""
        ...
