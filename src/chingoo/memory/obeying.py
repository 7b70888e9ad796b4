"""Carries out what a person commands about what is remembered, in every pipeline (CORR-01…13, C-25, C-37, C-63)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from chingoo.memory.grammar import CorrectionGrammar, Reading, Said
from chingoo.memory.keys import KeyGrammar
from chingoo.memory.lifecycle import Remembering
from chingoo.memory.targets import Before, Hear, Names, last_shown
from chingoo.model.corrections import CorrectionType, Heeded, InvalidReason, MemoryAnswer
from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import ExtractedFrom
from chingoo.model.people import Memory
from chingoo.policy.documents.corrections import Command
from chingoo.policy.documents.memory import MemoryDocument

_MOST_WORDS = 6
"""Words of a target or a new value; more is a story and no correction."""

_TYPES: Mapping[Command, CorrectionType] = {
    Command.DENY: CorrectionType.USER_DENIED,
    Command.BARE_NO: CorrectionType.USER_DENIED,
    Command.OUTDATED: CorrectionType.OUTDATED,
    Command.WRONG_SUBJECT: CorrectionType.WRONG_SUBJECT,
}


@dataclass(frozen=True, slots=True)
class Correction:
    """One thing that was corrected, for the log (DATA-02)."""

    kind: CorrectionType
    about: UUID | None
    deactivated: UUID | None = None
    disputed: UUID | None = None


@dataclass(slots=True)
class Heeding:
    """What the commands of one message led to.

    `denied` are keys with the values that the rest of the message may not bring back; `suppressed` keys may not come
    back at all. `talk` is what was no command after all.
    """

    heeded: dict[Heeded, None] = field(default_factory=dict)
    answers: dict[MemoryAnswer, None] = field(default_factory=dict)
    corrections: list[Correction] = field(default_factory=list)
    suppressed: dict[str, None] = field(default_factory=dict)
    source_of: UUID | None = None
    denied: dict[str, str] = field(default_factory=dict)
    talk: list[str] = field(default_factory=list)


class Obedience:
    """Carries out commands on one person's memories. `facts` are what the message states beside its commands."""

    def __init__(
        self,
        policy: MemoryDocument,
        keys: KeyGrammar,
        grammar: CorrectionGrammar,
        names: Names,
        work: Remembering,
        before: Before,
        hear: Hear,
    ) -> None:
        self._policy, self._keys, self._grammar, self._names = policy, keys, grammar, names
        self._work, self._before, self._hear = work, before, hear
        self._heeding = Heeding()

    def obey(self, reading: Reading) -> Heeding:
        """Carry out the commands of a message, those that name something before those that point at what was shown."""
        doers = self._doers()
        for said in reading.commands:
            doer = doers.get(said.command)
            if doer is not None:
                doer(said)
        self._heeding.talk += reading.talk
        asked = self._before.said.first(Command.EVERYTHING) is not None
        if asked and reading.only_commands and reading.first(Command.CONFIRM, Command.CONSENT) is not None:
            self._forget_everything()
        return self._heeding

    def _doers(self) -> Mapping[Command, Callable[[Said], None]]:
        """Who carries out what. Not kept: what holds its own methods outlives its turn, and the policies with it."""
        return {
            Command.FORGET_THAT: self._forget_last,
            Command.FORGET: self._forget,
            Command.EVERYTHING: self._everything,
            Command.REPLACE: self._replace,
            Command.DENY_NAMED: self._deny_named,
            Command.DISPUTE: self._dispute,
            Command.SOURCE: self._source,
            Command.KNOWN: lambda _: self._answer(MemoryAnswer.KNOWN_ASKED),
        }

    def deny(self, reading: Reading, facts: Sequence[ExtractedFact]) -> None:
        """Denials and confirmations, once it is known what the message states: a new value is no denial (CORR-06)."""
        told = {fact.memory_key for fact in facts}
        for sentence in self._heeding.talk:
            self._deny_stated(sentence, told)
        denial = reading.first(Command.DENY, Command.OUTDATED, Command.WRONG_SUBJECT, Command.BARE_NO)
        if denial is not None and not self._heeding.heeded.keys() & {Heeded.REPLACED, Heeded.FORGOTTEN}:
            self._deny_shown(denial.command, told)
        elif reading.first(Command.CONFIRM) is not None:
            self._confirm(told)

    def _deny_shown(self, command: Command, told: set[str]) -> None:
        reply, memory = self._before.reply, self._pointed_at()
        if memory is None:
            if command is not Command.BARE_NO and not self._heeding.denied:
                self._note(Heeded.UNCLEAR)
            return
        if memory.memory_key in told:
            self._replaced(memory, _TYPES[command])
        elif command is Command.BARE_NO and reply is not None and (len(reply.memory_ids) > 1 or reply.asks):
            self._disputed(memory)
        else:
            self._invalidated(memory, _TYPES[command])

    def _pointed_at(self) -> Memory | None:
        """What the last reply showed last; where it showed nothing, what the person has just doubted (CORR-10)."""
        return last_shown(self._before.reply, self._work.active) or self._in_doubt()

    def _in_doubt(self) -> Memory | None:
        if self._before.said.first(Command.DISPUTE, Command.BARE_NO) is None:
            return None
        memory = last_shown(self._before.earlier_reply, self._work.active)
        return memory if memory is not None and memory.is_disputed else None

    def _confirm(self, told: set[str]) -> None:
        memory = self._pointed_at()
        if memory is not None and memory.is_disputed and memory.memory_key not in told:
            self._work.confirm(memory.memory_id)
            self._note(Heeded.CONFIRMED)

    def _deny_stated(self, sentence: str, told: set[str]) -> None:
        """A sentence that denies the very value of a memory names its target itself (CORR-10)."""
        standing = [memory for memory in self._work.active if memory.memory_key not in told]
        for memory in self._names.denied(self._grammar.affirmed(sentence), standing, self._hear):
            self._invalidated(memory, CorrectionType.USER_DENIED)

    def _deny_named(self, said: Said) -> None:
        memories = self._names.named(said.name, self._work.active)
        if not memories:
            self._heeding.talk.append(said.text)
        for memory in memories:
            self._invalidated(memory, CorrectionType.USER_DENIED)

    def _dispute(self, _: Said) -> None:
        memory = last_shown(self._before.reply, self._work.active)
        if memory is not None:
            self._disputed(memory)
            return
        self._note(Heeded.UNCLEAR)
        if self._before.reply is not None:
            self._heeding.corrections.append(Correction(CorrectionType.AMBIGUOUS, self._before.reply.message_id))

    def _replace(self, said: Said) -> None:
        """`x, not y`: whatever single thing holds y now holds x (CORR-06, C-70); anything else is ordinary talk."""
        held = self._names.holding(said.y, self._work.active)
        if said.name:
            held = tuple(one for one in held if one in self._names.named(said.name, self._work.active))
        shown = last_shown(self._before.reply, held)
        memory = shown or (held[0] if held else None)
        fact = None if memory is None else self._renewed(memory, said.x)
        if memory is None or fact is None:
            self._heeding.talk.append(said.text)
            return
        self._work.learn(fact)
        self._replaced(memory, CorrectionType.USER_DENIED)

    def _renewed(self, memory: Memory, value: str) -> ExtractedFact | None:
        """The memory with another value, where it can be one: in the form its family wants, and not a whole story."""
        words = self._names.bare(value.strip(" \t\"'“”«».,!?"))
        stated = next((fact for fact in self._hear(value) if fact.memory_key == memory.memory_key), None)
        if stated is not None:
            return stated
        family, form = self._policy.families[memory.type], self._keys.value_of(memory.memory_key, words)
        if form is None or not 0 < len(words.split()) <= _MOST_WORDS:
            return None
        learned = ExtractedFrom.HEURISTIC if not family.guaranteed else ExtractedFrom.INSTANT_PATTERN
        confidence = family.initial_confidence[learned]
        return ExtractedFact(memory.type, memory.memory_key, form, confidence, learned, memory.expires_at)

    def _forget_last(self, _: Said) -> None:
        memory = last_shown(self._before.reply, self._work.active)
        if memory is None:
            self._note(Heeded.NOTHING_TO_FORGET)
        else:
            self._forgotten(memory)

    def _forget(self, said: Said) -> None:
        """All that is under the keys that x means; where it means none, what was shown last (CORR-05)."""
        memories = self._names.meant(said.x, self._work.active, self._hear)
        for memory in memories:
            self._forgotten(memory)
        if not memories:
            if len(said.x.split()) <= _MOST_WORDS:
                self._forget_last(said)
            else:
                self._note(Heeded.NOTHING_TO_FORGET)

    def _everything(self, _: Said) -> None:
        """Asked back once; said again right after that, it is done (S-17)."""
        if self._before.said.first(Command.EVERYTHING) is None:
            self._answer(MemoryAnswer.EVERYTHING_ASKED)
        else:
            self._forget_everything()

    def _forget_everything(self) -> None:
        for memory in self._work.active:
            self._forgotten(memory)
        self._heeding.heeded.pop(Heeded.FORGOTTEN, None)
        self._answer(MemoryAnswer.EVERYTHING_FORGOTTEN)

    def _source(self, _: Said) -> None:
        memory = last_shown(self._before.reply, self._work.active)
        self._heeding.source_of = None if memory is None else memory.memory_id
        self._answer(MemoryAnswer.SOURCE_ASKED)

    def _invalidated(self, memory: Memory, kind: CorrectionType) -> None:
        self._work.invalidate(memory.memory_id, InvalidReason.DENIED)
        self._heeding.denied[memory.memory_key] = memory.memory_value
        self._heeding.corrections.append(Correction(kind, self._about, deactivated=memory.memory_id))
        self._note(Heeded.DENIED)

    def _replaced(self, memory: Memory, kind: CorrectionType) -> None:
        self._heeding.corrections.append(Correction(kind, self._about, deactivated=memory.memory_id))
        self._note(Heeded.REPLACED)

    def _disputed(self, memory: Memory) -> None:
        self._work.dispute(memory.memory_id)
        self._heeding.corrections.append(Correction(CorrectionType.AMBIGUOUS, self._about, disputed=memory.memory_id))
        self._note(Heeded.DISPUTED)

    def _forgotten(self, memory: Memory) -> None:
        self._work.invalidate(memory.memory_id, InvalidReason.FORGOTTEN)
        self._heeding.suppressed[memory.memory_key] = None
        self._note(Heeded.FORGOTTEN)

    @property
    def _about(self) -> UUID | None:
        return None if self._before.reply is None else self._before.reply.message_id

    def _answer(self, answer: MemoryAnswer) -> None:
        self._heeding.answers[answer] = None

    def _note(self, heeded: Heeded) -> None:
        self._heeding.heeded[heeded] = None
