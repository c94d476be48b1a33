"""Stretches of days by the calendar: weeks, months, seasons, holidays."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple, cast

from winnow.language.tables import table

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""The month each begins with; winter goes on into the next year."""
FIRST, LAST = date(1900, 1, 1), date(2199, 12, 31)
"""Nobody's messages tell of days beyond these."""


class Days(NamedTuple):
    """From the first day to the last, both of it."""

    start: date
    end: date

    @property
    def length(self) -> int:
        """How many days it is."""
        return (self.end - self.start).days + 1


def move_day(day: date, days: int) -> date:
    """The day so many later, within the years that count."""
    return date.fromordinal(min(max(day.toordinal() + days, FIRST.toordinal()), LAST.toordinal()))


def shift_days(days: Days, by: int) -> Days:
    """The same stretch so many days later."""
    return Days(move_day(days.start, by), move_day(days.end, by))


def year_days(number: int) -> Days:
    """The whole year, the nearest there is."""
    number = min(max(number, FIRST.year), LAST.year)
    return Days(date(number, 1, 1), date(number, 12, 31))


def month_days(first: int, count: int = 1) -> Days:
    """So many months, from the ``first`` counted since the year 0."""
    first = min(max(first, FIRST.year * 12), LAST.year * 12)
    return Days(_first_of(first), move_day(_first_of(first + count), -1))


def _first_of(month: int) -> date:
    return date(month // 12, month % 12 + 1, 1)


def month_of(day: date) -> int:
    """The month of the day, counted since the year 0."""
    return day.year * 12 + day.month - 1


def unit_of(unit: str, day: date, by: int = 0) -> Days:
    """The day, week (from Monday), weekend, month, quarter or year, so many from that of the day."""
    monday = move_day(day, 7 * by - day.weekday())
    if unit == "week":
        return Days(monday, move_day(monday, 6))
    if unit == "weekend":
        return Days(move_day(monday, 5), move_day(monday, 6))
    if unit == "month":
        return month_days(month_of(day) + by)
    if unit == "quarter":
        return month_days((month_of(day) // 3 + by) * 3, 3)
    if unit == "year":
        return year_days(day.year + by)
    return Days(move_day(day, by), move_day(day, by))


def season_days(name: str, of_year: int) -> Days:
    """Three months; the winter of a year begins in its December."""
    return month_days(of_year * 12 + _SEASONS[name] - 1, 3)


def holiday_days(name: str, of_year: int) -> Days | None:
    """The days of a holiday; None where nobody wrote down when it was."""
    start = _first_day(name, of_year)
    return None if start is None else Days(start, move_day(start, _holidays()["lasting"].get(name, 1) - 1))


def _first_day(name: str, of_year: int) -> date | None:
    every = _holidays()
    if name in every["fixed"]:
        return date(of_year, *every["fixed"][name])
    if name in every["nth"]:
        month, nth, weekday, after = every["nth"][name]
        return move_day(nth_weekday(month_days(of_year * 12 + month - 1), nth, weekday).start, after)
    row, dates = of_year - every["first"], every["moving"][name]
    return date.fromisoformat(f"{of_year}-{dates[row]}") if 0 <= row < len(dates) else None


def nth_weekday(within: Days, nth: int, weekday: int) -> Days:
    """The nth day of that name within; -1 is the last."""
    if nth < 0:
        day = move_day(within.end, -((within.end.weekday() - weekday) % 7))
    else:
        day = move_day(within.start, (weekday - within.start.weekday()) % 7 + 7 * (nth - 1))
    return Days(day, day)


def nth_unit(within: Days, nth: int, unit: str) -> Days:
    """The nth day, week or weekend within; -1 is the last. A first week begins with the first day."""
    if unit == "weekend":
        saturday = nth_weekday(within, nth, 5).start
        return Days(saturday, move_day(saturday, 1))
    size = 7 if unit == "week" else 1
    start = move_day(within.end, 1 - size) if nth < 0 else move_day(within.start, size * (nth - 1))
    return Days(start, move_day(start, size - 1))


def share_of_days(within: Days, share: tuple[float, float]) -> Days:
    """From one share of a stretch to another: (0, 0.34) is the first third."""
    last = within.length - 1
    return Days(
        move_day(within.start, round(last * share[0])), move_day(within.start, round(last * share[1]))
    )


def _holidays() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.retrieve.times", "holidays.yaml"))
