"""Days to come, as people say them in any language: `in 2 weeks`, `через месяц`, `on 12 May`, `다음 달`."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, get_args

from chingoo.engine.days_ahead import DAYS_IN_WEEK, LAST_DAY, MONTHS, WEEKDAYS, DaysAhead
from chingoo.engine.glimpse import Glimpse
from chingoo.engine.numeric_dates import NumericDates
from chingoo.engine.phrases import Reading, Slot
from chingoo.engine.utterance import Utterance
from chingoo.engine.vocabulary import Vocabulary, may_begin

Means = Literal[
    "after", "one", "next", "this", "month", "day", "weekday", "weekday_next_week", "today", "tomorrow", "in_two_days"
]
MEANINGS: tuple[Means, ...] = get_args(Means)
"""What a date phrase means, by the keys of DatePhrases."""

_YEAR_DIGITS = 4
_NUMBERS: Mapping[str, tuple[int, int]] = {"count": (1, 400), "day": (1, LAST_DAY), "year": (2000, 2999)}
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


class _Parts(NamedTuple):
    """A phrase word by word, or what is left of it."""

    means: Means
    parts: Sequence[str | Slot]
    languages: frozenset[str]


class _Needs(NamedTuple):
    """The words of a phrase, and its slots."""

    words: frozenset[str]
    slots: frozenset[str]


class _Slotted(NamedTuple):
    """What a slot is filled with, where it ends, and the languages that say it so; None: digits, which all read."""

    value: str | int
    stop: int
    languages: frozenset[str] | None

    def fits(self, languages: frozenset[str]) -> bool:
        """Whether a phrase of some languages may hold it."""
        return self.languages is None or not self.languages.isdisjoint(languages)


class _Filled(NamedTuple):
    """What the slots of one phrase were filled with."""

    stop: int
    values: Mapping[str, str | int]


class DateReader:
    """Finds dates by phrases; of several at one place the longest counts."""

    def __init__(
        self, phrases: Iterable[DatePhrase], words: DateWords, numeric: NumericDates, years_ahead: int
    ) -> None:
        """A day that is more than `years_ahead` years away is none."""
        self._words, self._years_ahead = words, years_ahead
        self._numeric = numeric
        self._named = {"unit": words.units, "month": words.months, "weekday": words.weekdays}
        self._by_first: dict[str, list[_Parts]] = {}
        self._by_slot: dict[str, list[_Parts]] = {}
        self._needs: dict[str, set[_Needs]] = {}
        for phrase in phrases:
            parts: list[str | Slot] = []
            for part in phrase.reading:
                parts += [part] if isinstance(part, Slot) else part.split(" ")
            whole = _Parts(phrase.means, parts, phrase.languages)
            needs = _Needs(
                frozenset(part for part in parts if isinstance(part, str)),
                frozenset(part.name for part in parts if isinstance(part, Slot)),
            )
            self._needs.setdefault(min(needs.words, default=""), set()).add(needs)
            if isinstance(first := parts[0], Slot):
                self._by_slot.setdefault(first.name, []).append(whole._replace(parts=parts[1:]))
            else:
                self._by_first.setdefault(first, []).append(whole)
        named = (words.units, words.months, words.weekdays, words.numbers, words.ordinals)
        self._firsts = frozenset(self._by_first).union(*(vocabulary.firsts for vocabulary in named))

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
        return any(
            needs.slots <= slots and needs.words <= spoken
            for word in ("", *(self._needs.keys() & spoken))
            for needs in self._needs.get(word, ())
        )

    def find(self, said: Utterance, start: int, stop: int, now: datetime, languages: Iterable[str] = ()) -> list[When]:
        """All days to come between two words. `now` is in the zone of the person.

        Days in numbers are read as in `languages`, unless a word before them is of another.
        """
        found: list[When] = []
        position = start
        while position < stop:
            word = said.texts[position]
            if not word.isdecimal() and not may_begin(word, self._firsts):
                position += 1
                continue
            day, end = self._at(said, position, stop, now)
            if end == position:
                day, end = self._in_numbers(said, position, stop, now, languages)
            if day is not None:
                found.append(day)
            position = max(end, position + 1)
        return found

    def _at(self, said: Utterance, index: int, stop: int, now: datetime) -> tuple[When | None, int]:
        """The day that the longest phrase at a word names, None for one that is over, and where it ends."""
        day: When | None = None
        end = index
        nothing: Mapping[str, str | int] = {}
        begun = [(one, nothing, index) for one in self._by_first.get(said.texts[index], ())]
        for name, listed in self._by_slot.items():
            filled = self._slot(said, name, index, stop)
            if filled is not None:
                known = {name: filled.value}
                begun += [(one, known, filled.stop) for one in listed if filled.fits(one.languages)]
        for phrase, values, position in begun:
            found = self._filled(said, phrase, values, position, stop)
            if found is None or found.stop <= end:
                continue
            at = self._instant(phrase.means, found.values, now)
            month = found.values.get("month")
            end = found.stop
            day = None if at is None else When(at, month if isinstance(month, str) else None, index, end)
        return day, end

    def _in_numbers(
        self, said: Utterance, index: int, stop: int, now: datetime, languages: Iterable[str]
    ) -> tuple[When | None, int]:
        found = self._numeric.at(said, index, stop, languages)
        if found is None:
            return None, index
        at = DaysAhead(now, self._years_ahead).on(found.day, found.month, found.year)
        return None if at is None else When(at, MONTHS[found.month - 1], index, found.stop), found.stop

    def _filled(
        self, said: Utterance, phrase: _Parts, known: Mapping[str, str | int], index: int, stop: int
    ) -> _Filled | None:
        values = known
        position = index
        for part in phrase.parts:
            if position >= stop:
                return None
            if isinstance(part, str):
                if said.texts[position] != part:
                    return None
                position += 1
                continue
            filled = self._slot(said, part.name, position, stop)
            if filled is None or not filled.fits(phrase.languages):
                return None
            values, position = {**values, part.name: filled.value}, filled.stop
        return _Filled(position, values)

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
