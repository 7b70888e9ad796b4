"""Days to come, by the calendar alone (UK-13)."""

from datetime import UTC, datetime

import pytest

from chingoo.engine.days_ahead import DaysAhead

DAYS = DaysAhead(datetime(2026, 1, 31, 12, 30, tzinfo=UTC), years=2)


@pytest.mark.parametrize(
    ("count", "unit", "wanted"),
    [
        (3, "day", datetime(2026, 2, 3, 12, 30, tzinfo=UTC)),
        (2, "week", datetime(2026, 2, 14, 12, 30, tzinfo=UTC)),
        (1, "month", datetime(2026, 2, 28, 12, 30, tzinfo=UTC)),
        (2, "year", datetime(2028, 1, 31, 12, 30, tzinfo=UTC)),
        (3, "year", None),
    ],
)
def test_so_many_units_later_is_the_same_time(count: int, unit: str, wanted: datetime | None) -> None:
    assert DAYS.after(count, unit) == wanted


@pytest.mark.parametrize(
    ("unit", "this", "following"),
    [("day", (1, 31), (2, 1)), ("week", (2, 1), (2, 8)), ("month", (1, 31), (2, 28)), ("year", (12, 31), (12, 31))],
)
def test_a_unit_ends_with_its_last_day(unit: str, this: tuple[int, int], following: tuple[int, int]) -> None:
    for ahead, (month, day) in enumerate((this, following)):
        year = 2026 + (ahead if unit == "year" else 0)
        assert DAYS.end_of(unit, ahead) == datetime(year, month, day, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "month", "year", "wanted"),
    [
        (31, 1, None, (2026, 1, 31)),
        (30, 1, None, (2027, 1, 30)),
        (30, 1, 2026, None),
        (31, 4, None, None),
        (1, 2, 2028, (2028, 2, 1)),
        (1, 2, 2029, None),
    ],
)
def test_a_day_is_the_next_of_that_name_within_the_years(
    day: int, month: int, year: int | None, wanted: tuple[int, int, int] | None
) -> None:
    assert DAYS.on(day, month, year) == (None if wanted is None else datetime(*wanted, 23, 59, 59, tzinfo=UTC))


@pytest.mark.parametrize(
    ("month", "year", "wanted"), [(1, None, (2026, 31)), (12, 2028, (2028, 31)), (1, 2025, None), (1, 2029, None)]
)
def test_a_month_is_over_with_its_last_day(month: int, year: int | None, wanted: tuple[int, int] | None) -> None:
    end = None if wanted is None else datetime(wanted[0], month, wanted[1], 23, 59, 59, tzinfo=UTC)
    assert DAYS.end_of_month(month, year) == end
