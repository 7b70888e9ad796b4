"""Relations that only a parsed sentence shows: a verb of the speaker's, and its objects however far off (HEXT-03)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chingoo.engine.hits import Hit
from chingoo.memory.forms import forms_of
from chingoo.memory.frames import Around, Frame, How
from chingoo.memory.saying import Saying
from chingoo.memory.standing import Head
from chingoo.model.grammar import GrammarParser, ParsedWord
from chingoo.policy.documents.base import View
from chingoo.policy.documents.listening import RelationPattern
from chingoo.text.normalise import match_form

# What annotation schemes call things: Universal Dependencies, and ClearNLP's English.
_SUBJECTS, _JOINED, _TOP = frozenset({"nsubj"}), "conj", "ROOT"
_OBJECTS = frozenset({"pobj", "obl", "obl:arg", "obl:mod", "nmod", "obj"})
_PREPOSITIONS = frozenset({"prep", "case"})
_HELPERS, _DENIALS, _OWNERS = frozenset({"aux", "aux:tense"}), frozenset({"neg"}), frozenset({"poss", "nmod:poss"})
_PARTS_OF_NAMES = frozenset({"compound", "amod", "flat", "flat:name", "nmod"})
_MODIFIERS_OF_NOUNS = frozenset({"compound", "amod"})
_VERB, _NAME, _NOUN = "VERB", "PROPN", "NOUN"
_SPEAKER, _PRESENT, _DENIED, _ANY = "Person=1", "Tense=Pres", "Polarity=Neg", "Definite=Ind"


class Named(NamedTuple):
    """The name of an object: its first and last token; whether it is a proper one, or one of many (`a bakery`)."""

    first: int
    last: int
    proper: bool
    one_of_many: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A verb that means a relation, its objects by the token that stands behind the preposition."""

    head: Head
    pattern: RelationPattern
    objects: tuple[tuple[int, Named], ...]


class Grammar:
    """A parser, and what to look for in its languages."""

    def __init__(self, parser: GrammarParser, patterns: Mapping[str, Sequence[RelationPattern]]) -> None:
        self._parser = parser
        wanted = {language: [one for one in patterns.get(language, ()) if one.parsed] for language in parser.languages}
        self._patterns = {language: found for language, found in wanted.items() if found}

    def knows(self, language: str) -> bool:
        """Whether there is anything to look for in this language."""
        return language in self._patterns

    def read(self, saying: Saying, language: str, around: Around) -> Iterator[Found]:
        """What a message in this language holds."""
        if saying.tokens:
            words = self._parser.parse(saying.scan.text.raw, language)
            yield from Parsed(saying, language, around, words).found(self._patterns[language])


class Parsed:
    """One message as a parser reads it."""

    def __init__(self, saying: Saying, language: str, around: Around, words: Sequence[ParsedWord]) -> None:
        self._saying, self._language, self._around, self._words = saying, language, around, words
        self._under: dict[int, list[int]] = {}
        for number, word in enumerate(words):
            if word.head != number:
                self._under.setdefault(word.head, []).append(number)
        spans = [saying.scan.offsets.from_match(start, start + 1) for start in saying.starts]
        self._starts = [span[0] for span in spans]

    def found(self, patterns: Sequence[RelationPattern]) -> Iterator[Found]:
        """What the patterns find that name forms for a parser: plain statements of the speaker in the present.

        The form decides too, since parsers take the imperfect for the present.
        """
        for pattern in patterns:
            forms = {match_form(form): entry for entry in pattern.parsed for form in forms_of([entry.text])}
            for number, word in enumerate(self._words):
                token = self._token(word) if word.kind == _VERB else None
                if token is None or not self._is_stated(number) or not self._is_own(number):
                    continue
                entry = forms.get(self._without_elision(self._saying.tokens[token]))
                objects = () if entry is None else tuple(self._objects(number, pattern.prepositions))
                if entry is not None and objects:
                    start = self._saying.starts[token]
                    end = start + len(self._saying.tokens[token])
                    hit = Hit("parsed", entry, token, token, start, end, View.PLAIN, entry.text, self._language)
                    yield Found(Head(Frame(self._language, pattern, How.PHRASE), hit), pattern, objects)

    def _without_elision(self, token: str) -> str:
        """A word without what is glued to it (j'habite)."""
        return token.rpartition("'")[2] if token.partition("'")[0] + "'" in self._around.elisions else token

    def _children(self, number: int) -> Iterator[tuple[int, ParsedWord]]:
        return ((child, self._words[child]) for child in self._under.get(number, ()))

    def _is_stated(self, number: int) -> bool:
        """Whether the verb says what is so: in the main clause, now, not denied, with no *would* about it."""
        word = self._words[number]
        if word.role != _TOP and not (word.role == _JOINED and self._is_stated(word.head)):
            return False
        for _, child in self._children(number):
            if child.role in _DENIALS or _DENIED in child.features:
                return False
            if child.role in _HELPERS and _PRESENT not in child.features:
                return False
        return _PRESENT in word.features or (word.role == _JOINED and "VerbForm=Inf" in word.features)

    def _is_own(self, number: int) -> bool:
        """Whether the speaker does it: said, or by the form of the verb, or of the verb it is joined to."""
        word = self._words[number]
        subjects = [child for _, child in self._children(number) if child.role in _SUBJECTS]
        if subjects:
            return any(_SPEAKER in subject.features for subject in subjects)
        return _SPEAKER in word.features or (word.role == _JOINED and self._is_own(word.head))

    def _objects(self, number: int, prepositions: Sequence[str]) -> Iterator[tuple[int, Named]]:
        """Everything below the verb that hangs on one of the prepositions, but not below another verb."""
        for child, word in self._children(number):
            if word.kind == _VERB:
                continue
            if word.role in _OBJECTS and (token := self._behind(child, prepositions)) is not None:
                named = self._named(child)
                if named is not None:
                    yield token, named
            yield from self._objects(child, prepositions)

    def _behind(self, number: int, prepositions: Sequence[str]) -> int | None:
        """The token after the preposition of a noun, where that is one of these."""
        head = self._words[number].head
        around = [(head, self._words[head]), *self._children(number)]
        for _, word in around:
            if word.role not in _PREPOSITIONS:
                continue
            token = self._token(word)
            if token is not None and self._saying.tokens[token] in prepositions:
                return token + 1 if token + 1 < len(self._saying.tokens) else None
        return None

    def _named(self, number: int) -> Named | None:
        """The noun with what belongs to its name. None where it is somebody's, as in `at my sister's`."""
        word = self._words[number]
        if word.kind not in (_NAME, _NOUN) or any(child.role in _OWNERS for _, child in self._children(number)):
            return None
        parts = _PARTS_OF_NAMES if word.kind == _NAME else _MODIFIERS_OF_NOUNS
        beside = [child for child, one in self._children(number) if one.role in parts and not self._hangs(child)]
        tokens = [token for one in (number, *beside) if (token := self._token(self._words[one])) is not None]
        first, last = min(tokens, default=0), max(tokens, default=-1)
        if not tokens or any(self._saying.breaks(at) for at in range(first + 1, last + 1)):
            return None
        indefinite = any(_ANY in child.features for _, child in self._children(number))
        return Named(first, last, word.kind == _NAME, indefinite)

    def _hangs(self, number: int) -> bool:
        """Whether a word has a preposition of its own, and so is no part of a name."""
        return any(child.role in _PREPOSITIONS for _, child in self._children(number))

    def _token(self, word: ParsedWord) -> int | None:
        """The token that a word is (or is the beginning of)."""
        before = [index for index, start in enumerate(self._starts) if start <= word.start]
        return before[-1] if before else None
