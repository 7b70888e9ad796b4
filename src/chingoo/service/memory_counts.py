"""Counts what settled turns learned and what people corrected: by kind and language, nobody's (TEL-06, TEL-09)."""

from typing import Final

from chingoo.model.enums import MemoryStatus
from chingoo.model.turn import Settlement
from chingoo.ports.machine import Metrics

LEARNED: Final = "chingoo_memories_learned_total"
SUPERSEDED: Final = "chingoo_memories_superseded_total"
CORRECTED: Final = "chingoo_memory_corrections_total"
DEACTIVATED: Final = "chingoo_memory_corrections_deactivated_total"
DISPUTED: Final = "chingoo_memory_corrections_disputed_total"


def count_memories(metrics: Metrics, settled: Settlement) -> None:
    """Count the memory changes and corrections of a turn that was written."""
    language = settled.decision.language
    for change in settled.memory_changes:
        memory = change.memory
        if change.op == "insert" and memory.status is MemoryStatus.ACTIVE:
            metrics.count(LEARNED, {"source": memory.extracted_from, "type": memory.type, "language": language})
        elif change.op == "update" and memory.status is MemoryStatus.SUPERSEDED:
            metrics.count(SUPERSEDED, {"type": memory.type, "language": language})
    for correction in settled.corrections:
        metrics.count(CORRECTED, {"type": correction.correction_type, "language": language})
        if correction.deactivated_memory_id is not None:
            metrics.count(DEACTIVATED, {"language": language})
        if correction.disputed_memory_id is not None:
            metrics.count(DISPUTED, {"language": language})
