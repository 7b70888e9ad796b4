"""A second set of policies that decides beside the one in force, without effect, and tells where it differs."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from chingoo.engine.evaluate import evaluate
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.records import evaluation_input
from chingoo.flow.view import TurnView
from chingoo.model.decision import RoutingDecision
from chingoo.ports.machine import Metrics

_MOST_WAITING: Final = 256  # turns that wait for the shadow; with more it falls behind, and they are passed over


@dataclass(frozen=True, slots=True)
class Flip:
    """A decision that the shadow would have made otherwise; ids and rules, no text."""

    decision_id: UUID
    live_digest: str
    shadow_digest: str
    live: RoutingDecision
    shadow: RoutingDecision
    live_rule: str
    shadow_rule: str


class ShadowPolicy:
    """The shadow of one process. Turns only hand over what they saw; when too many wait, they are not looked at."""

    def __init__(self, compiled: CompiledPolicy, metrics: Metrics, tell: Callable[[Flip], None]) -> None:
        self._compiled, self._metrics, self._tell = compiled, metrics, tell
        self._waiting: asyncio.Queue[TurnView] = asyncio.Queue(_MOST_WAITING)

    @property
    def digest(self) -> str:
        """The shadow's digest."""
        return self._compiled.bundle.digest

    def settled(self, view: TurnView) -> None:
        """A turn was settled."""
        try:
            self._waiting.put_nowait(view)
        except asyncio.QueueFull:
            self._counted("dropped")

    async def run(self) -> None:
        """Decide again what was settled, one at a time between other work, until cancelled."""
        while True:
            self._decide(await self._waiting.get())
            await asyncio.sleep(0)

    def close(self) -> None:
        """Free the shadow; call after `run` has ended."""
        self._compiled.close()

    def _decide(self, view: TurnView) -> None:
        live = view.decision
        shadow = evaluate(self._compiled.engine, evaluation_input(self._compiled, view.request, view.known))
        before, after = live.routing, shadow.routing
        if (before.pipeline, before.safety_policy) == (after.pipeline, after.safety_policy):
            self._counted("same")
            return
        self._counted("flipped")
        self._metrics.count(
            "chingoo_policy_shadow_flips_total", {"live": before.pipeline.value, "shadow": after.pipeline.value}
        )
        self._tell(
            Flip(
                decision_id=view.decision_id,
                live_digest=live.digest,
                shadow_digest=shadow.digest,
                live=before,
                shadow=after,
                live_rule=live.rules[0],
                shadow_rule=shadow.rules[0],
            )
        )

    def _counted(self, outcome: str) -> None:
        self._metrics.count("chingoo_policy_shadow_decisions_total", {"outcome": outcome})
