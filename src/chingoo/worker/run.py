"""Runs the queue and the schedule of built services until cancelled."""

from typing import Protocol


class Queue(Protocol):
    """What takes jobs from the database and runs them, by themselves and on schedule."""

    async def run(self) -> None:
        """Work until cancelled; jobs in flight finish."""
        ...


class HasQueue(Protocol):
    """Services that were built with a queue."""

    @property
    def queue(self) -> Queue:
        """The queue."""
        ...


async def run(services: HasQueue) -> None:
    """The jobs, until cancelled."""
    await services.queue.run()
