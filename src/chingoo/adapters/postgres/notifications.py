"""What other processes say through the database: switches of policy, as they happen."""

import asyncio
from collections.abc import AsyncIterator

import psycopg

from chingoo.adapters.postgres.address import checked

_CHANNEL = b"listen chingoo_policy"
_AGAIN_S = 1.0


class PostgresNotifications:
    """`ports.notifications.Notifications` on a connection of its own, made anew when it breaks."""

    def __init__(self, url: str) -> None:
        self._url = checked(url)

    async def listen(self) -> AsyncIterator[str]:
        """What processes say, as `ports.notifications.Notifications` has it, until the caller stops.

        What is said while the connection is away is lost: ask for the newest switch from time to time.
        """
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
                    await connection.execute(_CHANNEL)
                    async for notification in connection.notifies():
                        yield notification.payload
            except psycopg.OperationalError:
                await asyncio.sleep(_AGAIN_S)
