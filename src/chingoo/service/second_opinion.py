"""Asks the detector beside a turn, and waits no longer for it than policy allows; silence leaves it to the words."""

import asyncio
from typing import Final

from chingoo.engine.detector import CLEAR, UNAVAILABLE, detector_says
from chingoo.errors import DetectorError
from chingoo.flow.view import TurnView
from chingoo.model.enums import SafetyPolicy
from chingoo.policy.documents.detector import DetectorDocument
from chingoo.ports.machine import Clock, Metrics
from chingoo.ports.models import Detector

CALLS: Final = "chingoo_detector_calls_total"
WAITED: Final = "chingoo_detector_seconds"
_OUTCOMES: Final = ("clear", "flagged", "timeout", "transport", "status", "malformed")


class SecondOpinion:
    """The detector, as turns ask it. One that fails, is late, or answers nonsense counts as `unavailable`."""

    def __init__(self, detector: Detector, clock: Clock, metrics: Metrics) -> None:
        self._detector, self._clock, self._metrics = detector, clock, metrics
        for outcome in _OUTCOMES:
            metrics.count(CALLS, {"outcome": outcome}, 0)  # an alert sees no rise from nothing to one

    def ask(self, view: TurnView) -> asyncio.Future[str] | None:
        """Ask beside what the turn does next; its deadline runs from now, its answer is a value of the fact `detector`.

        None where the words alone have decided as strictly as can be.
        """
        decision = view.decision
        if decision.signals.crisis.detected or decision.routing.safety_policy is SafetyPolicy.HARD_REFUSE:
            return None
        policy = view.compiled.bundle.detector
        return asyncio.ensure_future(self._says(policy, view.request.text))

    async def _says(self, policy: DetectorDocument, text: str) -> str:
        started, deadline_s = self._clock.monotonic(), policy.deadline_ms / 1000
        try:
            async with asyncio.timeout(deadline_s):
                said = detector_says(policy, await self._detector.scores(text, timeout_s=deadline_s))
            outcome = "clear" if said == CLEAR else "flagged"
        except DetectorError as error:
            said, outcome = UNAVAILABLE, error.kind
        except TimeoutError:
            said, outcome = UNAVAILABLE, "timeout"
        self._metrics.count(CALLS, {"outcome": outcome})
        self._metrics.observe(WAITED, self._clock.monotonic() - started)
        return said
