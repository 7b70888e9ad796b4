"""Instant facts: what one message says of the guaranteed families, by patterns alone (§18, K1-K4, K6b-d, K17-K26)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from chingoo.engine.doubt import Speech, ends_clause, is_doubtful, is_event_doubtful, starts_clause
from chingoo.engine.events import Event
from chingoo.engine.glimpse import Glimpse
from chingoo.engine.hits import Hit
from chingoo.engine.phrases import Phrase
from chingoo.engine.scan import Scan
from chingoo.engine.slots import EVENT_SLOT, SPELLED_SLOTS, Filled, Named, SlotReader
from chingoo.engine.utterance import SENTENCE, SURROUNDINGS, Glue, Utterance
from chingoo.engine.vocabulary import Vocabulary
from chingoo.engine.when import DateReader, When
from chingoo.model.decision import ExtractedFact
from chingoo.policy.documents.base import Entry, Place
from chingoo.policy.documents.instant import FactBounds, InstantPattern
from chingoo.policy.documents.memory import MemoryFamily

PHRASES, EVENTS = "instant.phrases", "instant.events"
"""The word lists whose hits start a search: fixed words of patterns, and words for events."""

INSTANT = "instant_pattern"
EVENT_WITH_A_DAY = "instant.event-with-a-day"
"""What a life event is called in traces that was found by a word for it beside a day."""

_EVENT = "life_event"
_FEW = 12
"""The words around each of so many places are looked at alone: most patterns have nothing to fill there."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One phrase of a pattern, with what may stand behind its slot and the small words of its language."""

    source: InstantPattern
    phrase: Phrase
    after: Vocabulary[str]
    speech: Speech


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact, what found it and where that is written, and the span in `user_text_norm` it rests on."""

    fact: ExtractedFact
    pattern: str
    place: Place
    written: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class FactReader:
    """Reads facts; a message without any word of a pattern costs one look. `patterns` are by their fixed words."""

    patterns: Mapping[Entry, Pattern]
    events: Mapping[Entry, str]
    speech: Mapping[str, Speech]
    usual_speech: Speech
    slots: SlotReader
    dates: DateReader
    families: Mapping[str, MemoryFamily]
    glue: Glue
    bounds: FactBounds

    def read(self, scan: Scan, received_at: datetime, zone: str | None) -> tuple[FoundFact, ...]:
        """The facts of a message in order of appearance; of one key the last. `zone` is an IANA name."""
        if not (scan.has(PHRASES) or scan.has(EVENTS)):
            return ()
        phrases, words = (scan.leading(list_id, self.bounds.most_hits) for list_id in (PHRASES, EVENTS))
        glimpse = Glimpse(scan.text.match, scan.text.user_text_norm, self.glue)
        few = len(phrases) <= _FEW
        phrases = tuple([hit for hit in phrases if self._may_be_filled(hit, glimpse, few=few, events=bool(words))])
        if not phrases and not (words and self._may_have_days(words, glimpse)):
            return ()
        last = max(hit.last_token for hits in (phrases, words) for hit in hits)
        said = Utterance(scan.text, self.glue, min(self.bounds.most_words, last + 1 + SURROUNDINGS))
        now = received_at.astimezone(_zone(zone))
        events = self._events(said, words)
        named = Named(events, self._days(said, events, now))
        found = [*self._by_days(said, named, now), *self._by_phrases(said, phrases, named, now)]
        latest: dict[str, FoundFact] = {}
        for one in sorted(found, key=lambda fact: fact.span):
            known = latest.pop(one.fact.memory_key, None)
            latest[one.fact.memory_key] = one if known is None or not _is_surer(known, one) else known
        return tuple(latest.values())

    def _may_have_days(self, words: Sequence[Hit], glimpse: Glimpse) -> bool:
        """Whether a day may be named near words for events."""
        first, last = min(hit.first_token for hit in words), max(hit.last_token for hit in words)
        reach = self.slots.events.reach_of_days
        return self.dates.may_be_in(glimpse.near(first, last, reach, reach))

    def _may_be_filled(self, hit: Hit, glimpse: Glimpse, *, few: bool, events: bool) -> bool:
        """Whether the text may hold what is missing around the fixed words of a pattern; of many, anywhere in it."""
        pattern = self.patterns[hit.entry]
        phrase = pattern.phrase
        if phrase.slot not in SPELLED_SLOTS and not self.slots.may_fill(phrase.slot, glimpse, events=events):
            return False
        enclosed = bool(phrase.before and phrase.after)
        if few and phrase.slot != EVENT_SLOT:
            before, after = self.slots.reach(phrase.slot, follows=bool(phrase.before), enclosed=enclosed)
            # fixed words that are whole words hold no part of what follows: the m of "i'm" is no size
            if before or not glimpse.says(hit.first_token, hit.last_token, phrase.before):
                glimpse = glimpse.near(hit.first_token, hit.last_token, before, after)
            else:
                glimpse = glimpse.behind(hit.last_token, after)
        if enclosed and not glimpse.may_hold(pattern.after):
            return False
        return self.slots.may_fill(phrase.slot, glimpse, events=events)

    def _by_phrases(self, said: Utterance, hits: Sequence[Hit], named: Named, now: datetime) -> Iterator[FoundFact]:
        left = self.bounds.most_facts
        for hit in _read_of(said, hits):
            pattern = self.patterns[hit.entry]
            start, stop = _words_of(said, hit)
            if stop <= start or max(said.pauses[start + 1 : stop], default=0) >= SENTENCE:
                continue
            stated = self._filled(said, pattern, start, stop, named)[:left]
            left -= len(stated)
            for filled in stated:
                first, last = min(filled.start, start), max(filled.stop, stop)
                if not self._is_doubtful(said, first, last, pattern.source.family, pattern.speech):
                    fact = self._fact(pattern.source.family, filled, now)
                    source = pattern.source
                    yield FoundFact(fact, source.id, source.place, hit.name, said.span(first, last))

    def _filled(self, said: Utterance, pattern: Pattern, start: int, stop: int, named: Named) -> list[Filled]:
        """What a pattern's slot is filled with, where its fixed words stand from `start` to `stop`."""
        phrase, words = pattern.phrase, pattern.speech.things
        if not phrase.before:
            filled, end = self.slots.before(said, phrase.slot, start, named, pattern.speech), stop
        elif phrase.after:
            filled, end = self.slots.between(said, phrase.slot, stop, pattern.after, named, pattern.speech)
        else:
            filled, end = self.slots.after(said, phrase.slot, stop, named, pattern.speech)
        if not filled:
            return []
        first = min(start, *(one.start for one in filled))
        if phrase.starts and not starts_clause(said, first, words):
            return []
        return [] if phrase.ends and not ends_clause(said, end, words) else filled

    def _by_days(self, said: Utterance, named: Named, now: datetime) -> Iterator[FoundFact]:
        """Events that need no pattern, because a day to come is named beside them."""
        for event in named.events:
            if not self.slots.events.may_have_day(event, named.days):
                continue
            speech = self.speech.get(event.language, self.usual_speech)
            filled = self.slots.event(said, event, speech, named)
            if filled is None or filled.expires_at is None:
                continue
            if self._is_doubtful(said, filled.start, filled.stop, _EVENT, speech):
                continue
            span = said.span(filled.start, filled.stop)
            yield FoundFact(self._fact(_EVENT, filled, now), EVENT_WITH_A_DAY, event.place, event.name, span)

    def _is_doubtful(self, said: Utterance, start: int, stop: int, family: str, speech: Speech) -> bool:
        if family == _EVENT:
            return is_event_doubtful(said, start, stop, speech, self.slots.events.people)
        return is_doubtful(said, start, stop, speech)

    def _events(self, said: Utterance, hits: Sequence[Hit]) -> list[Event]:
        """The words for events in a message, each the longest of its place."""
        read = _read_of(said, hits)
        spoken: dict[tuple[int, int], set[str]] = {}
        for hit in read:
            spoken.setdefault(_words_of(said, hit), set()).add(hit.language)
        listed = [
            Event(self.events[hit.entry], *at, hit.language, frozenset(spoken[at]), hit.entry.place)
            for hit, at in ((hit, _words_of(said, hit)) for hit in read)
        ]
        return self.slots.events.outermost(said, [event for event in listed if event.start < event.stop])

    def _days(self, said: Utterance, events: list[Event], now: datetime) -> list[When]:
        """The days to come that are named near events."""
        days: list[When] = []
        read_to = 0
        for event in events:
            start, stop = self.slots.events.surroundings(said, event)
            start = max(start, read_to)
            if start < stop:
                days += self.dates.find(said, start, stop, now, event.languages)
                read_to = max(stop, days[-1].stop) if days else stop
        return days

    def _fact(self, family: str, filled: Filled, now: datetime) -> ExtractedFact:
        known = self.families[family]
        expires_at = None
        if known.ttl_days is not None:
            expires_at = filled.expires_at or now + timedelta(days=known.ttl_days)
        return ExtractedFact(
            type=family,
            memory_key=f"{known.key}:{filled.key}",
            memory_value=filled.value,
            confidence=known.initial_confidence[INSTANT],
            extracted_from=INSTANT,
            expires_at=expires_at,
        )


def _zone(name: str | None) -> tzinfo:
    """The zone of that name; UTC for none, and for a name that nobody knows."""
    try:
        return ZoneInfo(name) if name is not None else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def _read_of(said: Utterance, hits: Sequence[Hit]) -> list[Hit]:
    """Hits among the words that were read."""
    return [hit for hit in hits if hit.last_token < said.tokens]


def _words_of(said: Utterance, hit: Hit) -> tuple[int, int]:
    return said.first_of[hit.first_token], said.last_of[hit.last_token] + 1


def _is_surer(known: FoundFact, other: FoundFact) -> bool:
    """Whether a fact rests on all the words another rests on, so that the other one adds nothing."""
    return known.span[0] <= other.span[0] and other.span[1] <= known.span[1] and known.span != other.span
