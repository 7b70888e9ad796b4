"""Relations between people and things as they are said (§22): subject, relation, object, and how sure that is."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from chingoo.memory.parsed import Found
from chingoo.memory.recent import Recent
from chingoo.memory.slots import Slots, Value
from chingoo.memory.standing import Head, Judge, Standing
from chingoo.policy.documents.listening import RelationPattern, RelationsDocument, RelationSlot
from chingoo.policy.documents.memory import Hearing
from chingoo.text.normalise import lower_in_place, match_form

YOU = "you"
_WINDOW, _LONGEST_SUBJECT = 5, 3
_NAMING, _OWNING = frozenset({"friend_of"}), frozenset({"has", "owns", "quantity"})
_COUNTED: frozenset[RelationSlot | None] = frozenset({"count", "span", "clock"})


@dataclass(frozen=True, slots=True)
class Relation:
    """One triple (HEXT-01). `object` is in lower case, `said` as written; `key` is where it may be kept (C-48)."""

    subject: str
    relation: str
    object: str
    said: str
    confidence: float
    key: str | None


@dataclass(frozen=True, slots=True)
class Pronouns:
    """A language's words for those named before, and for numbers and stretches of time, in matching form (HEXT-09)."""

    possessives: frozenset[str]
    persons: frozenset[str]
    groups: frozenset[str]
    things: frozenset[str]
    numbers: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()


def pronouns_of(document: RelationsDocument, numbers: Iterable[str] = (), units: Iterable[str] = ()) -> Pronouns:
    """The pronouns of a language, ready to look up."""
    named = (document.possessives, document.persons, document.groups, document.things, numbers, units)
    return Pronouns(*(frozenset(match_form(word) for word in words) for words in named))


class RelationReader:
    """Reads the relations of one message; `recent` are those named so far, in it and in the messages before."""

    def __init__(
        self, judge: Judge, slots: Slots, pronouns: Mapping[str, Pronouns], hearing: Hearing, recent: Recent
    ) -> None:
        self._judge, self._saying, self._slots = judge, judge.saying, slots
        self._pronouns = pronouns.get(judge.language)
        self._hearing = hearing
        self.recent = recent

    def read(self, head: Head, pattern: RelationPattern, standing: Standing) -> Iterator[Relation]:
        """The relations a phrase announces; several where its object is several."""
        subject = self._subject(head, standing) if head.frame.other else YOU
        if subject is None or not self._is_closed(pattern, standing):
            return
        for value in self._objects(pattern, standing):
            one = self._relation(subject, pattern, value, self._surely(self._hearing.relation, standing))
            if pattern.relation in _NAMING:
                self.recent = self.recent.with_person(one.object)
            elif pattern.relation in _OWNING:
                self.recent = self.recent.with_thing(one.object)
            yield one

    def parsed(self, found: Found, standing: Standing) -> Iterator[Relation]:
        """The relations of the speaker that a parser found: the first object that can be one, of each verb."""
        pattern = found.pattern
        for place, name in found.objects:
            values = self._slots.read(pattern.slot or "thing", place, standing.last, free=False)
            named = values[0] if values else self._slots.named(pattern.slot, name)
            if named is not None:
                yield self._relation(YOU, pattern, named, self._surely(self._hearing.parsed, standing))
                return

    def _surely(self, base: float, standing: Standing) -> float:
        """How sure a relation is (HEXT-10, HEXT-11, C-71)."""
        base -= self._hearing.hedge * standing.hedged + self._hearing.negation * standing.negations
        return round(min(1.0, max(0.0, base)), 2)

    def _relation(self, subject: str, pattern: RelationPattern, value: Value, confidence: float) -> Relation:
        key = (value.key or pattern.key) if pattern.key is not None else None
        return Relation(subject, pattern.relation, lower_in_place(value.text), value.text, confidence, key)

    def _objects(self, pattern: RelationPattern, standing: Standing) -> Iterator[Value]:
        """What is said behind the first preposition where anything is, and what is joined to it."""
        for place in self._places(pattern, standing):
            at = place
            while found := self._value(pattern, at, standing.last):
                yield from found
                if found[-1].last + 1 > standing.last or not self._goes_on(found[-1].last + 1):
                    return
                at = found[-1].last + 2
            if at > place:
                return

    def _value(self, pattern: RelationPattern, at: int, last: int) -> list[Value]:
        if pattern.slot not in _COUNTED:
            return self._slots.read(pattern.slot or "thing", at, last, free=pattern.slot is None)
        if self._pronouns is None or at > last or (at > 0 and self._saying.breaks(at)):
            return []
        words = self._pronouns.units if pattern.slot == "span" else None
        found = self._slots.counted(self._pronouns.numbers, words, at, last, clock=pattern.slot == "clock")
        return [] if found is None else [found]

    def _goes_on(self, index: int) -> bool:
        """Whether another object is joined to the one before (`born in Rome and Paris` is two)."""
        return self._saying.tokens[index] in self._judge.around.joins and not self._saying.breaks(index + 1)

    def _places(self, pattern: RelationPattern, standing: Standing) -> Iterator[int]:
        """Where the object may begin: behind one of the prepositions, or right away where there are none."""
        if not pattern.prepositions:
            yield standing.after
            return
        saying = self._saying
        for index in range(standing.after, min(standing.last, standing.after + _WINDOW) + 1):
            if index > standing.after and saying.breaks(index):
                return
            token = saying.tokens[index]
            for preposition in pattern.prepositions:
                if token == preposition:
                    yield index + 1
                elif preposition.endswith("'") and token.startswith(preposition):
                    yield index

    def _is_closed(self, pattern: RelationPattern, standing: Standing) -> bool:
        if not pattern.closing:
            return True
        _, end = self._judge.clause(standing.after, standing.first, standing.last)
        return any(token in pattern.closing for token in self._saying.tokens[standing.after : end + 1])

    def _subject(self, head: Head, standing: Standing) -> str | None:
        """Who it is said of: who a pronoun means, or the words before the verb; None where that is the speaker."""
        saying, around = self._saying, self._judge.around
        words: list[str] = []
        at = head.hit.first_token
        while at > standing.first and not saying.breaks(at) and len(words) < _LONGEST_SUBJECT:
            at -= 1
            token = saying.tokens[at]
            if self._is_pronoun(token) or token in around.selves:
                return self._meant(token)
            if token in around.joins and words and at > standing.first:
                self.recent = self.recent.with_group(f"{saying.tokens[at - 1]} {token} {' '.join(words)}")
                return self.recent.group
            if token in around.joins or token in around.articles or self._is_owner(token):
                break
            if token not in around.adverbs and token not in around.negations:
                words.insert(0, token)
        if words:
            self.recent = self.recent.with_person(" ".join(words))
        return self.recent.person

    def _is_pronoun(self, token: str) -> bool:
        known = self._pronouns
        return known is not None and token in known.persons | known.groups | known.things

    def _is_owner(self, token: str) -> bool:
        return self._pronouns is not None and token in self._pronouns.possessives

    def _meant(self, token: str) -> str | None:
        """Who or what a pronoun means (HEXT-09): *they* before *she*, where a language says both alike."""
        if (
            self._pronouns is None
            or token not in self._pronouns.groups | self._pronouns.persons | self._pronouns.things
        ):
            return None
        if token in self._pronouns.groups and self.recent.groups:
            return self.recent.group
        return self.recent.thing if token in self._pronouns.things else self.recent.person
