"""Days to come, as people say them in any language: `in 2 weeks`, `через месяц`, `on 12 May`, `다음 달`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from typing import Literal, NamedTuple, get_args

from chingoo.engine.days_ahead import DAYS_IN_WEEK, LAST_DAY, MONTHS, WEEKDAYS, DaysAhead
from chingoo.engine.glimpse import Glimpse
from chingoo.engine.numeric_dates import NumericDates
from chingoo.engine.phrases import Reading, Slot
from chingoo.engine.utterance import Utterance
from chingoo.engine.vocabulary import Vocabulary

Means = Literal[
    "after", "one", "next", "this", "month", "day", "weekday", "weekday_next_week", "today", "tomorrow", "in_two_days"
]
MEANINGS: tuple[Means, ...] = get_args(Means)
"""What a date phrase means, by the keys of DatePhrases."""

_YEAR_DIGITS = 4
_NUMBERS: Mapping[str, tuple[int, int]] = {"count": (1, 400), "day": (1, LAST_DAY), "year": (2000, 2999)}
_NOTHING = frozenset[str]()
SLOTS = frozenset(("count", "unit", "month", "weekday", "day", "year"))
"""The slots of date phrases."""

NEEDS: Mapping[Means, frozenset[str]] = {
    "after": frozenset(("count", "unit")),
    "one": frozenset(("unit",)),
    "next": frozenset(("unit",)),
    "this": frozenset(("unit",)),
    "month": frozenset(("month",)),
    "day": frozenset(("day", "month")),
    "weekday": frozenset(("weekday",)),
    "weekday_next_week": frozenset(("weekday",)),
    "today": frozenset(),
    "tomorrow": frozenset(),
    "in_two_days": frozenset(),
}
"""The slots without which a phrase does not say what its key means."""


class When(NamedTuple):
    """A day to come: the instant at which what happens then is over, the month if it was named, and where it stands."""

    at: datetime
    month: str | None
    start: int
    stop: int


class Spoken(NamedTuple):
    """What a word of the calendar is called, and the languages that say it so (march is English, marzo is not)."""

    name: str
    languages: frozenset[str]


class DatePhrase(NamedTuple):
    """A phrase for a day, and the languages whose words fill its slots."""

    means: Means
    reading: Reading
    languages: frozenset[str]


class DateWords(NamedTuple):
    """What the slots of date phrases are filled with."""

    units: Vocabulary[Spoken]
    months: Vocabulary[Spoken]
    weekdays: Vocabulary[Spoken]
    numbers: Vocabulary[Spoken]
    ordinals: Vocabulary[Spoken]


class _Ending(NamedTuple):
    """What a phrase means that ends somewhere, and its languages; of phrases of the same length the first counts."""

    number: int
    means: Means
    languages: frozenset[str]


class _Begun:
    """All phrases that begin alike: those that end here, and how the others go on."""

    __slots__ = ("endings", "slots", "words")

    def __init__(self) -> None:
        self.endings: list[_Ending] = []
        self.words: dict[str, _Begun] = {}
        self.slots: dict[str, _Begun] = {}

    def take(self, parts: Iterable[str | Slot], ending: _Ending) -> None:
        """Add a phrase that goes on with some parts."""
        begun = self
        for part in parts:
            if isinstance(part, Slot):
                begun = begun.slots.setdefault(part.name, _Begun())
            else:
                begun = begun.words.setdefault(part, _Begun())
        begun.endings.append(ending)


class _Needs:
    """The words without which no phrase with some slots stands in a text: any one, or all of any of some sets.

    Such a set stands under the longest of its words, as hardly a text has it by chance.
    """

    __slots__ = ("nothing", "together", "words")

    def __init__(self) -> None:
        self.nothing = False
        self.words: set[str] = set()
        self.together: dict[str, set[frozenset[str]]] = {}

    def take(self, words: frozenset[str]) -> None:
        """Add what one phrase needs."""
        self.nothing = self.nothing or not words
        if len(words) == 1:
            self.words |= words
        elif words:
            self.together.setdefault(max(words, key=len), set()).add(words)

    def are_met(self, spoken: Set[str]) -> bool:
        """Whether a text may hold one of the phrases."""
        if self.nothing or not self.words.isdisjoint(spoken):
            return True
        return any(words <= spoken for longest in self.together.keys() & spoken for words in self.together[longest])


class _Slotted(NamedTuple):
    """What a slot is filled with, where it ends, and the languages that say it so; None: digits, which all read."""

    value: str | int
    stop: int
    languages: frozenset[str] | None

    def fits(self, languages: frozenset[str]) -> bool:
        """Whether a phrase of some languages may hold it."""
        return self.languages is None or not self.languages.isdisjoint(languages)


class _Found(NamedTuple):
    """A phrase that was found: where it ends and minus its number, by which one counts, its meaning and its slots."""

    stop: int
    precedence: int
    means: Means
    slots: tuple[tuple[str, _Slotted], ...]


class DateReader:
    """Finds dates by phrases; of several at one place the longest counts."""

    def __init__(
        self, phrases: Iterable[DatePhrase], words: DateWords, numeric: NumericDates, years_ahead: int
    ) -> None:
        """A day that is more than `years_ahead` years away is none."""
        self._words, self._years_ahead = words, years_ahead
        self._numeric = numeric
        self._named = {"unit": words.units, "month": words.months, "weekday": words.weekdays}
        self._phrases = _Begun()
        self._needs: dict[frozenset[str], _Needs] = {}
        for number, (parts, phrase) in enumerate(_in_order(phrases)):
            self._phrases.take(parts, _Ending(number, phrase.means, phrase.languages))
            slots = frozenset(part.name for part in parts if isinstance(part, Slot))
            self._needs.setdefault(slots, _Needs()).take(frozenset(part for part in parts if isinstance(part, str)))
        self._fillers: dict[str, frozenset[str]] = {}
        for slot, vocabulary in (*self._named.items(), ("count", words.numbers)):
            for word in vocabulary.firsts:
                self._fillers[word] = self._fillers.get(word, _NOTHING) | {slot}

    def may_be_in(self, glimpse: Glimpse) -> bool:
        """Whether a text may name a day: in digits, or by the words of a phrase and those that fill its slots."""
        if glimpse.has_joined_digits or glimpse.has_glued_digits:
            return True
        slots = {slot for slot, vocabulary in self._named.items() if glimpse.may_hold(vocabulary)}
        if glimpse.may_hold(self._words.numbers):
            slots.add("count")
        if glimpse.has_digits:
            slots |= _NUMBERS.keys()
        spoken = glimpse.words
        return any(needs.are_met(spoken) for needed, needs in self._needs.items() if needed <= slots)

    def find(self, said: Utterance, start: int, stop: int, now: datetime, languages: Iterable[str] = ()) -> list[When]:
        """All days to come between two words. `now` is in the zone of the person.

        Days in numbers are read as in `languages`, unless a word before them is of another.
        """
        found: list[When] = []
        position = start
        for place in range(start, stop):
            if place < position or not (said.texts[place] in self._phrases.words or self._fills(said, place)):
                continue
            day, position = self._at(said, place, stop, now)
            if position == place:
                day, position = self._in_numbers(said, place, stop, now, languages)
            if day is not None:
                found.append(day)
        return found

    def _at(self, said: Utterance, index: int, stop: int, now: datetime) -> tuple[When | None, int]:
        """The day that the longest phrase at a word names, None for one that is over, and where it ends."""
        found = max(self._found(said, self._phrases, index, stop, ()), default=None)
        if found is None:
            return None, index
        values = {name: slotted.value for name, slotted in found.slots}
        at, month = self._instant(found.means, values, now), values.get("month")
        day = None if at is None else When(at, month if isinstance(month, str) else None, index, found.stop)
        return day, found.stop

    def _in_numbers(
        self, said: Utterance, index: int, stop: int, now: datetime, languages: Iterable[str]
    ) -> tuple[When | None, int]:
        found = self._numeric.at(said, index, stop, languages)
        if found is None:
            return None, index
        at = DaysAhead(now, self._years_ahead).on(found.day, found.month, found.year)
        return None if at is None else When(at, MONTHS[found.month - 1], index, found.stop), found.stop

    def _found(
        self, said: Utterance, begun: _Begun, index: int, stop: int, slots: tuple[tuple[str, _Slotted], ...]
    ) -> Iterator[_Found]:
        """The phrases that go on at a word and end before `stop`; `slots` are those filled up to there."""
        for ending in begun.endings:
            if all(slotted.fits(ending.languages) for _, slotted in slots):
                yield _Found(index, -ending.number, ending.means, slots)
                break
        if index >= stop:
            return
        following = begun.words.get(said.texts[index])
        if following is not None:
            yield from self._found(said, following, index + 1, stop, slots)
        if not begun.slots:
            return
        for name in begun.slots.keys() & self._fills(said, index):
            slotted = self._slot(said, name, index, stop)
            if slotted is not None:
                yield from self._found(said, begun.slots[name], slotted.stop, stop, (*slots, (name, slotted)))

    def _fills(self, said: Utterance, index: int) -> Set[str]:
        """The slots that may begin at a word."""
        slots = said.texts.meant(self, self._fillers).get(index, _NOTHING)
        return slots | _NUMBERS.keys() if said.texts[index].isdecimal() else slots

    def _slot(self, said: Utterance, name: str, index: int, stop: int) -> _Slotted | None:
        named = self._named.get(name)
        if named is None:
            return self._number(said, name, index, stop)
        found = named.at(said.texts, index, stop)
        return None if found is None else _Slotted(found[0].name, found[1], found[0].languages)

    def _number(self, said: Utterance, name: str, index: int, stop: int) -> _Slotted | None:
        text = said.texts[index]
        if text.isdecimal() and len(text) <= _YEAR_DIGITS:
            ordinal = self._words.ordinals.at(said.texts, index + 1, stop) if name == "day" else None
            number = _Slotted(int(text), ordinal[1] if ordinal is not None else index + 1, None)
        else:
            spoken = self._words.numbers.at(said.texts, index, stop) if name == "count" else None
            if spoken is None:
                return None
            number = _Slotted(int(spoken[0].name), spoken[1], spoken[0].languages)
        lowest, highest = _NUMBERS[name]
        return number if lowest <= int(number.value) <= highest else None

    def _instant(self, means: Means, values: Mapping[str, str | int], now: datetime) -> datetime | None:
        days = DaysAhead(now, self._years_ahead)
        if means in ("after", "one"):
            return days.after(int(values.get("count", 1)), str(values["unit"]))
        if means in ("next", "this"):
            return days.end_of(str(values["unit"]), int(means == "next"))
        if means in ("month", "day"):
            month, year = MONTHS.index(str(values["month"])) + 1, values.get("year")
            stated = None if year is None else int(year)
            return days.end_of_month(month, stated) if means == "month" else days.on(int(values["day"]), month, stated)
        if means in ("weekday", "weekday_next_week"):
            apart = WEEKDAYS.index(str(values["weekday"])) - now.weekday()
            return days.end_of_day(apart % DAYS_IN_WEEK or DAYS_IN_WEEK if means == "weekday" else apart + DAYS_IN_WEEK)
        return days.end_of_day({"today": 0, "tomorrow": 1, "in_two_days": 2}[means])


def _in_order(phrases: Iterable[DatePhrase]) -> list[tuple[Sequence[str | Slot], DatePhrase]]:
    """Phrases word by word, in the order in which they count: those that begin with a word before all others."""
    ranks = {"": 0}
    parted: list[tuple[Sequence[str | Slot], DatePhrase]] = []
    for phrase in phrases:
        parts: list[str | Slot] = []
        for part in phrase.reading:
            parts += [part] if isinstance(part, Slot) else part.split(" ")
        ranks.setdefault(_first_slot(parts), len(ranks))
        parted.append((parts, phrase))
    return sorted(parted, key=lambda one: ranks[_first_slot(one[0])])


def _first_slot(parts: Sequence[str | Slot]) -> str:
    """The slot that a phrase begins with, if any."""
    return first.name if isinstance(first := parts[0], Slot) else ""
