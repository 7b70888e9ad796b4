"""Listens to one message: everything in it that may be remembered without a model (MEM-06, §22, C-39)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, tzinfo

from chingoo.engine.images import Matchers
from chingoo.engine.scan import Scan
from chingoo.memory.forms import forms_of
from chingoo.memory.frames import ANY, Around, Frames, How, Liking, build_frames
from chingoo.memory.happenings import read_event, read_feeling
from chingoo.memory.keys import STANCE_MARK, KeyGrammar
from chingoo.memory.parsed import Grammar
from chingoo.memory.recent import Recent
from chingoo.memory.relations import YOU, Pronouns, Relation, RelationReader, pronouns_of
from chingoo.memory.saying import Saying
from chingoo.memory.slots import Slots
from chingoo.memory.standing import Head, Judge, Standing
from chingoo.memory.things import Thing, Things
from chingoo.model.decision import Decision, ExtractedFact
from chingoo.model.grammar import GrammarParser
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.listening import EventFrame, FactFrame, FeelingFrame, RelationPattern
from chingoo.policy.documents.memory import Hearing, MemoryDocument
from chingoo.text.language import ENGLISH
from chingoo.text.normalise import normalise
from chingoo.text.slug import slug

HEURISTIC, RELATION = "heuristic", "relation"
LIKE, DISLIKE = "like", "dislike"
_FAMILIES = {"pref": "PREFERENCE", "fact": "FACT", "event": "RELATIONSHIP_EVENT", "emotion": "EMOTIONAL_PATTERN"}
_ENOUGH_SIGNS, _OWN_SCRIPT = 1, 2
NOBODY = Recent()
_READ_BESIDE = (FactFrame, FeelingFrame)
_FIRST_SLOTS, _BEHIND_ALL = frozenset({"role", "job"}), 2


class Listener:
    """Immutable and ready; made once for a bundle."""

    def __init__(
        self,
        frames: Frames,
        pronouns: Mapping[str, Pronouns],
        memory: MemoryDocument,
        grammar: Grammar | None = None,
    ) -> None:
        self._frames, self._pronouns, self._parser = frames, pronouns, grammar
        self._families, self._hearing = memory.families, memory.hearing
        self._grammar = KeyGrammar(memory)

    def heard(self, text: str, decision: Decision, received_at: datetime, zone: tzinfo) -> tuple[ExtractedFact, ...]:
        """What may be kept of a message, each key once. Pure; never raises on any text.

        `zone` is where the person lives: an event belongs to the month it is told in there (S-22).
        """
        for listened in self._listen(text, decision.signals.language):
            kept: dict[str, tuple[int, ExtractedFact]] = {}
            for rank, fact in listened.facts(received_at, zone):
                if not self._grammar.fits(fact.memory_key) or not fact.memory_value:
                    continue
                known = kept.get(fact.memory_key)
                if known is None or rank < known[0]:
                    kept[fact.memory_key] = (rank, fact)
            if kept:
                return tuple(fact for _, fact in kept.values())
        return ()

    def relations(self, text: str, decision: Decision, recent: Recent | None = None) -> tuple[Relation, ...]:
        """All relations of a message with their confidence, also those that are never kept (C-48).

        `recent` are those named in the messages before, as `named` gives them.
        """
        return self._related(text, decision, recent)[0]

    def named(self, text: str, decision: Decision, recent: Recent | None = None) -> Recent:
        """Who and what pronouns of the next message may mean (HEXT-09)."""
        return self._related(text, decision, recent)[1].at_most(self._hearing.recent)

    def _related(self, text: str, decision: Decision, recent: Recent | None) -> tuple[tuple[Relation, ...], Recent]:
        before = recent or NOBODY
        for listened in self._listen(text, decision.signals.language, before):
            found = tuple(listened.relations())
            if found:
                return found, listened.recent
        return (), before

    def _listen(self, text: str, language: str, recent: Recent = NOBODY) -> "Iterator[_Listened]":
        """The message as each language hears it in which it may be said, the likeliest first."""
        scan = self._frames.matcher.scan(normalise(text))
        heads = [
            Head(frame, hit)
            for list_id in scan.lists
            if (frame := self._frames.heads.get(list_id)) is not None
            for hit in scan.hits(list_id)
        ]
        languages = _spoken(heads, language, scan, self._frames.around) if heads else []
        if self._parser is not None and self._parser.knows(language) and language not in languages:
            languages.append(language)
        for spoken in languages:
            outer = _outermost([head for head in heads if head.frame.language == spoken])
            grammar = self._parser if self._parser is not None and self._parser.knows(spoken) else None
            confidence = self._families_of()
            yield _Listened(
                scan, spoken, outer, self._frames, self._pronouns, confidence, self._hearing, grammar, recent
            )

    def _families_of(self) -> Mapping[str, Mapping[str, float]]:
        return {prefix: self._families[name].initial_confidence for prefix, name in _FAMILIES.items()}


class _Listened:
    """One message while it is listened to."""

    def __init__(
        self,
        scan: Scan,
        language: str,
        heads: list[Head],
        frames: Frames,
        pronouns: Mapping[str, Pronouns],
        confidence: Mapping[str, Mapping[str, float]],
        hearing: Hearing,
        grammar: Grammar | None,
        recent: Recent,
    ) -> None:
        self._heads, self._confidence, self._hearing, self._grammar = heads, confidence, hearing, grammar
        saying = Saying(scan)
        self._judge = Judge(saying, language, frames.around[language])
        languages = frozenset({language, ANY} | ({ENGLISH} if not frames.around[language].cased else set()))
        self._things = Things(self._judge, languages)
        self._slots = Slots(self._judge, self._things, languages)
        self._reader = RelationReader(self._judge, self._slots, pronouns, hearing, recent)

    def _standing(self) -> Iterator[tuple[Head, Standing]]:
        if not self._judge.saying.tokens:
            return
        for head in self._heads:
            standing = self._judge.judge(head)
            if standing is not None:
                yield head, standing

    def relations(self) -> Iterator[Relation]:
        """The relations, in the order said, general ones only where a sentence says nothing more specific (HEXT-02).

        Behind them stands what a parser adds.
        """
        read: list[tuple[int, bool, Relation]] = []
        for head, standing in self._standing():
            if isinstance(pattern := head.frame.meaning, RelationPattern):
                sentence = self._judge.saying.sentences[head.hit.first_token]
                read += [(sentence, pattern.general, one) for one in self._reader.read(head, pattern, standing)]
        specific = {sentence for sentence, general, _ in read if not general}
        yield from (one for sentence, general, one in read if not general or sentence not in specific)
        known = {one.relation for _, _, one in read}
        yield from (one for one in self._parsed() if one.relation not in known)

    @property
    def recent(self) -> Recent:
        """Who and what was named last, once the relations are read."""
        return self._reader.recent

    def _parsed(self) -> Iterator[Relation]:
        """What a parser finds, held against the words around it like what the phrases announce."""
        judge = self._judge
        for found in self._grammar.read(judge.saying, judge.language, judge.around) if self._grammar else ():
            standing = judge.judge(found.head)
            if standing is not None:
                yield from self._reader.parsed(found, standing)

    def _kept(self, relations: Iterable[Relation], rank: int) -> Iterator[tuple[int, ExtractedFact]]:
        """Those of the speaker that have a key and are sure enough, as facts."""
        for one in relations:
            if one.subject == YOU and one.key is not None and one.confidence > self._hearing.store_above:
                yield rank, self._fact(one.key, one.said, RELATION)

    def facts(self, received_at: datetime, zone: tzinfo) -> Iterator[tuple[int, ExtractedFact]]:
        """What may be kept, with a rank: where two say the same key, the lower one wins."""
        for head, standing in self._standing():
            meaning = head.frame.meaning
            if isinstance(meaning, RelationPattern):
                read = self._reader.read(head, meaning, standing) if meaning.key is not None else ()
                yield from self._kept(read, int(meaning.slot not in _FIRST_SLOTS))
            elif standing.hedged:
                continue
            elif isinstance(meaning, Liking):
                for thing, stance in self._liked(head, meaning, standing):
                    key = f"pref:{thing.category}:{slug(thing.name)}"
                    yield 0, self._fact(key, f"{stance}{STANCE_MARK}{thing.name}", HEURISTIC)
            elif isinstance(meaning, FactFrame):
                for rank, key, value in self._stated(head, meaning, standing):
                    yield rank, self._fact(key, value, HEURISTIC)
            else:
                told = (
                    read_event(self._judge, head, meaning, standing, received_at, zone)
                    if isinstance(meaning, EventFrame)
                    else read_feeling(self._judge, head, meaning, standing)
                )
                if told is not None:
                    yield 0, self._fact(*told, HEURISTIC)
        yield from self._kept(self._parsed(), _BEHIND_ALL)

    def _liked(self, head: Head, meaning: Liking, standing: Standing) -> Iterator[tuple[Thing, str]]:
        """The things liked (or not) in one phrase. What is denied of a liking is a dislike; of a dislike, nothing."""
        negated = standing.negations
        if meaning.category is not None:
            things = list(self._things.favourite(meaning.category, standing.after, standing.last))
        elif head.frame.how is How.CLOSING:
            things = list(self._things.before(head.hit.first_token - 1, standing.first))
        else:
            things = list(self._things.after(standing.after, standing.last))
            if things and self._judge.negated_at_end(things[-1].last + 1, standing.last):
                negated += 1
        if negated > 1 or (negated and (not meaning.like or meaning.category is not None)):
            return
        for thing in things:
            yield thing, LIKE if meaning.like and not negated else DISLIKE

    def _stated(self, head: Head, meaning: FactFrame, standing: Standing) -> Iterator[tuple[int, str, str]]:
        if standing.negations:
            return
        values = (
            self._slots.before(meaning.slot, head, standing.first, free=meaning.open)
            if head.frame.how is How.CLOSING
            else self._slots.read(meaning.slot, standing.after, standing.last, free=meaning.open)
        )
        for value in values:
            yield (0 if meaning.slot in _FIRST_SLOTS else 1), value.key, value.text

    def _fact(self, key: str, value: str, learned: str) -> ExtractedFact:
        prefix = key.partition(":")[0]
        return ExtractedFact(_FAMILIES[prefix], key, value, self._confidence[prefix][learned], learned)


def _spoken(heads: list[Head], language: str, scan: Scan, around: Mapping[str, Around]) -> list[str]:
    """The languages to listen in: the message's, or where that has nothing to say, those its small words speak for.

    Behind the message's own come those in which the very same words announce something: *odio gelato* is Italian.
    """
    languages = {head.frame.language for head in heads}
    own = [language] if language in languages else []
    if own:
        said = {(head.hit.start, head.hit.end) for head in heads if head.frame.language == language}
        languages = {head.frame.language for head in heads if (head.hit.start, head.hit.end) in said} - {language}
    if not languages:
        return own
    tokens = scan.text.match.split(" ")
    signs = {one: sum(token in around[one].stops for token in tokens) for one in sorted(languages)}
    for list_id in scan.lists:
        for hit in scan.hits(list_id) if list_id.startswith(("item.", "thing.")) else ():
            if hit.language in signs:
                signs[hit.language] += 1
    for head in heads:
        if head.frame.language not in signs:
            continue
        words = head.hit.last_token - head.hit.first_token
        signs[head.frame.language] += words + _OWN_SCRIPT * (not head.hit.entry.text[:1].isascii())
    likely = sorted(signs, key=lambda one: -signs[one])
    return own + [one for one in likely if signs[one] >= _ENOUGH_SIGNS]


def _outermost(heads: list[Head]) -> list[Head]:
    """Phrases in the order said, without those inside a longer one."""
    kept = [
        head
        for head in heads
        if not any(
            other.hit.start <= head.hit.start
            and head.hit.end <= other.hit.end
            and other.hit.end - other.hit.start > head.hit.end - head.hit.start
            and head.frame.how is other.frame.how
            and not (isinstance(head.frame.meaning, RelationPattern) and isinstance(other.frame.meaning, _READ_BESIDE))
            for other in heads
        )
    ]
    return sorted(kept, key=lambda head: (head.hit.start, head.hit.end))


def build_listener(bundle: Bundle, parser: GrammarParser | None = None, matchers: Matchers | None = None) -> Listener:
    """A listener for a bundle, with a grammar parser where there is one. EntryError: an entry cannot be matched."""
    pronouns = {
        language: pronouns_of(document, _called(bundle, "number", language), _called(bundle, "unit", language))
        for language, document in bundle.relations.items()
    }
    patterns = {language: document.patterns for language, document in bundle.relations.items()}
    grammar = None if parser is None else Grammar(parser, patterns)
    return Listener(build_frames(bundle, matchers or Matchers()), pronouns, bundle.memory, grammar)


def _called(bundle: Bundle, kind: str, language: str) -> Iterator[str]:
    """What the things of one kind are called in a language."""
    for by_language in bundle.synonyms.values.get(kind, {}).values():
        yield from forms_of(entry.text for entry in by_language.get(language, ()))
