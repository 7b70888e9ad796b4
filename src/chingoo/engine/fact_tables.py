"""Makes the reader of instant facts from the policies: patterns compiled, synonyms ready to be looked up."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Final, TypeVar

from chingoo.engine.amounts import MoneyWords
from chingoo.engine.doubt import Speech
from chingoo.engine.entries import ANY_LANGUAGE, Form, forms_of
from chingoo.engine.events import EventReach, EventReader
from chingoo.engine.facts import EVENTS, PHRASES, FactReader, Pattern
from chingoo.engine.keys import MatchTables
from chingoo.engine.numeric_dates import NumericDates
from chingoo.engine.phrases import Phrase, read_phrase, readings
from chingoo.engine.sizes import SizeReader
from chingoo.engine.slots import SlotReader
from chingoo.engine.things import Known, ThingReader, ThingWords
from chingoo.engine.utterance import CURRENCY_SIGNS, Glue
from chingoo.engine.vocabulary import Vocabulary
from chingoo.engine.when import MEANINGS, DatePhrase, DateReader, DateWords, Spoken
from chingoo.policy.documents.base import Entry, Place, WordList
from chingoo.policy.documents.instant import AnchorsDocument, InstantDocument, InstantPattern, SynonymsDocument, Words
from chingoo.policy.documents.memory import MemoryDocument
from chingoo.text.language import ENGLISH
from chingoo.text.normalise import match_form

EVENT_KIND, PERSON_KIND, NO_EVENT_KIND = "event", "person", "no_event"
READ_KINDS: Final = (
    "size", "measure", "about", "currency", "multiplier", "number", "range",
    "unit", "month", "weekday", "ordinal", EVENT_KIND, PERSON_KIND, NO_EVENT_KIND,
)  # fmt: skip
"""The kinds of synonyms that are read by name."""

_GLUED_KINDS = ("currency", "multiplier", "measure", "unit", "ordinal")

M = TypeVar("M")


def instant_lists(documents: Mapping[str, InstantDocument], synonyms: SynonymsDocument) -> dict[str, WordList]:
    """The word lists that start a search: the fixed words of all patterns, and all words for events."""
    phrases: dict[str, list[Entry]] = {}
    for language, document in documents.items():
        for entry, _, _ in _entries(document):
            phrases.setdefault(language, []).append(entry)
    events: dict[str, list[Entry]] = {}
    for words in synonyms.values.get(EVENT_KIND, {}).values():
        for language, entries in words.items():
            events.setdefault(language, []).extend(entries)
    place = synonyms.place
    return {
        PHRASES: WordList(place, {language: tuple(entries) for language, entries in phrases.items()}),
        EVENTS: WordList(place, {language: tuple(entries) for language, entries in events.items()}),
    }


def fact_reader(
    documents: Mapping[str, InstantDocument],
    synonyms: SynonymsDocument,
    anchors: AnchorsDocument,
    memory: MemoryDocument,
    tables: MatchTables,
) -> FactReader:
    """The reader of a bundle's instant facts."""
    maker = _Maker(synonyms, tables)
    speech = {language: maker.speech(language, documents) for language in documents}
    usual = speech[ENGLISH]
    breaks = maker.words([entry for document in documents.values() for entry in document.speech.breaks])
    sizes = _size_reader(maker, anchors, tables, breaks)
    money = MoneyWords(*(maker.kind(kind) for kind in ("currency", "multiplier", "number", "about", "range")))
    reach = EventReach(anchors.event_within_words, anchors.person_within_words, anchors.event_behind_small_words)
    events = EventReader(anchors.events, maker.kind(PERSON_KIND), maker.kind(NO_EVENT_KIND), reach)
    things = {
        name: ThingReader(
            maker.known(slot.kinds),
            slot.kinds,
            unlisted=anchors.unlisted_within_words if slot.unlisted else 0,
            joined=slot.joined,
        )
        for name, slot in anchors.slots.items()
    }
    return FactReader(
        patterns=dict(_patterns(maker, documents, speech)),
        events={
            entry: name
            for name, words in synonyms.values.get(EVENT_KIND, {}).items()
            for entries in words.values()
            for entry in entries
        },
        speech=speech,
        usual_speech=usual,
        slots=SlotReader(sizes, money, things, events),
        dates=_date_reader(maker, documents, anchors.years_ahead),
        families=memory.families,
        bounds=anchors.bounds,
        glue=Glue(
            maker.single_words(*_GLUED_KINDS),
            maker.single_words("multiplier"),
            maker.single_words("month"),
            dict(maker.compounds(anchors)),
            tables.arabic_heads,
            maker.firsts,
        ),
    )


def _size_reader(maker: "_Maker", anchors: AnchorsDocument, tables: MatchTables, breaks: Vocabulary[str]) -> SizeReader:
    return SizeReader(
        anchors,
        letters=maker.kind("size"),
        measures=maker.kind("measure"),
        about=maker.kind("about"),
        words={
            "clothes": maker.by_language(anchors.clothes.words),
            "shoes": maker.by_language(anchors.shoes.words),
            "others": maker.by_language(anchors.other_sizes),
        },
        look_alikes=tables.fold.to_latin,
        breaks=breaks,
    )


def _date_reader(maker: "_Maker", documents: Mapping[str, InstantDocument], years_ahead: int) -> DateReader:
    numbered = {name: document.dates.numbers for name, document in documents.items() if document.dates.numbers}
    return DateReader(
        (phrase for language, document in documents.items() for phrase in _date_phrases(language, document)),
        DateWords(*(maker.spoken(kind) for kind in ("unit", "month", "weekday", "number", "ordinal"))),
        NumericDates(
            {language: days.first for language, days in numbered.items()},
            {language: maker.words(days.after) for language, days in numbered.items()},
        ),
        years_ahead,
    )


def _patterns(
    maker: "_Maker", documents: Mapping[str, InstantDocument], speech: Mapping[str, Speech]
) -> Iterator[tuple[Entry, Pattern]]:
    for language, document in documents.items():
        for entry, source, phrase in _entries(document):
            behind = maker.words([Entry(text, source.place) for text in phrase.after])
            yield entry, Pattern(source, phrase, behind, speech[language])


def _date_phrases(language: str, document: InstantDocument) -> Iterator[DatePhrase]:
    languages = frozenset((language, *document.reads_also))
    for means in MEANINGS:
        for written in getattr(document.dates, means):
            for reading in readings(written):
                matched = tuple(match_form(part) if isinstance(part, str) else part for part in reading)
                yield DatePhrase(means, matched, languages)


def _entries(document: InstantDocument) -> Iterator[tuple[Entry, InstantPattern, Phrase]]:
    """The fixed words that start each phrase: those before its slot, or else those behind it."""
    for source in document.patterns:
        for number, written in enumerate(source.say, 1):
            phrase = read_phrase(written)
            yield fixed_words(phrase, source.place, number), source, phrase


def fixed_words(phrase: Phrase, place: Place, number: int) -> Entry:
    """The entry by which a phrase is found; `number` keeps the phrases of one pattern apart."""
    return Entry(" | ".join(phrase.before or phrase.after), Place(place.file, place.line, number))


class _Maker:
    """Makes vocabularies."""

    def __init__(self, synonyms: SynonymsDocument, tables: MatchTables) -> None:
        self._values = synonyms.values
        self._tables = tables
        self.firsts: set[str] = set()
        """The first words of all phrases of the vocabularies made."""

    def _vocabulary(self, phrases: Iterable[tuple[Form, M]]) -> Vocabulary[M]:
        vocabulary = Vocabulary(phrases, self._tables)
        self.firsts |= vocabulary.firsts
        return vocabulary

    def single_words(self, *kinds: str) -> frozenset[str]:
        """The words of some kinds that are one word."""
        words = (form.text for kind in kinds for form, _ in self._meanings(kind))
        return frozenset(text for text in words if " " not in text)

    def kind(self, kind: str) -> Vocabulary[str]:
        """All words of one kind, by what they are called."""
        return self._vocabulary(self._meanings(kind))

    def spoken(self, kind: str) -> Vocabulary[Spoken]:
        """All words of one kind, with the languages they belong to."""
        said: dict[tuple[Form, str], set[str]] = {}
        for name, words in self._values.get(kind, {}).items():
            for language, entries in words.items():
                for entry in entries:
                    for form in forms_of(entry, language, {}):
                        said.setdefault((form, name), set()).add(language)
        return self._vocabulary((form, Spoken(name, frozenset(languages))) for (form, name), languages in said.items())

    def known(self, kinds: Iterable[str]) -> Vocabulary[Known]:
        """All words of some kinds."""
        return self._vocabulary((form, Known(name, kind)) for kind in kinds for form, name in self._meanings(kind))

    def words(self, entries: Iterable[Entry], language: str = ENGLISH) -> Vocabulary[str]:
        """Words that need no meaning."""
        return self._vocabulary((form, form.text) for entry in entries for form in forms_of(entry, language, {}))

    def by_language(self, words: Words) -> Vocabulary[str]:
        """Words of all languages that need no meaning."""
        return self.words(entry for entries in words.values() for entry in entries)

    def speech(self, language: str, documents: Mapping[str, InstantDocument]) -> Speech:
        """The small words of a language and of those it reads beside."""
        read = [documents[name].speech for name in (language, *documents[language].reads_also) if name in documents]

        def of(part: str) -> Vocabulary[str]:
            return self.words(entry for one in read for entry in getattr(one, part))

        things = ThingWords(*(of(part) for part in ThingWords._fields))
        return Speech(things, *(of(part) for part in ("negations", "doubts", "doubts_after", "others")))

    def compounds(self, anchors: AnchorsDocument) -> Iterator[tuple[str, tuple[str, str]]]:
        """Words that are read as two: a thing, and what is written together with it."""
        for language, compounds in anchors.compounds.items():
            tails = [match_form(tail) for tail in compounds.tails]
            for kind in anchors.slots[compounds.slot].kinds:
                for words in self._values.get(kind, {}).values():
                    for entry in (*words.get(language, ()), *words.get(ANY_LANGUAGE, ())):
                        for form in forms_of(entry, language, {}):
                            for link, tail in product(("", *compounds.links), tails):
                                yield f"{form.text}{link}{tail}", (form.text, tail)

    def _meanings(self, kind: str) -> Iterator[tuple[Form, str]]:
        for name, words in self._values.get(kind, {}).items():
            for language, entries in words.items():
                for entry in entries:
                    yield from ((Form(sign), name) for sign in CURRENCY_SIGNS.findall(entry.text))
                    yield from ((form, name) for form in forms_of(entry, language, {}))
