"""What a proposal that has evidence does to what is known: a fact to learn, a record that goes, or why neither (C-39).

A model is never heard against the person: not under keys that may not be learned, not with a message that is older than
what is known, and not with one that taught the same before and is not believed any more.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID

from chingoo.memory.deltas import Delta, Op
from chingoo.memory.keys import KeyGrammar
from chingoo.memory.lifecycle import Remembering
from chingoo.memory.sameness import Sameness
from chingoo.memory.validate import Evidence
from chingoo.model.corrections import InvalidReason
from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import ExtractedFrom
from chingoo.model.people import Memory
from chingoo.policy.documents.extraction import ExtractionDocument
from chingoo.policy.documents.memory import MemoryDocument, MemoryFamily
from chingoo.text.normalise import normalise, strip_invisible

Spent = Callable[[str, Evidence], bool]
"""Whether a message may not teach anything under this key (any more)."""


class Refusal(StrEnum):
    """Why something that has evidence is not learned; the label it is counted under, beside those of the validator."""

    MALFORMED = "rejected_malformed"
    FAMILY = "rejected_unknown_family"
    SUPPRESSED = "rejected_suppressed"
    OUTDATED = "rejected_outdated"


@dataclass(frozen=True, slots=True)
class Ground:
    """What claims are made on: the person's messages, oldest first, and the keys that may not be learned."""

    said: Sequence[Evidence]
    suppressed: frozenset[str]
    spent: Spent
    source: ExtractedFrom

    def place(self, message_ids: Iterable[UUID]) -> int:
        """The place of the newest of these messages; -1 where none is there, as what was said long ago is not."""
        places = {one.message_id: place for place, one in enumerate(self.said)}
        return max((places.get(one, -1) for one in message_ids), default=-1)


class Claims:
    """The claims of one policy."""

    def __init__(
        self, policy: ExtractionDocument, memory: MemoryDocument, grammar: KeyGrammar, sameness: Sameness
    ) -> None:
        self._policy, self._memory, self._grammar, self._sameness = policy, memory, grammar, sameness

    def named(self, delta: Delta, work: Remembering, ground: Ground) -> Delta:
        """The delta under the key that its thing is known, or not to be known, by (NORM-10); the value as said."""
        key = self._sameness.known_as(delta.knowledge_key, work.active, sorted(ground.suppressed))
        return delta if key == delta.knowledge_key else replace(delta, knowledge_key=key)

    def take(self, delta: Delta, record: Memory | None, work: Remembering, ground: Ground) -> Refusal | None:
        """Let `work` learn what a validated delta says, with the confidence of its source (C-40); or why not."""
        family, evidence = self._memory.families[delta.knowledge_type], set(delta.evidence)
        current = record if record is not None else work.under(delta.knowledge_key)
        if delta.knowledge_key in ground.suppressed:
            return Refusal.SUPPRESSED
        if any(ground.spent(delta.knowledge_key, one) for one in ground.said if one.message_id in evidence):
            return Refusal.OUTDATED
        if delta.op is Op.REMOVE:
            return self._remove(delta, current, work, ground)
        if ground.source not in family.initial_confidence:
            return Refusal.FAMILY
        return self._learn(delta, family, current, work, ground)

    def _remove(self, delta: Delta, current: Memory | None, work: Remembering, ground: Ground) -> Refusal | None:
        if current is None or _is_older(delta, current, ground):
            return Refusal.OUTDATED
        work.invalidate(current.memory_id, InvalidReason.DENIED)
        return None

    def _learn(
        self, delta: Delta, family: MemoryFamily, current: Memory | None, work: Remembering, ground: Ground
    ) -> Refusal | None:
        value = self._value(delta, family, current)
        if value is None:
            return Refusal.MALFORMED
        if current is not None and not _same(current.memory_value, value):
            if delta.op is Op.CONFIRM:
                return Refusal.MALFORMED
            if _is_older(delta, current, ground):
                return Refusal.OUTDATED
        fact = ExtractedFact(
            type=delta.knowledge_type,
            memory_key=delta.knowledge_key,
            memory_value=value,
            confidence=family.initial_confidence[ground.source],
            extracted_from=ground.source.value,
            expires_at=delta.expires_at if delta.expires_at is not None or current is None else current.expires_at,
        )
        work.learn(fact, evidence=delta.evidence)
        return None

    def _value(self, delta: Delta, family: MemoryFamily, current: Memory | None) -> str | None:
        """The value as it may be stored; what is confirmed without one keeps the one it has."""
        given = delta.value
        if current is not None:
            confirms = given is None and delta.op is Op.CONFIRM
            given = current.memory_value if confirms else given and self._sameness.value_under(current, given)
        words = " ".join(strip_invisible(given or "").split())
        if not words or len(words) > self._policy.longest_value:
            return None
        grammar, key = self._grammar, delta.knowledge_key
        value = grammar.value_of(key, words)
        if value is None or not grammar.fits_value(key, value):
            return None
        item = "" if family.dated or family.ttl_days is not None else grammar.item(key)
        # Where the thing itself stands in the key, the value has to be that thing: `allergy:nickel` is nickel.
        return value if not item or self._sameness.is_of(key, grammar.stated(key, value).value) else None


def _is_older(delta: Delta, current: Memory, ground: Ground) -> bool:
    """Whether the record was said, or put right, no earlier than this: the newest truth wins, and patterns first."""
    if ground.place(delta.evidence) <= ground.place(current.evidence_message_ids):
        return True
    newest = max(one.said_at for one in ground.said if one.message_id in set(delta.evidence))
    return newest < current.last_confirmed_at


def _same(first: str, second: str) -> bool:
    return first == second or normalise(first).match == normalise(second).match != ""
