"""When: the stretches of days that a text speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime

from winnow.language.normalize import normalise
from winnow.retrieve.times.days import FIRST, LAST, Days, move_day
from winnow.retrieve.times.parse import TimeExpression, TimeFields, parse_times, speaks_of_time, time_pattern
from winnow.retrieve.times.resolve import Lean, comes_again, resolve_days, step_days

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
