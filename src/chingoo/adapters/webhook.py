"""Events out, as signed HTTP posts: whoever receives them can tell that they are ours, whole, and not old."""

import asyncio
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import httpx
import msgspec

from chingoo.errors import DeliveryError
from chingoo.ports.machine import Clock

SIGNATURE: Final = "chingoo-signature"
EVENT_ID: Final = "chingoo-event-id"
_TIMEOUT_S: Final = 10.0  # an event that is not taken by then is sent again


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """`t=SECONDS,v1=HEX`: HMAC-SHA256 under the secret, over `SECONDS.BODY`."""
    signed = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256)
    return f"t={timestamp},v1={signed.hexdigest()}"


class Webhook:
    """A `ports.events.Delivery` to one address. Any 2xx says that the event was taken; a redirect does not."""

    def __init__(self, url: str, secret: str, clock: Clock, timeout_s: float = _TIMEOUT_S) -> None:
        self._url, self._secret, self._clock, self._timeout_s = url, secret, clock, timeout_s
        self._client = httpx.AsyncClient(
            headers={"content-type": "application/json", "user-agent": "chingoo"},
            limits=httpx.Limits(max_connections=20, max_keepalive_connections=5),
            trust_env=False,
        )

    async def deliver(self, event_id: UUID, event: Mapping[str, Any]) -> None:
        """One post. DeliveryError kinds: timeout, transport, status."""
        body = msgspec.json.encode(event)
        headers = {
            EVENT_ID: str(event_id),
            SIGNATURE: signature(self._secret, int(self._clock.now().timestamp()), body),
        }
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.post(self._url, content=body, headers=headers, timeout=self._timeout_s)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise DeliveryError("timeout", f"no answer within {self._timeout_s:.0f} s") from error
        except httpx.HTTPError as error:
            raise DeliveryError("transport", f"it could not be reached ({type(error).__name__})") from error
        if not response.is_success:
            raise DeliveryError("status", f"the answer was HTTP {response.status_code}")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()
