"""Events that somebody outside waits for: where they are kept until taken, and where they go."""

from collections.abc import Mapping
from typing import Any, Protocol
from uuid import UUID

from chingoo.model.turn import CrisisEvent


class CrisisEvents(Protocol):
    """The crises that a human is still to be told of. Every method is one transaction."""

    async def take_crisis_events(self, limit: int, held_s: float) -> list[tuple[CrisisEvent, int]]:
        """Events that are due, and how often each was taken by now; nobody else gets them for `held_s` seconds."""
        ...

    async def crisis_event_delivered(self, user_id: UUID, event_id: UUID) -> None:
        """Somebody has it: it never falls due again."""
        ...

    async def crisis_event_later(self, user_id: UUID, event_id: UUID, wait_s: float) -> None:
        """Nobody has it: it falls due again after so many seconds."""
        ...


class Delivery(Protocol):
    """Where events go that somebody outside waits for."""

    async def deliver(self, event_id: UUID, event: Mapping[str, Any]) -> None:
        """Hand an event over; DeliveryError if it was not taken. The same id may come more than once."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...
