"""The closed grammar of corrections: which commands a message holds, and what of it is talk (C-70, CORR-09)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from chingoo.memory.forms import Loose, Tokens, Words, forms_of, tokens_of
from chingoo.policy.documents.corrections import Command, CorrectionsDocument
from chingoo.text.normalise import normalise
from chingoo.text.offsets import Offsets
from chingoo.text.sentences import split_sentences

_CLAUSE_END = re.compile(r"[,;:،؛、，]|\s[-–—]\s|[–—]")
_SLOT = re.compile(r"\{(x|y|name)\}")
_PARTED = re.compile(r"\}[^{}]*,[^{}]*\{")
_QUESTION = re.compile(r"[?？؟][\s\"'”’»)]*$")
_ASKABLE = frozenset(
    (Command.DISPUTE, Command.KNOWN, Command.SOURCE, Command.FORGET_THAT, Command.FORGET, Command.EVERYTHING)
)
"""What a sentence with a question mark may ask for; "wrong?" denies nothing."""

_MOST_LEVELS = 24


@dataclass(frozen=True, slots=True)
class Said:
    """One command, with the person's own words in its slots; `text` is all of it."""

    command: Command
    text: str = ""
    x: str = ""
    y: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A message taken apart. `talk` are the sentences, or ends of sentences, that are no command."""

    commands: tuple[Said, ...]
    talk: tuple[str, ...]

    @property
    def only_commands(self) -> bool:
        """Whether nothing else was said."""
        return bool(self.commands) and not self.talk

    def first(self, *wanted: Command) -> Said | None:
        """The first command of some kinds."""
        return next((said for said in self.commands if said.command in wanted), None)

    def of(self, *wanted: Command) -> tuple[Said, ...]:
        """All commands of some kinds, in order."""
        return tuple(said for said in self.commands if said.command in wanted)


@dataclass(frozen=True)
class _Pattern:
    """A phrase with slots. `parted`: x and y stand in clauses of their own (`not {y}, {x}`).

    `free`: it begins with a slot, so that anything may stand there. Few of the many patterns are ever tried, so that
    each is compiled when it is.
    """

    command: Command
    written: str
    slots: tuple[str, ...]
    parted: bool
    free: bool

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """What fits it as a whole."""
        return re.compile(self.written)


@dataclass(frozen=True, slots=True)
class _Level:
    """Words of a sentence without some that change nothing; `skipped` words of it stand before them."""

    tokens: Tokens
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class _Fit:
    """A pattern that fits: the command, how long its slots are, and whether it opens with one."""

    said: Said
    slots: int
    free: bool


class CorrectionGrammar:
    """All languages' phrases at once: people mix languages within a sentence (INST-03)."""

    def __init__(self, documents: Mapping[str, CorrectionsDocument]) -> None:
        self._phrases: dict[Tokens, Command] = {}
        self._patterns: dict[str, list[_Pattern]] = {}
        self._loose: list[Loose] = []
        words = Words()
        for document in documents.values():
            whole: list[tuple[Command, Tokens]] = []
            for command, lines in document.phrases.items():
                for form in forms_of(lines):
                    if "{" in form:
                        self._take(command, form, words)
                    else:
                        whole.append((command, words.tokens(form)))
            for command, tokens in whole:
                self._phrases.setdefault(tokens, command)
            self._loose.append(Loose(document, whole))
        self._names = frozenset(
            tokens_of(name) for one in documents.values() for names in one.names.values() for name in names
        )
        leads = {tokens_of(form) for document in documents.values() for form in forms_of(document.lead)} - {()}
        self._leads = frozenset(leads)
        self._trails = frozenset(tokens_of(form) for one in documents.values() for form in forms_of(one.trail)) - {()}
        self._longest = max(map(len, self._leads | self._trails), default=0)
        self._glued = "".join(normalise(char).match for one in documents.values() for char in one.glued)
        self._negations = tuple(_negation(document.negation) for document in documents.values() if document.negation)

    def read(self, text: str) -> Reading:
        """Take a message apart."""
        commands: list[Said] = []
        talk: list[str] = []
        for sentence in split_sentences(text, frozenset()):
            found, rest = self._sentence(sentence)
            commands += found
            if rest:
                talk.append(rest)
        if talk or len({said.command for said in commands}) > 1:
            commands = [said for said in commands if said.command is not Command.BARE_NO]
        return Reading(tuple(commands), tuple(talk))

    def takes_back(self, text: str) -> bool:
        """Whether a message may take something back: it has a command, or denies something in plain words."""
        reading = self.read(text)
        return bool(reading.commands) or any(self.affirmed(sentence) for sentence in reading.talk)

    def affirmed(self, sentence: str) -> tuple[str, ...]:
        """What a denied sentence denies: the sentence without its words of denial, for each language that has some."""
        readings = (_affirmed(sentence, pattern, plain) for pattern, plain in self._negations)
        return tuple(dict.fromkeys(reading for reading in readings if reading is not None))

    def _take(self, command: Command, form: str, words: Words) -> None:
        slots = tuple(_SLOT.findall(form))
        pieces = [" ".join(words.tokens(piece)) for piece in _SLOT.split(form)[::2]]
        names = (f"(?P<{name}>.+?)" for name in slots)
        parts = [part for pair in zip(map(re.escape, pieces), (*names, ""), strict=True) for part in pair if part]
        word = next(piece.split(" ")[0] for piece in pieces if piece)
        pattern = _Pattern(
            command,
            " ".join(parts),
            slots,
            parted=_PARTED.search(form) is not None,
            free=not pieces[0],
        )
        self._patterns.setdefault(word, []).append(pattern)

    def _sentence(self, sentence: str) -> tuple[list[Said], str]:
        """The commands at the beginning of a sentence, and what follows them."""
        asks = _QUESTION.search(sentence) is not None
        commands: list[Said] = []
        starts = _clause_starts(sentence)
        led = False
        for number, start in enumerate(starts):
            rest = sentence[start:]
            end = starts[number + 1] if number + 1 < len(starts) else len(sentence)
            whole, clause = self._levels(tokens_of(rest)), self._levels(tokens_of(sentence[start:end]))
            command = self._phrase(whole, asks)
            if command is Command.TALK:
                return commands, rest.strip()
            if command is not None:
                commands.append(Said(command, rest.strip()))
                break
            fit, command = self._pattern(rest, whole, asks), self._phrase(clause, asks)
            if fit is not None and fit.said.command is Command.TALK:
                return commands, rest.strip()
            if command is not None and (fit is None or fit.free):
                commands.append(Said(command, sentence[start:end].strip()))
                continue
            if fit is not None:
                commands.append(fit.said)
                break
            if clause[0].tokens and not any(one.tokens in self._leads | self._trails for one in clause):
                return commands, rest.strip()
            led = led or bool(clause[0].tokens)
        if led:
            commands = [said for said in commands if said.command is not Command.BARE_NO]
        return commands, ""

    def _phrase(self, levels: Sequence[_Level], asks: bool) -> Command | None:
        """The command that some tokens are as a whole, with as little as can be taken for a lead or a trail."""
        command = next((self._phrases[one.tokens] for one in levels if one.tokens in self._phrases), None)
        if command is None:
            loose = (found.command(one.tokens) for one in levels for found in self._loose)
            command = next((found for found in loose if found is not None), None)
        return None if asks and command not in _ASKABLE else command

    def _pattern(self, rest: str, levels: Sequence[_Level], asks: bool) -> _Fit | None:
        """The pattern that the rest of a sentence fits, "forget that {x}" before "forget {x}"."""
        text = normalise(rest)
        offsets = Offsets(text)
        fits: list[_Fit] = []
        words_of = text.match.split(" ")
        for level in levels:
            match = " ".join(level.tokens)
            offset = sum(len(word) + 1 for word in words_of[: level.skipped])
            for pattern in self._candidates(level.tokens, asks):
                found = pattern.regex.fullmatch(match)
                if found is None:
                    continue
                spans = {
                    slot: offsets.from_match(found.start(slot) + offset, found.end(slot) + offset)
                    for slot in pattern.slots
                }
                words = {slot: rest[slice(*span)] for slot, span in spans.items()}
                if self._holds(pattern, words, spans, rest):
                    said = Said(pattern.command, rest.strip(), **words)
                    fits.append(_Fit(said, sum(map(len, words.values())), pattern.free))
        return min(fits, key=lambda fit: fit.slots, default=None)

    def _candidates(self, tokens: Tokens, asks: bool) -> Iterator[_Pattern]:
        for word in dict.fromkeys(tokens):
            for pattern in self._patterns.get(word, ()):
                if not asks or pattern.command in _ASKABLE:
                    yield pattern

    def _holds(
        self, pattern: _Pattern, words: Mapping[str, str], spans: Mapping[str, tuple[int, int]], rest: str
    ) -> bool:
        """A name is one that somebody gave a key; slots that a comma parts in the phrase are parted in the words."""
        if "name" in words and tokens_of(words["name"]) not in self._names:
            return False
        if not pattern.parted:
            return True
        (_, end), (start, _) = sorted((spans["x"], spans["y"]))
        return _CLAUSE_END.search(rest, end, start + 1) is not None

    def _levels(self, tokens: Tokens) -> list[_Level]:
        """The tokens, and again without the words around them that change nothing, as long as something is left."""
        levels = {_Level(tokens): None}
        waiting = [_Level(tokens)]
        while waiting and len(levels) < _MOST_LEVELS:
            level = waiting.pop(0)
            for shorter in self._shorter(level):
                if shorter not in levels:
                    levels[shorter] = None
                    waiting.append(shorter)
        return list(levels)

    def _shorter(self, level: _Level) -> Iterator[_Level]:
        tokens = level.tokens
        for length in range(1, min(self._longest, len(tokens) - 1) + 1):
            if tokens[:length] in self._leads:
                yield _Level(tokens[length:], level.skipped + length)
            if tokens[-length:] in self._trails:
                yield _Level(tokens[:-length], level.skipped)
        last = tokens[-1].rstrip(self._glued) if tokens else ""
        if tokens and last != tokens[-1] and (last or len(tokens) > 1):
            yield _Level((*tokens[:-1], last) if last else tokens[:-1], level.skipped)


def _clause_starts(sentence: str) -> list[int]:
    return [0, *(found.end() for found in _CLAUSE_END.finditer(sentence))]


def _negation(table: Mapping[str, str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    plain = {" ".join(tokens_of(denial)): affirmed for denial, affirmed in table.items()}
    words = sorted(plain, key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, words))})(?!\S)"), plain


def _affirmed(sentence: str, pattern: re.Pattern[str], plain: Mapping[str, str]) -> str | None:
    """In the person's own letters, so that names keep their capitals; None where nothing is denied."""
    text = normalise(sentence)
    found = list(pattern.finditer(text.match))
    if not found:
        return None
    offsets, parts, position = Offsets(text), [], 0
    for match in found:
        start, end = offsets.from_match(*match.span())
        parts += [sentence[position:start], plain[match.group()]]
        position = end
    return " ".join("".join((*parts, sentence[position:])).split())
