"""Counts what turns learned and showed, and what people corrected and forgot: nobody's (TEL-06, TEL-09, TEL-10)."""

from typing import Final

from chingoo.model.enums import MemoryStatus
from chingoo.model.turn import Settlement
from chingoo.ports.machine import Metrics

LEARNED: Final = "chingoo_memories_learned_total"
SUPERSEDED: Final = "chingoo_memories_superseded_total"
SHOWN: Final = "chingoo_memories_shown_total"
CORRECTED: Final = "chingoo_memory_corrections_total"
DEACTIVATED: Final = "chingoo_memory_corrections_deactivated_total"
DISPUTED: Final = "chingoo_memory_corrections_disputed_total"

FORGOTTEN: Final = "chingoo_forgotten_messages_total"
FORGOTTEN_MEMORIES: Final = "chingoo_forgotten_memories_total"


def count_memories(metrics: Metrics, settled: Settlement) -> None:
    """Count the memory changes and corrections of a turn that was written."""
    language = settled.decision.language
    for change in settled.memory_changes:
        memory = change.memory
        if change.op == "insert" and memory.status is MemoryStatus.ACTIVE:
            metrics.count(LEARNED, {"source": memory.extracted_from, "type": memory.type, "language": language})
        elif change.op == "update" and memory.status is MemoryStatus.SUPERSEDED:
            metrics.count(SUPERSEDED, {"type": memory.type, "language": language})
    shown = len(settled.reply.surfaced_memory_ids)
    if shown:
        metrics.count(SHOWN, {"language": language}, shown)
    for correction in settled.corrections:
        metrics.count(CORRECTED, {"type": correction.correction_type, "language": language})
        if correction.deactivated_memory_id is not None:
            metrics.count(DEACTIVATED, {"language": language})
        if correction.disputed_memory_id is not None:
            metrics.count(DISPUTED, {"language": language})


def count_forgetting(metrics: Metrics, messages: int, memories: int) -> None:
    """Count a message that was forgotten, if it was not before, and the memories that rested on it alone (TEL-10)."""
    metrics.count(FORGOTTEN, value=messages)
    metrics.count(FORGOTTEN_MEMORIES, value=memories)
