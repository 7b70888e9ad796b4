"""The life of memories through one message: learned, confirmed, replaced, disputed, denied, expired; one net change.

Pure: the same memories and the same message give the same changes, so that a turn that finds somebody else's change
under its own runs it again. Each memory is in the change set at most once; a value that was said and taken back within
one message is inserted as SUPERSEDED, so that history keeps it (MEM-11).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from chingoo.memory.keys import KeyGrammar
from chingoo.model.corrections import InvalidReason
from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import ExtractedFrom, MemoryStatus
from chingoo.model.people import Memory, MemoryChange
from chingoo.policy.documents.memory import MemoryDocument
from chingoo.text.normalise import normalise

NewId = Callable[[str, int], UUID]
"""The id of the nth memory (from 0) that one message makes under a key."""

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Source:
    """Where a change comes from. `evidence` are the messages that say it, `context` those around them (C-33)."""

    user_id: UUID
    ai_friend_id: UUID
    at: datetime
    evidence: tuple[UUID, ...]
    context: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """What became of memories, each named once in a list, in the order it happened (api.md, `memory.*`)."""

    created: tuple[Memory, ...] = ()
    confirmed: tuple[Memory, ...] = ()
    superseded: tuple[Memory, ...] = ()
    invalidated: tuple[Memory, ...] = ()
    disputed: tuple[Memory, ...] = ()


class Remembering:
    """The memories of one (user, friend) while one message works on them.

    `active` are the ACTIVE ones; `suppressed` the keys that may not be learned (CORR-08). What was said under such a
    key is kept in `held_back`, for asking whether it may be remembered (C-25).
    """

    def __init__(
        self,
        policy: MemoryDocument,
        grammar: KeyGrammar,
        source: Source,
        active: Iterable[Memory],
        suppressed: Iterable[str],
        new_id: NewId,
    ) -> None:
        self._policy, self._grammar, self._source, self._new_id = policy, grammar, source, new_id
        self._suppressed = frozenset(suppressed)
        self._known: dict[UUID, Memory] = {memory.memory_id: memory for memory in active}
        self._now: dict[UUID, Memory] = dict(self._known)
        self._by_key: dict[str, UUID] = {memory.memory_key: memory.memory_id for memory in self._known.values()}
        self._active: tuple[Memory, ...] | None = None
        self._touched: dict[UUID, None] = {}
        self._confirmed: dict[UUID, None] = {}
        self._disputed: dict[UUID, None] = {}
        self._held_back: dict[str, ExtractedFact] = {}
        self._made: dict[str, int] = {}

    @property
    def held_back(self) -> tuple[ExtractedFact, ...]:
        """What was said under suppressed keys and not stored; the last value of each key."""
        return tuple(self._held_back.values())

    @property
    def active(self) -> tuple[Memory, ...]:
        """What is ACTIVE now, as the message leaves it."""
        if self._active is None:
            self._active = tuple(self._now[memory_id] for memory_id in self._by_key.values())
        return self._active

    def get(self, memory_id: UUID) -> Memory | None:
        """A memory that is ACTIVE now, by id."""
        memory = self._now.get(memory_id)
        return memory if memory is not None and memory.status is MemoryStatus.ACTIVE else None

    def under(self, memory_key: str) -> Memory | None:
        """The memory that is ACTIVE now under a key."""
        memory_id = self._by_key.get(memory_key)
        return None if memory_id is None else self._now[memory_id]

    def learn(self, fact: ExtractedFact, evidence: tuple[UUID, ...] | None = None) -> None:
        """The person said this: store, confirm or replace (MEM-09, MEM-10, PREF-02…04, C-60, UK-13).

        What fits no family is not stored (MEM-05); what is suppressed is held back (C-25). `evidence` stands in for
        the message where other messages said it, or none did.
        """
        grammar = self._grammar
        if not grammar.fits(fact.memory_key) or not grammar.fits_value(fact.memory_key, fact.memory_value):
            return
        if fact.memory_key in self._suppressed:
            self._held_back[fact.memory_key] = fact
            return
        current = self.under(fact.memory_key)
        if current is not None and self._is_over(current):
            self._leave(current, MemoryStatus.EXPIRED)
            current = None
        if current is None:
            self._insert(fact, fact.confidence, self._evidence(evidence))
        elif self._same_value(current, fact):
            self._merge(current, fact, self._evidence(evidence))
        else:
            self._supersede(current, fact, self._evidence(evidence))

    def confirm(self, memory_id: UUID) -> None:
        """The person says that it is right: no longer disputed, and as sure as if it were said again (CORR-10)."""
        memory = self.get(memory_id)
        if memory is not None:
            self._reinforce(memory, self._source.evidence)

    def dispute(self, memory_id: UUID) -> None:
        """The person doubts it: it stays ACTIVE and is marked; no row is added (CORR-10, UK-15)."""
        memory = self.get(memory_id)
        if memory is not None:
            self._set(replace(memory, is_disputed=True))
            self._disputed[memory_id] = None

    def invalidate(self, memory_id: UUID, reason: InvalidReason) -> None:
        """The person says that it is not so, or does not want it kept (CORR-03…05, MEM-12).

        What is not wanted is erased with the past of its key when the time to undo is over (C-68).
        """
        memory = self.get(memory_id)
        if memory is not None:
            over = self._source.at + timedelta(hours=self._policy.forgetting.undo_hours)
            forget_at = None if reason is InvalidReason.DENIED else over
            self._leave(replace(memory, invalid_reason=reason.value, forget_at=forget_at), MemoryStatus.INVALID)

    def expire(self) -> None:
        """Everything whose time is over leaves (UK-12)."""
        for memory in self.active:
            if self._is_over(memory):
                self._leave(memory, MemoryStatus.EXPIRED)

    def changes(self) -> tuple[MemoryChange, ...]:
        """The net change set: each memory at most once, and none that is as it was."""
        changes = []
        for memory_id in self._touched:
            before, after = self._known.get(memory_id), self._now[memory_id]
            if before is None:
                changes.append(MemoryChange("insert", after))
            elif before != after:
                changes.append(MemoryChange("update", after))
        return tuple(changes)

    def account(self) -> Account:
        """What became of which memory."""
        touched = [self._now[memory_id] for memory_id in self._touched]
        active = [memory for memory in touched if memory.status is MemoryStatus.ACTIVE]
        return Account(
            created=tuple(memory for memory in active if memory.memory_id not in self._known),
            confirmed=tuple(
                memory for memory in active if memory.memory_id in self._known and memory.memory_id in self._confirmed
            ),
            superseded=tuple(memory for memory in touched if memory.status is MemoryStatus.SUPERSEDED),
            invalidated=tuple(memory for memory in touched if memory.status is MemoryStatus.INVALID),
            disputed=tuple(memory for memory in active if memory.is_disputed and memory.memory_id in self._disputed),
        )

    def _evidence(self, instead: tuple[UUID, ...] | None) -> tuple[UUID, ...]:
        return self._source.evidence if instead is None else instead

    def _insert(self, fact: ExtractedFact, confidence: float, evidence: tuple[UUID, ...]) -> Memory:
        source, key = self._source, fact.memory_key
        ordinal = self._made.get(key, 0)
        self._made[key] = ordinal + 1
        memory = Memory(
            memory_id=self._new_id(key, ordinal),
            user_id=source.user_id,
            ai_friend_id=source.ai_friend_id,
            type=self._grammar.type_of(key) or fact.type,
            memory_key=key,
            memory_value=fact.memory_value,
            confidence=confidence,
            status=MemoryStatus.ACTIVE,
            extracted_from=ExtractedFrom(fact.extracted_from),
            created_at=source.at,
            last_confirmed_at=source.at,
            evidence_message_ids=evidence,
            context_message_ids=_joined(source.context, (), evidence) if evidence else (),
            expires_at=self._expiry(key, fact),
        )
        self._set(memory)
        self._by_key[key] = memory.memory_id
        return memory

    def _merge(self, current: Memory, fact: ExtractedFact, said: tuple[UUID, ...]) -> None:
        """The same again (MEM-09, C-58); the end of an event moves along (UK-18)."""
        expires_at = self._expiry(fact.memory_key, fact)
        if expires_at is not None and current.expires_at is not None and self._is_undated(expires_at):
            expires_at = max(expires_at, current.expires_at)
        surer = current.confidence if current.memory_id in self._known else max(current.confidence, fact.confidence)
        self._reinforce(replace(current, confidence=surer, expires_at=expires_at), said)

    def _supersede(self, current: Memory, fact: ExtractedFact, said: tuple[UUID, ...]) -> None:
        """Another value: the old record is replaced and kept; a contradicted preference begins lower (PREF-03)."""
        confidence = fact.confidence
        before = self._grammar.stated(current.memory_key, current.memory_value).stance
        if before != self._grammar.stated(fact.memory_key, fact.memory_value).stance:
            confidence = min(confidence, self._policy.contradicted_confidence)
        newer = self._insert(fact, confidence, said)
        self._set(replace(current, status=MemoryStatus.SUPERSEDED, superseded_by=newer.memory_id, is_disputed=False))

    def _reinforce(self, memory: Memory, said: tuple[UUID, ...]) -> None:
        """Surer by one step, and disputed no more; what is said twice in one message counts once."""
        source = self._source
        evidence = _joined(memory.evidence_message_ids, said)
        if evidence != memory.evidence_message_ids:
            memory = replace(
                memory,
                confidence=min(1.0, round(memory.confidence + self._policy.confirmation_step, _DECIMALS)),
                last_confirmed_at=source.at,
                evidence_message_ids=evidence,
                context_message_ids=_joined(memory.context_message_ids, source.context, evidence),
            )
        self._set(replace(memory, is_disputed=False))
        self._confirmed[memory.memory_id] = None

    def _leave(self, memory: Memory, status: MemoryStatus) -> None:
        self._set(replace(memory, status=status, is_disputed=False))
        self._by_key.pop(memory.memory_key, None)

    def _set(self, memory: Memory) -> None:
        self._active = None
        self._now[memory.memory_id] = memory
        self._touched[memory.memory_id] = None

    def _same_value(self, memory: Memory, fact: ExtractedFact) -> bool:
        if memory.memory_value == fact.memory_value:
            return True
        return normalise(memory.memory_value).match == normalise(fact.memory_value).match != ""

    def _expiry(self, memory_key: str, fact: ExtractedFact) -> datetime | None:
        """Only families that expire by themselves have an end; without a date of its own, after their days (UK-11)."""
        family = self._grammar.family(memory_key)
        if family is None or family.ttl_days is None:
            return None
        return fact.expires_at or self._source.at + timedelta(days=family.ttl_days)

    def _is_undated(self, expires_at: datetime) -> bool:
        """Whether this is the end of an event whose date nobody said; it never shortens a date that was said."""
        days = (family.ttl_days for family in self._policy.families.values() if family.ttl_days is not None)
        return any(expires_at == self._source.at + timedelta(days=number) for number in days)

    def _is_over(self, memory: Memory) -> bool:
        return memory.expires_at is not None and memory.expires_at <= self._source.at


def _joined(first: tuple[UUID, ...], second: tuple[UUID, ...], without: tuple[UUID, ...] = ()) -> tuple[UUID, ...]:
    """Both, each id once, without some."""
    return tuple(one for one in dict.fromkeys((*first, *second)) if one not in without)
