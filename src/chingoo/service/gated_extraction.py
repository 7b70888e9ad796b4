"""Asks the mechanics model beside a reply what to remember, and never holds the reply up for it (MEM-07, LIFE-14)."""

import asyncio
from typing import Final

from chingoo.flow.extraction import extracted_families, extraction_prompt, opens
from chingoo.flow.tier import MECHANICS
from chingoo.flow.view import TurnView, view_with
from chingoo.memory.deltas import EXTRACTION, Delta, asked_deltas, read_deltas
from chingoo.model.extraction import UNREADABLE
from chingoo.ports.machine import Metrics
from chingoo.service.voice import Voice

Proposed = tuple[str, tuple[Delta, ...]]
"""What became of the question, and the deltas of the answer; none where it makes no sense."""

ASKED: Final = "chingoo_extractions_total"
DELTAS: Final = "chingoo_extraction_deltas_total"


class GatedExtraction:
    """The extraction of turns. What is late, fails or makes no sense loses nothing: a batch looks at the message."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def ask(self, view: TurnView, voice: Voice) -> asyncio.Task[Proposed] | None:
        """Ask beside what the turn does next, within its deadline; None where the gate stays closed."""
        return asyncio.ensure_future(self._answered(view, voice)) if opens(view) else None

    async def heard(self, view: TurnView, pending: asyncio.Task[Proposed] | None) -> TurnView:
        """The turn with what the model proposes, if it has answered by now or does within the patience of policy."""
        if pending is None:
            return view
        done, _ = await asyncio.wait({pending}, timeout=view.compiled.bundle.extraction.wait_seconds)
        if not done:
            self._metrics.count(ASKED, {"outcome": "late"})
            return view
        outcome, proposed = pending.result()
        self._metrics.count(ASKED, {"outcome": outcome})
        return view_with(view, proposed)

    def settled(self, view: TurnView) -> None:
        """Count what became of what was proposed, once the turn is written."""
        for outcome in view.remembered.judged:
            self._metrics.count(DELTAS, {"outcome": outcome})

    async def _answered(self, view: TurnView, voice: Voice) -> Proposed:
        bundle = view.compiled.bundle
        shape = bundle.answers[EXTRACTION]
        schema = asked_deltas(shape, extracted_families(bundle))
        text = await voice.ask("extract", MECHANICS, extraction_prompt(view), bool, tries=1, schema=schema)
        if text is None:
            return "failed", ()
        deltas = read_deltas(shape, text)
        return (UNREADABLE, ()) if deltas is None else ("answered", deltas)


async def let_go(pending: asyncio.Task[Proposed] | None) -> None:
    """End what is still under way, and see it end, so that its call is recorded with the turn."""
    if pending is not None:
        pending.cancel()
        await asyncio.wait({pending})
