"""The gate that every memory a model proposes must pass: evidence, subject, anchors, independence (BATCH-11, C-38)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from itertools import combinations
from uuid import UUID

from chingoo.engine.engine import match_tables
from chingoo.engine.images import Matchers
from chingoo.engine.matcher import Matcher
from chingoo.memory.deltas import Delta, Op
from chingoo.memory.keys import STANCE_MARK, KeyGrammar
from chingoo.model.people import Memory
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import WordList
from chingoo.policy.documents.evidence import EvidenceDocument
from chingoo.policy.documents.memory import MemoryDocument
from chingoo.text.normalise import normalise

SUBJECT = "user"
_OF_RECORDS = frozenset({Op.REMOVE, Op.CONFIRM})


class Verdict(StrEnum):
    """What became of a delta; every one of them is counted (C-59)."""

    ACCEPTED = "accepted"
    REJECTED_TOO_MANY = "rejected_too_many"
    REJECTED_MALFORMED = "rejected_malformed"
    REJECTED_UNKNOWN_FAMILY = "rejected_unknown_family"
    REJECTED_UNKNOWN_RECORD = "rejected_unknown_record"
    REJECTED_SUBJECT = "rejected_subject"
    REJECTED_MISSING_EVIDENCE = "rejected_missing_evidence"
    REJECTED_LOW_CONFIDENCE = "rejected_low_confidence"
    REJECTED_ANCHOR = "rejected_anchor"
    REJECTED_NOT_INDEPENDENT = "rejected_not_independent"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A message of the person that may be pointed at. `number` counts their own messages in its conversation."""

    message_id: UUID
    conversation_id: UUID
    number: int
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Judged:
    """What passed, with the record it is about where it is about one, and how many were judged how."""

    accepted: tuple[tuple[Delta, Memory | None], ...]
    counts: Mapping[Verdict, int]


@dataclass(frozen=True, slots=True)
class _Proposal:
    """A delta with the record it is about and its evidence; no evidence unless all of it is there."""

    delta: Delta
    record: Memory | None
    evidence: tuple[Evidence, ...]
    zone: tzinfo


class Validator:
    """Immutable and ready; made once for a bundle."""

    def __init__(self, policy: EvidenceDocument, memory: MemoryDocument, anchors: Matcher) -> None:
        self._policy, self._memory, self._anchors = policy, memory, anchors
        self._grammar = KeyGrammar(memory)

    def judge(
        self, deltas: Iterable[Delta], said: Iterable[Evidence], active: Iterable[Memory], zone: tzinfo
    ) -> Judged:
        """Judge the deltas one by one.

        `said` are this person's own messages and nobody else's, `active` their ACTIVE records; `zone` is where they
        live: its midnights part days.
        """
        messages = {message.message_id: message for message in said}
        records, laws = tuple(active), self._laws()
        accepted: list[tuple[Delta, Memory | None]] = []
        counts: Counter[Verdict] = Counter()
        for delta in deltas:
            proposal = _Proposal(delta, _record(delta, records), _evidence(delta, messages), zone)
            verdict = next((verdict for verdict, holds in laws if not holds(proposal)), Verdict.ACCEPTED)
            counts[verdict] += 1
            if verdict is Verdict.ACCEPTED:
                accepted.append((delta, proposal.record))
        return Judged(tuple(accepted), counts)

    def _laws(self) -> "tuple[tuple[Verdict, Callable[[_Proposal], bool]], ...]":
        """In the order in which they are asked. Not kept: what holds its own methods outlives its last user."""
        return (
            (Verdict.REJECTED_UNKNOWN_FAMILY, self._is_known),
            (Verdict.REJECTED_MALFORMED, self._has_value),
            (Verdict.REJECTED_UNKNOWN_RECORD, self._has_record),
            (Verdict.REJECTED_SUBJECT, lambda proposal: proposal.delta.subject == SUBJECT),
            (Verdict.REJECTED_MISSING_EVIDENCE, lambda proposal: bool(proposal.evidence)),
            (Verdict.REJECTED_LOW_CONFIDENCE, self._is_sure),
            (Verdict.REJECTED_ANCHOR, self._is_anchored),
            (Verdict.REJECTED_NOT_INDEPENDENT, self._is_told),
        )

    def _is_known(self, proposal: "_Proposal") -> bool:
        """Whether the key is one, of the family the delta says (MEM-05)."""
        key = proposal.delta.knowledge_key
        return self._grammar.fits(key) and self._grammar.type_of(key) == proposal.delta.knowledge_type

    def _has_record(self, proposal: "_Proposal") -> bool:
        """Whether there is a record to change, for what changes one."""
        delta = proposal.delta
        needed = delta.op in _OF_RECORDS or delta.knowledge_id is not None
        return proposal.record is not None or not needed

    def _is_sure(self, proposal: "_Proposal") -> bool:
        return proposal.delta.confidence >= self._policy.least_confidence

    def _is_told(self, proposal: "_Proposal") -> bool:
        """Whether the person said it in so many words, or said it twice (BATCH-07, C-38)."""
        return self._is_declared(proposal) or self._is_independent(proposal)

    def _has_value(self, proposal: "_Proposal") -> bool:
        """Whether the value is what its operation and family want: a stance where there is one, nothing to remove."""
        delta = proposal.delta
        if delta.op in _OF_RECORDS:
            return True
        if delta.value is None or not delta.value.strip():
            return False
        stances = self._memory.families[delta.knowledge_type].stances
        stated = self._grammar.stated(delta.knowledge_key, delta.value)
        return bool(stated.value.strip()) and (not stances or stated.stance is not None)

    def _is_anchored(self, proposal: "_Proposal") -> bool:
        """Whether the words of its evidence speak of what the family is about (BATCH-12)."""
        family = proposal.delta.knowledge_type
        if family not in self._policy.anchors:
            return True
        return any(self._anchors.scan(normalise(one.text)).has(family) for one in proposal.evidence)

    def _is_declared(self, proposal: "_Proposal") -> bool:
        """Whether one message is enough: a hard fact, or something the person said in so many words (C-38 a, b)."""
        delta, record = proposal.delta, proposal.record
        if self._memory.families[delta.knowledge_type].guaranteed:
            return True
        value = delta.value if delta.value is not None else record.memory_value if record is not None else ""
        words = frozenset(normalise(value.rpartition(STANCE_MARK)[2]).match.split())
        enough = self._policy.declared_above * len(words)
        return any(len(words.intersection(normalise(one.text).match.split())) > enough for one in proposal.evidence)

    def _is_independent(self, proposal: "_Proposal") -> bool:
        """Whether two of the messages are apart (BATCH-08); two in a row of one exchange never are (C-38)."""
        return any(self._are_apart(one, other, proposal.zone) for one, other in combinations(proposal.evidence, 2))

    def _are_apart(self, one: Evidence, other: Evidence, zone: tzinfo) -> bool:
        if abs(one.said_at - other.said_at) > timedelta(minutes=self._policy.apart_minutes):
            return True
        if one.conversation_id == other.conversation_id and abs(one.number - other.number) <= 1:
            return False
        other_day = one.said_at.astimezone(zone).date() != other.said_at.astimezone(zone).date()
        return other_day or normalise(one.text).match != normalise(other.text).match


def _evidence(delta: Delta, messages: Mapping[UUID, Evidence]) -> tuple[Evidence, ...]:
    found = tuple(messages[message_id] for message_id in delta.evidence if message_id in messages)
    return found if len(found) == len(delta.evidence) else ()


def _record(delta: Delta, records: tuple[Memory, ...]) -> Memory | None:
    """The ACTIVE record a delta is about: the one it names, if that has its key, or the one of its key."""
    for record in records:
        named = delta.knowledge_id is None or record.memory_id == delta.knowledge_id
        if named and record.memory_key == delta.knowledge_key:
            return record
    return None


def build_validator(bundle: Bundle, matchers: Matchers | None = None) -> Validator:
    """A validator for a bundle. EntryError: an anchor cannot be matched."""
    lists = {family: WordList(bundle.evidence.place, words) for family, words in bundle.evidence.anchors.items()}
    matcher = (matchers or Matchers()).matcher("evidence", lists, match_tables(bundle.lexicons))
    return Validator(bundle.evidence, bundle.memory, matcher)
