"""The server's clock and source of fresh ids; the one place that asks the machine for either."""

import secrets
import time
import uuid
from datetime import UTC, datetime


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present instant in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


class RandomIds:
    """Ids and seeds from the machine's secure source."""

    def uuid(self) -> uuid.UUID:
        """A fresh random id."""
        return uuid.UUID(bytes=secrets.token_bytes(16), version=4)

    def seed(self) -> int:
        """A fresh persona seed, 0 to 2**32 - 1 (PERS-11)."""
        return secrets.randbits(32)
