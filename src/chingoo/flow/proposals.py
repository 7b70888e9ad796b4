"""What a model proposes to remember, judged on what is known and said, and learned where it passes (MEM-07, C-39)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo
from uuid import UUID

from chingoo.engine.evaluate import evaluate
from chingoo.flow.before import talk_of
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.identity import memory_id
from chingoo.flow.records import evaluation_input, zone_of
from chingoo.memory.claims import Ground
from chingoo.memory.deltas import Delta
from chingoo.memory.lifecycle import Remembering
from chingoo.memory.validate import Evidence, Verdict
from chingoo.model.enums import ExtractedFrom, MemoryWritePolicy, Role
from chingoo.model.turn import Known, TurnRequest
from chingoo.text.normalise import normalise

_MADE_AT_MOST = 3
"""So many memories one message may have made under one key: a value, one that replaced it, and one more."""


def take_proposals(
    compiled: CompiledPolicy,
    request: TurnRequest,
    known: Known,
    work: Remembering,
    deltas: Sequence[Delta],
    suppressed: Sequence[str],
) -> tuple[str, ...]:
    """Judge each delta by itself and let `work` learn what passes; what became of each, as it is counted.

    Evidence are the person's messages of this talk that are still there, the one being answered the newest.
    """
    if not deltas:
        return ()
    talk = [one for one in talk_of(known.history, request.mode) if one.role is Role.USER]
    taught = {one.message_id: one.extracted_memory_candidate_ids for one in talk}
    told = [(one.message_id, one.text or "", one.created_at) for one in talk]
    told.append((request.message_id, request.text, known.received_at))
    said = [Evidence(one, request.conversation_id, number, text, at) for number, (one, text, at) in enumerate(told)]

    back = [one for one in said if compiled.memory.corrections.takes_back(one.text)]

    def spent(memory_key: str, message: Evidence) -> bool:
        if message.message_id == request.message_id:
            return False
        if any(one.number > message.number and _is_about(compiled, one.text, message.text) for one in back):
            return True  # What was taken back is not known here, so that nothing it may have meant teaches (C-39).
        gone = _unlearned(request, work, memory_key, message.message_id, taught[message.message_id])
        return gone or not _may_teach(compiled, request, known, message.text)

    ground = Ground(said, frozenset(suppressed), spent, ExtractedFrom.LLM)
    zone = zone_of(request, known)
    return learned(compiled, work, deltas, ground, zone)


def learned(
    compiled: CompiledPolicy, work: Remembering, deltas: Sequence[Delta], ground: Ground, zone: tzinfo
) -> tuple[str, ...]:
    """Judge each delta by itself, let `work` learn what passes, and say what became of each (C-59).

    An answer of more than `most_changes` is not trusted further: what is beyond is counted and dropped.
    """
    most = compiled.bundle.extraction.most_changes
    outcomes: list[str] = []
    for delta in (compiled.memory.claims.named(one, work, ground) for one in deltas[:most]):
        judged = compiled.memory.validator.judge((delta,), ground.said, work.active, zone)
        refused = [compiled.memory.claims.take(one, record, work, ground) for one, record in judged.accepted]
        outcomes += [one.value for one in refused if one is not None] or [one.value for one in judged.counts]
    return (*outcomes, *(Verdict.REJECTED_TOO_MANY.value for _ in deltas[most:]))


def _unlearned(
    request: TurnRequest, work: Remembering, memory_key: str, message_id: UUID, taught: tuple[UUID, ...]
) -> bool:
    """Whether the message taught this before and it is believed no more: corrected, denied, forgotten, replaced."""
    made = (
        memory_id(request.user_id, request.ai_friend_id, memory_key, message_id, ordinal)
        for ordinal in range(_MADE_AT_MOST)
    )
    return any(one in taught and work.get(one) is None for one in made)


def _may_teach(compiled: CompiledPolicy, request: TurnRequest, known: Known, text: str) -> bool:
    """Whether an earlier message was one to learn from: not in a crisis, and not what policy refuses (C-81, MEM-13)."""
    decision = evaluate(compiled.engine, replace(evaluation_input(compiled, request, known), text=text, history=()))
    nothing = decision.routing.memory_write_policy is MemoryWritePolicy.NONE
    return not nothing and not decision.signals.crisis.detected


def _is_about(compiled: CompiledPolicy, text: str, earlier: str) -> bool:
    """Whether something that may take things back may mean this: a command does, a denial by a word they share."""
    if compiled.memory.corrections.read(text).commands:
        return True
    least = compiled.bundle.memory.surfacing.least_characters
    words = (set(normalise(one).match.split()) for one in (text, earlier))
    return any(len(word) >= least for word in set.intersection(*words))
