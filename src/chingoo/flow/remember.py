"""What a turn does to memories: the person's commands, what the message states, and the net change of both."""

from dataclasses import dataclass
from uuid import UUID

from chingoo.flow.before import before_of, talk_of
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.hearing import heard, hearer
from chingoo.flow.identity import correction_id, memory_id, reply_id
from chingoo.flow.onboarding import onboarding_facts
from chingoo.flow.proposals import take_proposals
from chingoo.memory.deltas import Delta
from chingoo.memory.grammar import Reading
from chingoo.memory.lifecycle import Account, NewId, Remembering, Source
from chingoo.memory.obeying import Heeding, Obedience
from chingoo.memory.targets import Before, Hear
from chingoo.model.corrections import Heeded, MemoryAnswer
from chingoo.model.decision import Decision, ExtractedFact
from chingoo.model.enums import MemoryWritePolicy, TopicID
from chingoo.model.people import Memory, MemoryChange
from chingoo.model.turn import CorrectionRow, Known, TurnRequest
from chingoo.policy.documents.corrections import Command


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of memories in one turn.

    `active` is what the turn leaves ACTIVE; `known` are those of them that were known before and may be spoken of.
    `heeded` says what the person's commands led to, in order; `answers` what is answered in fixed words, `source_of`
    the memory whose origin was asked for. `only_commands`: the message holds nothing else. `judged` says what became of
    each thing that a model proposed.
    """

    changes: tuple[MemoryChange, ...]
    account: Account
    active: tuple[Memory, ...]
    known: tuple[Memory, ...]
    heeded: tuple[Heeded, ...] = ()
    answers: tuple[MemoryAnswer, ...] = ()
    source_of: UUID | None = None
    only_commands: bool = False
    corrections: tuple[CorrectionRow, ...] = ()
    suppressed_keys: tuple[str, ...] = ()
    unsuppressed_keys: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Allowed:
    """Keys that may be remembered again, what to learn of them at once, and the message that said it."""

    keys: tuple[str, ...] = ()
    facts: tuple[ExtractedFact, ...] = ()
    said_id: UUID | None = None
    heeded: tuple[Heeded, ...] = ()


def remember(
    compiled: CompiledPolicy,
    request: TurnRequest,
    known: Known,
    decision: Decision,
    reading: Reading,
    closed: tuple[TopicID, ...] | None,
    proposed: tuple[Delta, ...] = (),
) -> Remembered:
    """Run the pure part. Corrections work in every pipeline (C-63); what is stated is learned where routing allows.

    `closed` are the topics that the message closes, None if it closes none. `proposed` is what a model would remember.
    """
    policy, memory = compiled.bundle.memory, compiled.memory
    before = before_of(compiled, talk_of(known.history, request.mode))
    hear = hearer(compiled, request, known)
    allowed = _allowed(compiled, reading, before, known, hear)
    suppressed = [key for key in known.controls.suppressed_memory_keys if key not in allowed.keys]
    work = Remembering(
        policy, memory.keys, _source(request, known, before), known.memories, suppressed, _ids_of(request)
    )
    work.expire()
    for fact in onboarding_facts(compiled.bundle, known) if known.activated else ():
        work.learn(fact, evidence=())
    obedience = Obedience(policy, memory.keys, memory.corrections, memory.names, work, before, hear)
    heeding = obedience.obey(reading)
    facts = _stated(compiled, request, known, decision, reading, heeding, hear)
    obedience.deny(reading, facts)
    for fact in allowed.facts:
        work.learn(fact, evidence=tuple(one for one in (allowed.said_id, request.message_id) if one is not None))
    for fact in facts:
        if fact.memory_key not in heeding.suppressed and heeding.denied.get(fact.memory_key) != fact.memory_value:
            work.learn(fact)
    held_back = bool(work.held_back)
    judged = take_proposals(compiled, request, known, work, proposed, (*suppressed, *heeding.suppressed))
    changes = work.changes()
    made = {change.memory.memory_id for change in changes if change.op == "insert"}
    unspoken = {*suppressed, *(one.memory_key for one in work.active if one.memory_id in made)} if made else suppressed
    return Remembered(
        changes=changes,
        account=work.account(),
        active=work.active,
        known=tuple(one for one in work.active if one.memory_key not in unspoken),
        heeded=_heeded(allowed, heeding, closed),
        answers=(*heeding.answers, *((MemoryAnswer.CONSENT_ASKED,) if held_back else ())),
        source_of=heeding.source_of,
        only_commands=reading.only_commands and not heeding.talk,
        corrections=_rows(request, heeding),
        suppressed_keys=tuple(key for key in heeding.suppressed if key not in known.controls.suppressed_memory_keys),
        unsuppressed_keys=tuple(key for key in allowed.keys if key not in heeding.suppressed),
        judged=judged,
    )


def _ids_of(request: TurnRequest) -> NewId:
    def new_id(memory_key: str, ordinal: int) -> UUID:
        return memory_id(request.user_id, request.ai_friend_id, memory_key, request.message_id, ordinal)

    return new_id


def _source(request: TurnRequest, known: Known, before: Before) -> Source:
    """The message as evidence; the reply before it and the reply to it as what stands around (C-33)."""
    around = () if before.reply is None else (before.reply.message_id,)
    return Source(
        user_id=request.user_id,
        ai_friend_id=request.ai_friend_id,
        at=known.received_at,
        evidence=(request.message_id,),
        context=(*around, reply_id(request.user_id, request.message_id)),
    )


def _allowed(compiled: CompiledPolicy, reading: Reading, before: Before, known: Known, hear: Hear) -> _Allowed:
    """What the person lets be remembered again (C-25): on being asked, by telling it to remember, or by its name."""
    suppressed = known.controls.suppressed_memory_keys
    if not suppressed or not reading.commands:
        return _Allowed()
    agrees = reading.first(Command.CONSENT) is not None
    if before.reply is not None and before.reply.fixed:
        agrees = agrees or reading.first(Command.CONFIRM) is not None
    if agrees and before.said_text is not None:
        facts = tuple(fact for fact in hear(before.said_text) if fact.memory_key in suppressed)
        if facts:
            keys = tuple(dict.fromkeys(fact.memory_key for fact in facts))
            return _Allowed(keys, facts, before.said_id, (Heeded.REMEMBERED,))
    told = [fact.memory_key for said in reading.of(Command.REMEMBER) for fact in hear(said.x)]
    again = [key for key in told if key in suppressed]
    for said in reading.of(Command.ALLOW):
        again += compiled.memory.names.keys_meant(said.x, suppressed, hear)
    return _Allowed(tuple(dict.fromkeys(again)), heeded=(Heeded.ALLOWED,) if again else ())


def _stated(
    compiled: CompiledPolicy,
    request: TurnRequest,
    known: Known,
    decision: Decision,
    reading: Reading,
    heeding: Heeding,
    hear: Hear,
) -> tuple[ExtractedFact, ...]:
    """What the message states beside its commands, where it may be learned (MEM-13, POL-01…04, C-81)."""
    if decision.routing.memory_write_policy is MemoryWritePolicy.NONE or decision.signals.crisis.detected:
        return ()
    if not reading.commands:
        return heard(compiled, request, known, request.text, decision)
    told = [*heeding.talk, *(said.x for said in reading.of(Command.REMEMBER))]
    return hear(" ".join(told)) if told else ()


def _heeded(allowed: _Allowed, heeding: Heeding, closed: tuple[TopicID, ...] | None) -> tuple[Heeded, ...]:
    heeded = [*allowed.heeded, *heeding.heeded]
    if closed is not None:
        heeded.append(Heeded.TOPIC_CLOSED if closed else Heeded.TOPIC_UNCLEAR)
    return tuple(heeded)


def _rows(request: TurnRequest, heeding: Heeding) -> tuple[CorrectionRow, ...]:
    return tuple(
        CorrectionRow(
            correction_id=correction_id(request.user_id, request.message_id, number),
            correction_type=one.kind,
            corrected_message_id=one.about,
            deactivated_memory_id=one.deactivated,
            disputed_memory_id=one.disputed,
        )
        for number, one in enumerate(heeding.corrections)
    )
