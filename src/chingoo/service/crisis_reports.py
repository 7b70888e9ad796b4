"""Tells a human of crises: events that turns left are sent out, again and again until somebody has them (CRISIS-09)."""

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

from chingoo.errors import ChingooError, DeliveryError
from chingoo.flow.view import TurnView
from chingoo.model.turn import CrisisEvent
from chingoo.ports.events import CrisisEvents, Delivery
from chingoo.ports.machine import Metrics

SENT: Final = "chingoo_crisis_events_total"
_LOOK_S: Final = 2.0  # beside being told: other processes leave events too
_BATCH: Final = 20
_HELD_S: Final = 60.0  # longer than one delivery may take, so that nobody else sends it meanwhile
_FIRST_WAIT_S: Final = 2.0  # then twice as long each time, up to the next; never given up: a human is waited for
_LONGEST_WAIT_S: Final = 300.0
_OUTCOMES: Final = ("delivered", "timeout", "transport", "status")
_log = logging.getLogger(__name__)


class CrisisReporter:
    """Sends events of crises. Any number of processes may run one; an event is with one of them at a time.

    What is not taken comes again after a pause that doubles up to five minutes, without an end: somebody waits for it.
    """

    def __init__(self, events: CrisisEvents, delivery: Delivery, metrics: Metrics) -> None:
        self._events, self._delivery, self._metrics = events, delivery, metrics
        self._news = asyncio.Event()
        for outcome in _OUTCOMES:
            metrics.count(SENT, {"outcome": outcome}, 0)  # an alert sees no rise from nothing to one

    def settled(self, view: TurnView) -> None:
        """A turn was settled here: if it leaves an event, it is sent at once."""
        if view.decision.signals.crisis.detected:
            self._news.set()

    async def run(self) -> None:
        """Send what is due until cancelled, whichever process left it."""
        while True:
            try:
                while await self.send_due():
                    pass
            except ChingooError as error:
                _log.warning("events of crises wait: %s", error.detail)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), _LOOK_S)
            self._news.clear()

    async def send_due(self) -> int:
        """Send what is due now, all at once; how many there were."""
        due = await self._events.take_crisis_events(_BATCH, _HELD_S)
        await asyncio.gather(*(self._send(event, tries) for event, tries in due))
        return len(due)

    async def _send(self, event: CrisisEvent, tries: int) -> None:
        try:
            await self._delivery.deliver(event.event_id, crisis_body(event))
        except DeliveryError as error:
            self._metrics.count(SENT, {"outcome": error.kind})
            _log.error("an event of a crisis was not taken (try %d): %s", tries, error.detail)
            await self._events.crisis_event_later(event.user_id, event.event_id, _pause(tries))
            return
        await self._events.crisis_event_delivered(event.user_id, event.event_id)
        self._metrics.count(SENT, {"outcome": "delivered"})


def crisis_body(event: CrisisEvent) -> dict[str, Any]:
    """The event as it is sent: whom to call and how urgent it is, and no word of what was said."""
    return {
        "type": "crisis",
        "event_id": str(event.event_id),
        "user_id": str(event.user_id),
        "message_id": str(event.message_id),
        "level": event.level,
        "language": event.language,
        "country": event.country,
        "created_at": event.created_at.isoformat(),
    }


def _pause(tries: int) -> float:
    return min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2.0 ** min(tries - 1, 20))
