"""Writes what turns leave: a log that cannot be written never stops a reply, and never fails in silence (GUARD-10)."""

import logging
from dataclasses import replace

from chingoo.errors import ChingooError, DatabaseUnreachableError, StoreRefusedError, UnavailableError
from chingoo.model.turn import Attempt, LogPart, Settlement, SettleOutcome
from chingoo.ports.machine import Metrics
from chingoo.ports.turns import TurnStore
from chingoo.service.memory_counts import count_memories

FAILED = "chingoo_log_writes_failed_total"
_log = logging.getLogger(__name__)


class TurnWriter:
    """Settles turns and keeps attempts, with the rows of the logs in the same statement.

    If the statement is refused, it is tried without them, and then each part of the log by itself. What cannot be
    written even so is counted in `chingoo_log_writes_failed_total` and said in the process's log; the decision record
    is there in any case.
    """

    def __init__(self, store: TurnStore, metrics: Metrics, *, reports_crises: bool) -> None:
        """`reports_crises`: whether there is somebody to send the events of crises to."""
        self._store, self._metrics, self._reports = store, metrics, reports_crises
        for part in LogPart:
            metrics.count(FAILED, {"log": part}, 0)  # an alert sees no rise from nothing to one

    async def settle(self, settlement: Settlement) -> SettleOutcome:
        """See `TurnStore.settle`."""
        outcome = await self._settle(settlement)
        if outcome is SettleOutcome.SETTLED:
            count_memories(self._metrics, settlement)
        return outcome

    async def _settle(self, settlement: Settlement) -> SettleOutcome:
        whole = settlement if self._reports else replace(settlement, event=None)
        try:
            return await self._store.settle(whole)
        except (StoreRefusedError, UnavailableError) as error:
            if not _parts(whole) or isinstance(error, DatabaseUnreachableError):
                raise
            outcome = await self._store.settle(replace(whole, crisis=None, guard=None, event=None))
            if outcome is SettleOutcome.SETTLED:
                await self._log_apart(whole, error)
            return outcome

    async def attempt(self, attempt: Attempt) -> None:
        """See `TurnStore.attempt`."""
        whole = attempt if self._reports else replace(attempt, event=None)
        try:
            await self._store.attempt(whole)
        except (StoreRefusedError, UnavailableError) as error:
            if not _parts(whole) or isinstance(error, DatabaseUnreachableError):
                raise
            await self._store.attempt(replace(whole, crisis=None, guard=None, event=None))
            await self._log_apart(whole, error)

    async def _log_apart(self, made: Settlement | Attempt, cause: ChingooError) -> None:
        _log.error("the logs could not be written with their turn (%s); writing each by itself", cause.detail)
        for part in _parts(made):
            try:
                await self._store.write_log(part, made)
            except ChingooError as error:
                self._metrics.count(FAILED, {"log": part})
                _log.error("a row of the %s log is lost: %s", part, error.detail)


def _parts(made: Settlement | Attempt) -> tuple[LogPart, ...]:
    """What the turn has to log."""
    rows = {LogPart.EVENT: made.event, LogPart.CRISIS: made.crisis, LogPart.GUARDRAIL: made.guard}
    found = tuple(part for part, row in rows.items() if row is not None)
    return (*found, LogPart.COUNTS) if made.crisis is not None or made.guard is not None else found
