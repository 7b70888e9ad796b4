"""Stored answers without what a person had forgotten: the words of a message, of a reply, or some memories (C-68)."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

Answer = Mapping[str, Any]


def without_words(answer: Answer) -> dict[str, Any]:
    """The answer to a forgotten message: what was decided stays, what was said and learned goes."""
    changed = dict(answer)
    signals = answer.get("signals")
    if isinstance(signals, Mapping):
        topics = [{**topic, "hits": []} for topic in signals.get("topics", ())]
        crisis = {**signals.get("crisis", {}), "phrases": []}
        changed["signals"] = {
            **signals, "user_text_norm": "", "norm_no_punct": "", "topics": topics, "crisis": crisis
        }  # fmt: skip
    memory = answer.get("memory")
    if isinstance(memory, Mapping):
        changed["memory"] = {name: [] for name in memory}
    return with_reply(changed, None)


def with_reply(answer: Answer, text: str | None) -> dict[str, Any]:
    """The answer with these words of the friend, or with none."""
    reply = answer.get("reply")
    return {**answer, "reply": {**reply, "text": text or ""}} if isinstance(reply, Mapping) else dict(answer)


def without_memories(answer: Answer, memory_ids: Collection[UUID]) -> dict[str, Any]:
    """The answer without these memories in its account of what the turn did."""
    memory = answer.get("memory")
    if not isinstance(memory, Mapping):
        return dict(answer)
    gone = {str(memory_id) for memory_id in memory_ids}
    kept = {name: [row for row in rows if row.get("memory_id") not in gone] for name, rows in memory.items()}
    return {**answer, "memory": kept}
