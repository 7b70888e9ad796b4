"""Life events with whose they are and when they are over: `in 3 weeks my sister's wedding` (INST-05, UK-13)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from chingoo.engine.doubt import Speech
from chingoo.engine.utterance import Utterance
from chingoo.engine.vocabulary import Vocabulary
from chingoo.engine.when import When
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.instant import EventKind
from chingoo.text.slug import slug

_LONGEST_DAY = 8  # words that a phrase for a day has at most (on the 2nd of the month after next)


class Event(NamedTuple):
    """A kind of event, the words it is named by, their language and all that name it so, and where they are listed."""

    name: str
    start: int
    stop: int
    language: str
    languages: frozenset[str]
    place: Place


class LifeEvent(NamedTuple):
    """An event as it is remembered; `expires_at` None where no day was named."""

    name: str
    start: int
    stop: int
    expires_at: datetime | None


class EventReach(NamedTuple):
    """How many words may stand between an event and its day, its person, and the phrase that announces it."""

    day: int
    person: int
    small_words: int


class EventReader:
    """Makes life events of the words for them."""

    def __init__(
        self,
        kinds: Mapping[str, EventKind],
        people: Vocabulary[str],
        no_events: Vocabulary[str],
        reach: EventReach,
    ) -> None:
        """`no_events` are phrases with a word for an event that name none (wedding dress)."""
        self._kinds = kinds
        self.people = people
        self._no_events = no_events
        self._reach = reach

    def outermost(self, said: Utterance, events: list[Event]) -> list[Event]:
        """Events without those named by words inside a longer name, and those that are none."""
        kept: list[Event] = []
        for event in sorted(events, key=lambda one: (one.start, -one.stop)):
            none = self._no_events.at(said.texts, event.start, said.size)
            if none is not None and none[1] > event.stop:
                continue
            if not kept or event.start >= kept[-1].stop:
                kept.append(event)
        return kept

    def read(self, said: Utterance, event: Event, speech: Speech, days: Sequence[When]) -> LifeEvent | None:
        """The life event; None where it is somebody else's alone. `days` are those of the message."""
        kind = self._kinds.get(event.name)
        if kind is None:
            return None
        person = self._person(said, event)
        if person is not None and not kind.people:
            return None
        when = self._when(said, event, speech, days)
        context = person if kind.people else when.month if kind.month and when is not None else None
        name = slug(f"{event.name}_{context}" if context else event.name)
        start = min(event.start, when.start) if when is not None else event.start
        stop = max(event.stop, when.stop) if when is not None else event.stop
        return LifeEvent(name, start, stop, when.at if when is not None else None)

    def may_have_day(self, event: Event, days: Sequence[When]) -> bool:
        """Whether one of some days is named near an event, though perhaps in another sentence."""
        return any(_gap(event, day) <= self._reach.day for day in days)

    @property
    def reach_of_days(self) -> int:
        """How many words before and after an event its day is looked for."""
        return self._reach.day + _LONGEST_DAY

    def surroundings(self, said: Utterance, event: Event) -> tuple[int, int]:
        """The words among which the day of an event is looked for."""
        reach = self.reach_of_days
        return max(0, event.start - reach), min(said.size, event.stop + reach)

    def following(self, said: Utterance, index: int, events: Sequence[Event], speech: Speech) -> Event | None:
        """The event that is named at `index`, behind a few small words (a, my, sister's)."""
        most = self._reach.small_words
        for event in events:
            if index <= event.start <= index + most and self._are_small(said, index, event.start, speech):
                return event
        return None

    def preceding(self, said: Utterance, index: int, events: Sequence[Event], speech: Speech) -> Event | None:
        """The event that is named just before `index`."""
        most = self._reach.small_words
        for event in reversed(events):
            if event.stop <= index <= event.stop + most and self._are_small(said, event.stop, index, speech):
                return event
        return None

    def _are_small(self, said: Utterance, start: int, stop: int, speech: Speech) -> bool:
        words = speech.things
        position = start
        while position < stop:
            found = (
                self.people.at(said.texts, position, stop)
                or words.fillers.at(said.texts, position, stop)
                or words.links.at(said.texts, position, stop)
                or words.leads.at(said.texts, position, stop)
            )
            if found is None or said.pauses[position]:
                return False
            position = found[1]
        return True

    def _person(self, said: Utterance, event: Event) -> str | None:
        """Whose event it is: the person who is named nearest, in the same clause."""
        position, stop = said.clause(event.start)
        nearest: tuple[int, str] | None = None
        for place in self.people.places(said.texts, position, stop):
            found = self.people.at(said.texts, place, stop) if place >= position else None
            if found is None:
                continue
            apart = max(event.start - found[1], place - event.stop)
            if apart <= self._reach.person and (nearest is None or apart < nearest[0]):
                nearest = apart, found[0]
            position = found[1]
        return nearest[1] if nearest is not None else None

    def _when(self, said: Utterance, event: Event, speech: Speech, days: Sequence[When]) -> When | None:
        """The day that is named nearest to the event in its sentence."""
        near = [(gap, day) for gap, day in ((_gap(event, day), day) for day in days) if gap <= self._reach.day]
        if not near:
            return None
        start, stop = said.sentence(event.start)
        breaks = speech.things.breaks
        for position in breaks.places(said.texts, start, stop):
            if breaks.at(said.texts, position, stop) is not None:
                if position < event.start:
                    start = position
                elif position >= event.stop:
                    stop = position
                    break
        fitting = [(gap, day) for gap, day in near if start <= day.start and day.stop <= stop]
        return min(fitting, key=lambda one: one[0])[1] if fitting else None


def _gap(event: Event, day: When) -> int:
    """How many words stand between an event and a day."""
    return max(event.start - day.stop, day.start - event.stop)
