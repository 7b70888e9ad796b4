"""A delivery that keeps what it was handed, and fails as told."""

from collections import deque
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from chingoo.errors import DeliveryError


class RecordingDelivery:
    """`ports.events.Delivery`: `taken` is what arrived; `failures` holds the kinds with which the next calls fail."""

    def __init__(self) -> None:
        self.taken: list[tuple[UUID, Mapping[str, Any]]] = []
        self.failures: deque[str] = deque()

    async def deliver(self, event_id: UUID, event: Mapping[str, Any]) -> None:
        """Take it, or fail."""
        if self.failures:
            raise DeliveryError(self.failures.popleft(), "told to fail")
        self.taken.append((event_id, event))

    async def aclose(self) -> None:
        """Nothing is open."""
