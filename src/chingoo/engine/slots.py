"""Fills the slots of patterns: sizes, amounts, things and events, on whichever side of the fixed words they stand."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from chingoo.engine.amounts import SKIPPED, MoneyWords, amount_at
from chingoo.engine.doubt import Speech
from chingoo.engine.events import Event, EventReader
from chingoo.engine.glimpse import Glimpse
from chingoo.engine.sizes import Measured, SizeReader
from chingoo.engine.things import Thing, ThingReader
from chingoo.engine.utterance import PAUSE, REACH, Utterance
from chingoo.engine.vocabulary import Vocabulary
from chingoo.engine.when import When

SIZE_SLOTS = ("size", "letter", "number", "height", "measured_height", "weight", "measured_weight")
LETTER = "letter"
LETTER_SLOTS = ("size", LETTER)
AMOUNT_SLOT, EVENT_SLOT = "amount", "event"
SPELLED_SLOTS = (*LETTER_SLOTS, AMOUNT_SLOT)
"""Slots that a few words may fill without a digit: these words are looked at sooner than all of a text."""

_GENERAL = "general"
_LONGEST_VALUE = 6  # words of the longest value there is (two thousand five hundred US dollars)


class Filled(NamedTuple):
    """What fills a slot: what follows the family in the key, the value, the words, and the end of an event."""

    key: str
    value: str
    start: int
    stop: int
    expires_at: datetime | None = None


class Named(NamedTuple):
    """The events that a message names, and the days to come."""

    events: Sequence[Event]
    days: Sequence[When]


class SlotReader:
    """Fills slots."""

    def __init__(
        self, sizes: SizeReader, money: MoneyWords, things: Mapping[str, ThingReader], events: EventReader
    ) -> None:
        self._sizes = sizes
        self._money = money
        self._things = things
        self.events = events
        about = 1 + sizes.longest_about
        self._reach = {
            **dict.fromkeys(("height", "measured_height", "weight", "measured_weight"), about),
            AMOUNT_SLOT: 1 + money.currencies.longest + 2 * SKIPPED * money.about.longest,
        }
        self._measured: Mapping[str, Callable[[Utterance, int, int], Measured | None]] = {
            "size": sizes.size,
            "letter": sizes.letter,
            "number": sizes.number,
            "height": lambda said, index, stop: sizes.height(said, index, stop, unit_needed=False),
            "measured_height": lambda said, index, stop: sizes.height(said, index, stop, unit_needed=True),
            "weight": lambda said, index, stop: sizes.weight(said, index, stop, unit_needed=False),
            "measured_weight": lambda said, index, stop: sizes.weight(said, index, stop, unit_needed=True),
        }

    def reach(self, slot: str, *, follows: bool, enclosed: bool) -> tuple[int, int]:
        """How many words before and after its fixed words a slot may take up; `enclosed`: they stand on both sides."""
        if slot in self._things or enclosed:
            return (0, REACH + 1) if follows else (REACH, 0)
        return (0, self._reach.get(slot, 1)) if follows else (_LONGEST_VALUE, 0)

    def may_fill(self, slot: str, glimpse: Glimpse, *, events: bool) -> bool:
        """Whether a text may hold what fills a slot; `events`: it has words for events."""
        if slot == EVENT_SLOT:
            return events
        if slot in self._things:
            return self._things[slot].may_be_in(glimpse)
        if glimpse.has_digits:
            return slot != LETTER or self._sizes.may_be_letters(glimpse)
        if slot == AMOUNT_SLOT:
            return glimpse.may_hold(self._money.numbers) or glimpse.may_hold(self._money.multipliers)
        return slot in LETTER_SLOTS and self._sizes.may_be_letters(glimpse)

    def after(self, said: Utterance, slot: str, index: int, named: Named, speech: Speech) -> tuple[list[Filled], int]:
        """What fills a slot that begins at `index`, and where it ends."""
        if index >= said.size or said.pauses[index]:
            return [], index
        if slot in self._things:
            things, end = self._things[slot].after(said, index, speech.things)
            return _filled(things), end
        if slot == EVENT_SLOT:
            event = self.events.following(said, index, named.events, speech)
            found = self.event(said, event, speech, named) if event is not None else None
            return ([found], event.stop) if found is not None and event is not None else ([], index)
        value = self._value(said, slot, index, said.sentence(index)[1], speech)
        return ([value], value.stop) if value is not None else ([], index)

    def before(self, said: Utterance, slot: str, index: int, named: Named, speech: Speech) -> list[Filled]:
        """What fills a slot that ends before `index`."""
        if index == 0 or said.pauses[index]:
            return []
        if slot in self._things:
            return _filled(self._things[slot].before(said, index, speech.things))
        if slot == EVENT_SLOT:
            event = self.events.preceding(said, index, named.events, speech)
            found = self.event(said, event, speech, named) if event is not None else None
            return [found] if found is not None else []
        for start in range(max(said.clause(index)[0], index - _LONGEST_VALUE), index):
            value = self._value(said, slot, start, index, speech)
            if value is not None and value.stop == index:
                return [value]
        return []

    def between(
        self,
        said: Utterance,
        slot: str,
        index: int,
        behind: Vocabulary[str],
        named: Named,
        speech: Speech,
    ) -> tuple[list[Filled], int]:
        """What fills a slot that begins at `index`, where the words `behind` follow; and where these end."""
        if slot not in self._things:
            filled, end = self.after(said, slot, index, named, speech)
            follows = behind.at(said.texts, end, said.size) if filled else None
            return (filled, follows[1]) if follows is not None and not said.pauses[end] else ([], index)
        for position in range(index + 1, said.sentence(index)[1] if index < said.size else index):
            follows = behind.at(said.texts, position, said.size)
            if follows is not None and said.pauses[position] < PAUSE:
                things, _ = self._things[slot].after(said, index, speech.things, position)
                return _filled(things), follows[1]
        return [], index

    def event(self, said: Utterance, event: Event, speech: Speech, named: Named) -> Filled | None:
        """A life event as slots are filled."""
        found = self.events.read(said, event, speech, named.days)
        return None if found is None else Filled(found.name, found.name, found.start, found.stop, found.expires_at)

    def _value(self, said: Utterance, slot: str, index: int, stop: int, speech: Speech) -> Filled | None:
        if slot == AMOUNT_SLOT:
            amount = amount_at(said, index, stop, self._money)
            return None if amount is None else Filled(_GENERAL, amount[0], index, amount[1])
        measured = self._measured[slot](said, index, stop)
        if measured is None or self._sizes.is_choice(said, measured.stop, said.size, speech.things.joins):
            return None
        return Filled(measured.key, measured.value, index, measured.stop)


def _filled(things: list[Thing]) -> list[Filled]:
    return [Filled(thing.name, thing.name, thing.start, thing.stop) for thing in things]
