"""Days written in numbers: 12.05.2026, 5/12, 2026-05-12. Which number is the day depends on the language."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from chingoo.engine.utterance import Utterance
from chingoo.engine.vocabulary import Vocabulary
from chingoo.policy.documents.instant import DateOrder

_DOT, _SLASH, _DASH = ".", "/", "-"
_YEAR_DIGITS, _SHORT_YEAR_DIGITS, _DAY_DIGITS = 4, 2, 2
_CENTURY = 2000  # of a year in two digits: only days to come are looked for
_MONTHS, _DAYS = 12, 31
_MARKS_OUT_OF = 10  # 8/10 is a mark in every language, and no day of October
_WITHOUT_YEAR, _WITH_YEAR = 2, 3


class NumericDay(NamedTuple):
    """A day in numbers, and where it ends; `year` None where it is not said."""

    day: int
    month: int
    year: int | None
    stop: int


class NumericDates:
    """Reads days in numbers. A day and a month alone need a word before them, unless nothing else is written so."""

    def __init__(self, orders: Mapping[str, DateOrder], leads: Mapping[str, Vocabulary[str]]) -> None:
        """`leads` are the words of each language behind which two numbers are a day and a month (on, am, le)."""
        self._orders = orders
        self._leads = leads

    def at(self, said: Utterance, index: int, stop: int, languages: Iterable[str]) -> NumericDay | None:
        """The day written at `index`; `languages` are those of the words around it."""
        numbers = _numbers(said, index, stop)
        sign = said.gaps[index + 1] if len(numbers) > 1 else ""
        end = index + len(numbers)
        if len(numbers) == _WITH_YEAR:
            first, second, third = numbers
            if len(first) == _YEAR_DIGITS:
                return _day(int(third), int(second), int(first), end)
            if len(third) == _YEAR_DIGITS or (len(third) == _SHORT_YEAR_DIGITS and sign != _DASH):
                year = int(third) + (0 if len(third) == _YEAR_DIGITS else _CENTURY)
                return self._ordered(first, second, year, end, sign, languages)
        elif len(numbers) == _WITHOUT_YEAR and sign != _DASH and len(numbers[0]) <= _DAY_DIGITS:
            led = self._led(said, index)
            if led or self._is_plain(numbers[0], numbers[1], sign, languages):
                return self._ordered(numbers[0], numbers[1], None, end, sign, led or languages)
        return None

    def _led(self, said: Utterance, index: int) -> tuple[str, ...]:
        """The languages of the word before, if it leads to a day."""
        if index == 0 or said.gaps[index] != " ":
            return ()
        return tuple(language for language, words in self._leads.items() if words.at(said.texts, index - 1, index))

    def _is_plain(self, first: str, second: str, sign: str, languages: Iterable[str]) -> bool:
        """Whether two numbers are hardly anything but a day and a month: 15.04 and 5/12, but not 1.5, 24/7, 8/10."""
        if len(second) != _DAY_DIGITS:
            return False
        if sign == _DOT:
            return second.startswith("0") and {self._orders.get(language) for language in languages} == {"day"}
        return int(second) != _MARKS_OUT_OF or int(first) > _MARKS_OUT_OF

    def _ordered(
        self, first: str, second: str, year: int | None, stop: int, sign: str, languages: Iterable[str]
    ) -> NumericDay | None:
        """The day, by the order of the languages; where they differ, only if it can be no other."""
        by_day, by_month = (
            _day(int(first), int(second), year, stop),
            _day(int(second), int(first), year, stop),
        )
        if by_day is None or by_month is None or by_day == by_month:
            return by_day or by_month
        orders = {self._orders.get(language) for language in languages}
        if sign == _SLASH or orders == {"year"}:
            return by_day if orders == {"day"} else by_month if orders <= {"month", "year"} else None
        return by_day


def _numbers(said: Utterance, index: int, stop: int) -> list[str]:
    """The numbers joined by one sign from `index` on; none inside a longer row of them, or before what is measured."""
    signs = (_DOT, _SLASH, _DASH)
    if not said.texts[index].isdecimal() or (index and said.gaps[index] in signs and _is_number(said, index - 1)):
        return []
    numbers = [said.texts[index]]
    end = index + 1
    while end < stop and said.texts[end].isdecimal() and said.gaps[end] in signs:
        if said.gaps[end] != said.gaps[index + 1]:
            return []
        numbers.append(said.texts[end])
        end += 1
    measured = end < said.size and said.texts[end] in said.glue.units and not said.pauses[end]
    return [] if measured or (len(numbers[1:2]) and len(numbers[1]) > _DAY_DIGITS) else numbers


def _is_number(said: Utterance, index: int) -> bool:
    return said.texts[index].isdecimal()


def _day(day: int, month: int, year: int | None, stop: int) -> NumericDay | None:
    return NumericDay(day, month, year, stop) if 1 <= day <= _DAYS and 1 <= month <= _MONTHS else None
