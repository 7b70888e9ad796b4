"""What a batch of messages shows a model, and what its answer does to what is remembered (BATCH-04…11, C-38, C-81)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC
from hashlib import sha256
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from chingoo.engine.evaluate import evaluate
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.extraction import material_prompt
from chingoo.flow.identity import memory_id
from chingoo.flow.proposals import learned
from chingoo.memory.claims import Ground
from chingoo.memory.deltas import Delta
from chingoo.memory.lifecycle import Remembering, Source
from chingoo.memory.review import is_drawn
from chingoo.memory.validate import Evidence, Verdict
from chingoo.model.corrections import InvalidReason
from chingoo.model.decision import EvaluationInput
from chingoo.model.enums import ExtractedFrom, MemoryStatus, MemoryWritePolicy, Role
from chingoo.model.extraction import DueBatch
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.llm import ChatMessage
from chingoo.model.people import Controls, Memory, StoredMessage, User
from chingoo.model.reviews import Sample
from chingoo.policy.bundle import Bundle
from chingoo.text.language import OTHER, detect_language
from chingoo.text.normalise import normalise
from chingoo.text.sentences import split_sentences

_MIXED: Final = "mixed"


def to_learn_from(
    compiled: CompiledPolicy, user: User, controls: Controls, messages: Sequence[StoredMessage]
) -> tuple[StoredMessage, ...]:
    """The messages without those of the person that nothing may be learned from: crises, and what policy refuses."""
    return tuple(one for one in messages if one.role is not Role.USER or _may_teach(compiled, user, controls, one))


def batch_prompt(
    compiled: CompiledPolicy,
    due: DueBatch,
    controls: Controls,
    memories: Sequence[Memory],
    messages: Sequence[StoredMessage],
) -> tuple[ChatMessage, ...]:
    """The call: what this friend knows and may speak of, and what was said since, both sides of it (BATCH-04)."""
    known = [
        one
        for one in memories
        if one.ai_friend_id == due.ai_friend_id
        and one.status is MemoryStatus.ACTIVE
        and one.memory_key not in controls.suppressed_memory_keys
    ]
    return material_prompt(compiled.bundle, known, [(one.role, one.message_id, one.text or "") for one in messages])


def learn_batch(
    compiled: CompiledPolicy,
    due: DueBatch,
    run_id: UUID,
    user: User,
    messages: Sequence[StoredMessage],
    deltas: Sequence[Delta],
    remembered: Remembered,
) -> tuple[MemoryEdit, Mapping[str, int]]:
    """The edit that what passes makes, and how many deltas were judged how.

    Evidence are the person's messages of the batch that are not forgotten by now. One that taught the same before and
    is not believed any more teaches nothing under that key: it was corrected, replaced or forgotten since.
    """
    hidden = {one.message_id for one in remembered.forgotten}
    own = [one for one in messages if one.role is Role.USER and one.message_id not in hidden]
    if not own:
        return MemoryEdit(), {}
    said = [
        Evidence(one.message_id, due.conversation_id, number, one.text or "", one.created_at)
        for number, one in enumerate(own)
    ]
    of_friend = [one for one in remembered.memories if one.ai_friend_id == due.ai_friend_id]
    gone = [one for one in of_friend if one.status is not MemoryStatus.ACTIVE]
    work = Remembering(
        compiled.bundle.memory,
        compiled.memory.keys,
        # As of the newest message, not of the job: what is said meanwhile is newer than what was said before.
        Source(due.user_id, due.ai_friend_id, max(one.created_at for one in own), evidence=()),
        (one for one in of_friend if one.status is MemoryStatus.ACTIVE),
        remembered.suppressed_memory_keys,
        lambda key, ordinal: memory_id(due.user_id, due.ai_friend_id, key, run_id, ordinal),
    )

    spent = _Spent(compiled, gone, said)
    ground = Ground(said, frozenset(remembered.suppressed_memory_keys), spent.is_spent, ExtractedFrom.BATCH)
    zone = ZoneInfo(user.answers.client_timezone) if user.answers.client_timezone else UTC
    counts = Counter(learned(compiled, work, deltas, ground, zone))
    return MemoryEdit(changes=work.changes()), counts


def revision_of(bundle: Bundle, model: str) -> str:
    """What made a batch's memories: the words of the prompt, and the model. Another of them is to be tried anew."""
    prompt = bundle.extraction.prompt
    return sha256("\0".join((prompt.system, prompt.user, prompt.family, model)).encode()).hexdigest()[:16]


def drawn(
    compiled: CompiledPolicy, edit: MemoryEdit, messages: Sequence[StoredMessage], share: float, revision: str
) -> tuple[Sample, ...]:
    """What is drawn of the memories that a batch makes, for people to look at (BATCH-13)."""
    policy = compiled.bundle.extraction.batch.review
    return tuple(
        Sample(memory.memory_id, _language(compiled, _texts(memory, messages)), revision)
        for memory in (change.memory for change in edit.changes if change.op == "insert")
        if memory.status is MemoryStatus.ACTIVE and is_drawn(policy, memory.memory_id, share)
    )


def applied(counts: Mapping[str, int]) -> int:
    """How many deltas passed."""
    return counts.get(Verdict.ACCEPTED, 0)


class _Spent:
    """What may not be learned from which message, because it was said before the person took it back (C-39)."""

    def __init__(self, compiled: CompiledPolicy, gone: Sequence[Memory], said: Sequence[Evidence]) -> None:
        self._sameness, self._gone = compiled.memory.sameness, gone
        self._born = {one.memory_id: one.created_at for one in gone}
        takes_back = compiled.memory.corrections.takes_back
        self._taken_back_at = max((one.said_at for one in said if takes_back(one.text)), default=None)

    def is_spent(self, memory_key: str, message: Evidence) -> bool:
        """Whether a record of this thing is gone that the message made, or that was taken back after it."""
        return any(
            message.message_id in one.evidence_message_ids or self._is_before_the_end(message, one)
            for one in self._gone
            if self._sameness.are_one(one.memory_key, memory_key)
        )

    def _is_before_the_end(self, message: Evidence, memory: Memory) -> bool:
        """An end has no instant of its own: it is the newest message that may have taken it back, or its last word."""
        if memory.invalid_reason == InvalidReason.MESSAGE_FORGOTTEN:
            return False
        replaced_at = self._born.get(memory.superseded_by) if memory.superseded_by is not None else None
        taken_back_at = self._taken_back_at if memory.status is MemoryStatus.INVALID else None
        ends = (memory.last_confirmed_at, replaced_at, taken_back_at)
        return message.said_at <= max(end for end in ends if end is not None)


def _may_teach(compiled: CompiledPolicy, user: User, controls: Controls, message: StoredMessage) -> bool:
    decision = evaluate(
        compiled.engine,
        EvaluationInput(
            text=message.text or "",
            received_at=message.created_at,
            user_state=user.state,
            age_band=user.safety_age_band,
            mode=message.mode,
            country=user.answers.country_or_region,
            client_timezone=user.answers.client_timezone,
            suppressed_topics=frozenset(controls.suppressed_topics),
            claimed_under_13=user.claimed_under_13,
        ),
    )
    return decision.routing.memory_write_policy is not MemoryWritePolicy.NONE and not decision.signals.crisis.detected


def _texts(memory: Memory, messages: Sequence[StoredMessage]) -> list[str]:
    return [one.text or "" for one in messages if one.message_id in memory.evidence_message_ids]


def _language(compiled: CompiledPolicy, texts: Sequence[str]) -> str:
    """What the evidence is written in: `mixed` where that is several languages, in one message or in all (TEL-17)."""
    parts = [sentence for text in texts for sentence in split_sentences(text, frozenset())]
    found = [detect_language(normalise(part).match, compiled.engine.languages) for part in parts]
    sure = {one.language for one in found if one.sure} or {one.language for one in found}
    return next(iter(sure)) if len(sure) == 1 else _MIXED if sure else OTHER
