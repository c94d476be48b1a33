"""When: the stretches of days that a text speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from winnow.language.normalize import normalise
from winnow.retrieve.times.parse import (
    FIRST,
    LAST,
    Days,
    TimeExpression,
    TimeFields,
    holiday_days,
    month_days,
    move_day,
    nth_unit,
    nth_weekday,
    parse_times,
    season_days,
    share_of_days,
    shift_days,
    speaks_of_time,
    time_pattern,
    unit_of,
    year_days,
)

# What is said of a time, as days, counted from the day it was said.


_CENTURY = 2000
"""What years of two digits leave out."""
Lean = Literal["past", "near", "next"]
"""Which of what comes again is meant where nothing tells: the newest before, the nearest, the first after."""
_Narrow = Callable[[TimeFields, Days | None, date, Lean], Days | None]
_SIZE = {"day": 1, "weekend": 7, "week": 7, "month": 30, "quarter": 91, "year": 365}


def resolve_days(said: TimeFields, at: date, lean: Lean) -> Days | None:
    """The days meant; None where there are none, as on the 31st of June."""
    # The stretch that is named by itself: a year, last week, three days ago
    frame = next((frame(said, at, lean) for key, frame in _FRAMES.items() if key in said), None)
    for narrow in _narrowing(said):
        frame = narrow(said, frame, at, lean)
        if frame is None:
            return None
    if frame is None:
        return None
    if "weeks" in said:
        frame = shift_days(frame, 7 * said["weeks"])
    return share_of_days(frame, said["part"]) if "part" in said else frame


def _narrowing(said: TimeFields) -> Iterator[_Narrow]:
    """What finds the days within a stretch, or by themselves, from coarse to fine."""
    if any(key in said for key in ("season", "holiday", "quarter", "month")):
        yield _of_year
    if "day" in said and "month" not in said:
        yield _of_month
    if "nth" in said:
        yield _nth
    elif "weekday" in said:
        yield _of_week


def comes_again(said: TimeFields) -> bool:
    """Whether it names a day, month or season of no year."""
    named = any(key in said for key in ("month", "season", "holiday"))
    return named and not any(key in said for key in ("year", "unit", "which"))


def _in_years(said: TimeFields, _: date, __: Lean) -> Days:
    """A year, of two digits or four, or a decade."""
    said_year = int(said["decade"] if "decade" in said else said["year"])
    first = said_year + (_CENTURY if said_year < 100 else 0)
    return Days(year_days(first).start, year_days(first + (9 if "decade" in said else 0)).end)


def _about_now(said: TimeFields, at: date, _: Lean) -> Days:
    """From so many days from now to so many."""
    return Days(move_day(at, said["from"]), move_day(at, said["to"]))


def _unit_that_comes_again(said: TimeFields, at: date, lean: Lean) -> Days | None:
    """The weekend: the last one, or the next where the sentence is of what is to come."""
    every = (unit_of(said["unit"], at, by) for by in (-1, 0, 1))
    return choose_days(every, at, "next" if lean == "next" else said["which"])


def _up_to_now(said: TimeFields, at: date, _: Lean) -> Days:
    """The past three weeks, the next few days."""
    unit_count = int(said["several"].split("-")[1]) if "several" in said else int(said.get("n") or 1)
    length = said["since"] * unit_count * _SIZE[said["unit"]]
    return Days(*sorted((move_day(at, length), at)))


def _offset_days(said: TimeFields, at: date, _: Lean = "near") -> Days:
    """Three weeks ago, in two days, a few years ago."""
    unit, sign = said["unit"], said["sign"]
    if "several" in said:
        few, many = (int(n) * _SIZE[unit] * sign for n in said["several"].split("-"))
        return Days(*sorted((move_day(at, few), move_day(at, many))))
    n = sign * int(said["n"] or 1)
    if unit == "week":
        return Days(move_day(at, 7 * n - 3), move_day(at, 7 * n + 3))
    return unit_of(unit, at, n)


def _of_year(said: TimeFields, frame: Days | None, at: date, lean: Lean) -> Days | None:
    """A season, holiday, quarter or month, within its year where one is named."""
    occurs = _yearly(said)
    if frame is not None:
        return occurs(frame.start.year)
    found = (occurs(at.year + n) for n in (-1, 0, 1, 2))
    return choose_days((f for f in found if f), at, said.get("which", lean))


def _yearly(said: TimeFields) -> Callable[[int], Days | None]:
    """The days of each year that are meant."""
    if "season" in said:
        return lambda year: season_days(said["season"], year)
    if "holiday" in said:
        return lambda year: holiday_days(said["holiday"], year)
    if "quarter" in said:
        return lambda year: month_days(year * 12 + 3 * (said["quarter"] - 1), 3)
    return lambda year: _days_of_month(said, month_days(year * 12 + said["month"] - 1))


def _days_of_month(said: TimeFields, month: Days) -> Days | None:
    """The day or days of a month; None where it has none of that number."""
    if "day" not in said:
        return month
    last = said.get("until", said["day"])
    if max(said["day"], last) > month.length:
        return None
    return Days(move_day(month.start, said["day"] - 1), move_day(month.start, max(last, said["day"]) - 1))


def _of_month(said: TimeFields, frame: Days | None, at: date, lean: Lean) -> Days | None:
    """The 15th, of the month named or of this one."""
    if frame is not None:
        return _days_of_month(said, frame)
    found = (_days_of_month(said, unit_of("month", at, by)) for by in (-1, 0, 1))
    return choose_days((f for f in found if f), at, lean)


def _nth(said: TimeFields, frame: Days | None, at: date, lean: Lean) -> Days | None:
    """The first weekend, the second Friday of it."""
    if frame is None:
        return None
    if "weekday" in said:
        return nth_weekday(frame, said["nth"], said["weekday"])
    return nth_unit(frame, said["nth"], said["each"])


def _of_week(said: TimeFields, frame: Days | None, at: date, lean: Lean) -> Days | None:
    """Friday: of the week named, else the one that is meant from here."""
    if frame is not None:
        return nth_weekday(frame, 1, said["weekday"])
    weeks = [nth_weekday(unit_of("week", at, by), 1, said["weekday"]) for by in (-2, -1, 0, 1)]
    which = said.get("which", "this" if lean == "near" else lean)
    if which == "this" or said.get("which") == "next":
        return weeks[2 if which == "this" else 3]
    return choose_days(weeks, at, "next" if which == "past" and lean == "next" else which)


def choose_days(found: Iterable[Days], at: date, which: str) -> Days | None:
    """The one of several that is meant; ``found`` is in order of time."""
    every = list(found)
    if which == "last":
        return next((f for f in reversed(every) if f.end < at), None)
    if which == "next":
        return next((f for f in every if f.start > at), None)
    if which == "past":
        return next((f for f in reversed(every) if f.start <= at), None)
    return min(every, key=lambda f: abs((f.start - at).days), default=None)


def step_days(step: TimeFields, there: Days) -> Days:
    """The Friday before, the week after, two days before these days."""
    sign = step["sign"]
    edge = there.start if sign < 0 else there.end
    if "several" in step:
        return _offset_days(step, edge)
    n = sign * int(step.get("n") or 1)
    if "weekday" in step:
        day = _beside(edge, step["weekday"], n)
        return Days(day, day)
    # The nth unit after the day, or before it where ``n`` is less than 0
    unit = step["unit"]
    if unit == "weekend":
        saturday = _beside(edge, 5, n)
        return Days(saturday, move_day(saturday, 1))
    size = _SIZE[unit]
    if abs(n) == 1:  # the week before ends the day before
        return Days(*sorted((move_day(edge, n), move_day(edge, n * size))))
    about = 0 if unit == "day" else size // 2
    return Days(move_day(edge, n * size - about), move_day(edge, n * size + about))


def _beside(edge: date, weekday: int, n: int) -> date:
    """The nth day of that name after the edge, or before it where ``n`` is less than 0."""
    if n > 0:
        return move_day(edge, (weekday - edge.weekday() - 1) % 7 + 7 * n - 6)
    return move_day(edge, 7 * n + 7 - ((edge.weekday() - weekday - 1) % 7 + 1))


_FRAMES: dict[str, Callable[[TimeFields, date, Lean], Days | None]] = {
    "year": _in_years,
    "decade": _in_years,
    "from": _about_now,
    "since": _up_to_now,
    "sign": _offset_days,
    "by": lambda said, at, _: unit_of(said["unit"], at, said["by"]),
    "unit": _unit_that_comes_again,
    "of": lambda said, at, _: unit_of(said["of"], at),
}
"""By what is said, the first of them: what the stretch is."""


# When: the stretches of days that a text speaks of.


_ENDS = ".!?。"
MAX_TIME_CHARS = 4000
"""Characters of a text that are read; whoever pastes a book speaks of no day of theirs."""
_RANGE_FIELDS = {"day": ("year", "month"), "weekday": ("unit", "by", "which"), "month": ("year",)}
"""What one end of a range may lend the other, by what that says."""
_CONTEXT_CHARS = 40
"""Characters before a time that may say that it begins or ends a range."""


@dataclass(frozen=True, slots=True)
class DaySpan:
    """From the first day to the last, both of it; an open end is the first or last day there is."""

    start: date
    end: date
    text: str
    """The words that say it, normalised."""
    exactness: float = 1.0
    """0..1: how far it can be believed; ``recently`` says little."""
    yearly: bool = False
    """It names no year: ``in May``. The nearest that fits is given; any year may be meant."""


@dataclass(frozen=True, slots=True)
class EventAnchor:
    """A time told by what happened then: ``two days before my birthday``."""

    offset: TimeFields
    words: str
    """What happened: ``my birthday``."""
    text: str

    def resolve(self, find: Callable[[str], date | None]) -> DaySpan | None:
        """The days meant, when ``find`` knows the day of what happened."""
        day = find(self.words)
        if day is None:
            return None
        found = step_days(self.offset, Days(day, day))
        return DaySpan(found.start, found.end, self.text, 0.8)


def day_spans(text: str, said_at: datetime, lean: Lean | None = None) -> tuple[DaySpan, ...]:
    """The times of ``text``, in order, counted from when it was said.

    ``lean`` says which of what comes again is meant where no word does; None: the words around let guess.
    """
    said = _normalize_text(text)
    found = parse_times(said) if said else []
    if not found:
        return ()
    return tuple(_spans(said, found, said_at.date(), lean))


def time_anchors(text: str) -> tuple[EventAnchor, ...]:
    """The times of ``text`` that are told by an event."""
    said = _normalize_text(text)
    return tuple(
        EventAnchor(f.step, f.event, said[f.start : f.end]) for f in parse_times(said) if f.event and f.step
    )


def _normalize_text(text: str) -> str:
    """Nothing for a plain text without a word of time: most are, and looking is cheaper than normalising."""
    return "" if text.isascii() and not speaks_of_time(text.lower()) else normalise(text, MAX_TIME_CHARS)


def _spans(text: str, found: list[TimeExpression], at: date, given: Lean | None) -> list[DaySpan]:
    made: list[DaySpan] = []
    last: TimeExpression | None = None
    for one in found:
        lean = given
        if not lean:
            begun = max(text.rfind(mark, 0, one.start) for mark in _ENDS) + 1
            lean = "next" if time_pattern("ahead").search(text[begun : one.end + _CONTEXT_CHARS]) else "near"
        span = _span(text, one, at, lean)
        if span is None:
            continue
        if made and last and _is_range(text, last, one):
            made[-1] = _range(text, last, one, span, at, lean)
        else:
            made.append(_open_ended(text, one, span, at))
        last = one
    return made


def _span(text: str, one: TimeExpression, at: date, lean: Lean) -> DaySpan | None:
    """One time by itself; None for what only an event tells, and for days that no calendar has."""
    there = None if one.event else resolve_days(one.fields, at, lean)
    if there is None:
        return None
    yearly = comes_again(one.fields)
    if one.step:
        there = step_days(one.step, there)
    return DaySpan(there.start, there.end, text[one.start : one.end], one.fields.get("trust", 1.0), yearly)


def _is_range(text: str, first: TimeExpression, last: TimeExpression) -> bool:
    led = time_pattern("ranges", "between").search(text[max(0, first.start - _CONTEXT_CHARS) : first.start])
    return bool(time_pattern("ranges", "to" if led else "plain_to").match(text[first.end : last.start]))


def _range(
    text: str, first: TimeExpression, last: TimeExpression, end: DaySpan, at: date, lean: Lean
) -> DaySpan:
    """From the one to the other; each has the year and the month of the other where it tells none."""
    said = _fill_from_range(first.fields, last.fields)
    start = resolve_days(said, at if "year" in said or "unit" in said else end.start, "past")
    till = resolve_days(_fill_from_range(last.fields, first.fields), at, lean) or Days(end.start, end.end)
    begun = min(start.start, till.end) if start else till.start
    return replace(end, start=begun, end=till.end, text=text[first.start : last.end])


def _fill_from_range(said: TimeFields, other: TimeFields) -> TimeFields:
    """With the year and the month of the other, where it has none."""
    if "unit" in said or "holiday" in said:
        return said
    wanted = _RANGE_FIELDS["day" if "day" in said else "weekday" if "weekday" in said else "month"]
    return {**{key: other[key] for key in wanted if key in other}, **said}


def _open_ended(text: str, one: TimeExpression, span: DaySpan, at: date) -> DaySpan:
    """Since May, until Friday, before 2020, 国庆以后."""
    before, behind = text[max(0, one.start - _CONTEXT_CHARS) : one.start], text[one.end :]
    for word, opened in _OPEN_ENDS.items():
        shape = time_pattern("ranges", word)
        if shape.match(behind) if word.startswith("behind") else shape.search(before):
            return opened(span, at)
    return span


def _since(span: DaySpan, at: date) -> DaySpan:
    return replace(span, end=max(at, span.end), yearly=False)


def _until(span: DaySpan, _: date) -> DaySpan:
    return replace(span, start=FIRST, yearly=False)


def _before(span: DaySpan, _: date) -> DaySpan:
    return replace(span, start=FIRST, end=move_day(span.start, -1), yearly=False)


def _after(span: DaySpan, _: date) -> DaySpan:
    return replace(span, start=move_day(span.end, 1), end=LAST, yearly=False)


_OPEN_ENDS: dict[str, Callable[[DaySpan, date], DaySpan]] = {
    "since": _since,
    "until": _until,
    "before": _before,
    "after": _after,
    "behind_since": _since,
    "behind_before": _before,
    "behind_after": _after,
}
