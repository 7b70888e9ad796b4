"""The arithmetic of days to come: so many months later, the end of this week, the next 12 May."""

from calendar import monthrange
from datetime import datetime, timedelta
from typing import Final, NamedTuple

DAY, WEEK, MONTH, YEAR = "day", "week", "month", "year"
MONTHS_IN_YEAR, DAYS_IN_WEEK, LAST_DAY = 12, 7, 31

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""What months and weekdays are called in synonyms.yaml, in their order."""


class DaysAhead(NamedTuple):
    """The days after `now`, which is in the zone of the person; what is more than `years` years away is none."""

    now: datetime
    years: int

    def after(self, count: int, unit: str) -> datetime | None:
        """The same time so many units later; a month later is the same day of the month, clamped."""
        now = self.now
        if unit in (DAY, WEEK):
            return now + timedelta(days=count * (DAYS_IN_WEEK if unit == WEEK else 1))
        months = now.month - 1 + count * (MONTHS_IN_YEAR if unit == YEAR else 1)
        year, month = now.year + months // MONTHS_IN_YEAR, months % MONTHS_IN_YEAR + 1
        if not self._near(year):
            return None
        return now.replace(year=year, month=month, day=min(now.day, monthrange(year, month)[1]))

    def end_of(self, unit: str, ahead: int) -> datetime | None:
        """The end of this unit, or of the next one."""
        now = self.now
        if unit == DAY:
            return self.end_of_day(ahead)
        if unit == WEEK:
            return self.end_of_day(DAYS_IN_WEEK * (ahead + 1) - 1 - now.weekday())
        if unit == YEAR:
            return _end_of_day(now.replace(year=now.year + ahead, month=MONTHS_IN_YEAR, day=LAST_DAY))
        later = self._replace(now=now.replace(day=1)).after(ahead, MONTH)
        return None if later is None else self._end_of_month(later.year, later.month)

    def end_of_month(self, month: int, year: int | None) -> datetime | None:
        """The end of the next month of that name, this one included, or of that month of a year to come."""
        now = self.now
        stated = year if year is not None else now.year + (month < now.month)
        if not self._near(stated) or (stated == now.year and month < now.month):
            return None
        return self._end_of_month(stated, month)

    def on(self, day: int, month: int, year: int | None) -> datetime | None:
        """The end of that day, the next time it comes."""
        now = self.now
        stated = year if year is not None else now.year + ((month, day) < (now.month, now.day))
        if not self._near(stated) or day > monthrange(stated, month)[1]:
            return None
        if (stated, month, day) < (now.year, now.month, now.day):
            return None
        return _end_of_day(now.replace(year=stated, month=month, day=day))

    def end_of_day(self, ahead: int) -> datetime:
        """The end of the day so many days from today."""
        return _end_of_day(self.now + timedelta(days=ahead))

    def _near(self, year: int) -> bool:
        return self.now.year <= year <= self.now.year + self.years

    def _end_of_month(self, year: int, month: int) -> datetime:
        return _end_of_day(self.now.replace(year=year, month=month, day=monthrange(year, month)[1]))


def _end_of_day(at: datetime) -> datetime:
    return at.replace(hour=23, minute=59, second=59, microsecond=0)
