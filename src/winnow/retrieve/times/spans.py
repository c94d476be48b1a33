"""When: the stretches of days that a text speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime

from winnow.language.normalize import normalise
from winnow.retrieve.times.days import FIRST, LAST, Days, moved
from winnow.retrieve.times.parse import Found, Said, pattern, read, speaks_of_time
from winnow.retrieve.times.resolve import Lean, comes_again, resolved, stepped

_ENDS = ".!?。"
LONGEST = 4000
"""Characters of a text that are read; whoever pastes a book speaks of no day of theirs."""
_LENT = {"day": ("year", "month"), "weekday": ("unit", "by", "which"), "month": ("year",)}
"""What one end of a range may lend the other, by what that says."""
_BACK = 40
"""Characters before a time that may say that it begins or ends a range."""


@dataclass(frozen=True, slots=True)
class Span:
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
class Anchor:
    """A time told by what happened then: ``two days before my birthday``."""

    offset: Said
    words: str
    """What happened: ``my birthday``."""
    text: str

    def resolved(self, find: Callable[[str], date | None]) -> Span | None:
        """The days meant, when ``find`` knows the day of what happened."""
        day = find(self.words)
        if day is None:
            return None
        found = stepped(self.offset, Days(day, day))
        return Span(found.start, found.end, self.text, 0.8)


def spans(text: str, said_at: datetime, lean: Lean | None = None) -> tuple[Span, ...]:
    """The times of ``text``, in order, counted from when it was said.

    ``lean`` says which of what comes again is meant where no word does; None: the words around let guess.
    """
    said = _normalised(text)
    found = read(said) if said else []
    if not found:
        return ()
    return tuple(_spans(said, found, said_at.date(), lean))


def anchors(text: str) -> tuple[Anchor, ...]:
    """The times of ``text`` that are told by an event."""
    said = _normalised(text)
    return tuple(Anchor(f.step, f.event, said[f.start : f.end]) for f in read(said) if f.event and f.step)


def _normalised(text: str) -> str:
    """Nothing for a plain text without a word of time: most are, and looking is cheaper than normalising."""
    return "" if text.isascii() and not speaks_of_time(text.lower()) else normalise(text, LONGEST)


def _spans(text: str, found: list[Found], at: date, given: Lean | None) -> list[Span]:
    made: list[Span] = []
    last: Found | None = None
    for one in found:
        lean = given or _leaning(text, one)
        span = _span(text, one, at, lean)
        if span is None:
            continue
        if made and last and _is_range(text, last, one):
            made[-1] = _range(text, last, one, span, at, lean)
        else:
            made.append(_open_ended(text, one, span, at))
        last = one
    return made


def _leaning(text: str, one: Found) -> Lean:
    """Whether the sentence is of what is still to come."""
    begun = max(text.rfind(mark, 0, one.start) for mark in _ENDS) + 1
    return "next" if pattern("ahead").search(text[begun : one.end + _BACK]) else "near"


def _span(text: str, one: Found, at: date, lean: Lean) -> Span | None:
    """One time by itself; None for what only an event tells, and for days that no calendar has."""
    there = None if one.event else resolved(one.said, at, lean)
    if there is None:
        return None
    yearly = comes_again(one.said)
    if one.step:
        there = stepped(one.step, there)
    return Span(there.start, there.end, text[one.start : one.end], one.said.get("trust", 1.0), yearly)


def _is_range(text: str, first: Found, last: Found) -> bool:
    led = pattern("ranges", "between").search(text[max(0, first.start - _BACK) : first.start])
    return bool(pattern("ranges", "to" if led else "plain_to").match(text[first.end : last.start]))


def _range(text: str, first: Found, last: Found, end: Span, at: date, lean: Lean) -> Span:
    """From the one to the other; each has the year and the month of the other where it tells none."""
    said = _lent(first.said, last.said)
    start = resolved(said, at if "year" in said or "unit" in said else end.start, "past")
    till = resolved(_lent(last.said, first.said), at, lean) or Days(end.start, end.end)
    begun = min(start.start, till.end) if start else till.start
    return replace(end, start=begun, end=till.end, text=text[first.start : last.end])


def _lent(said: Said, other: Said) -> Said:
    """With the year and the month of the other, where it has none."""
    if "unit" in said or "holiday" in said:
        return said
    wanted = _LENT["day" if "day" in said else "weekday" if "weekday" in said else "month"]
    return {**{key: other[key] for key in wanted if key in other}, **said}


def _open_ended(text: str, one: Found, span: Span, at: date) -> Span:
    """Since May, until Friday, before 2020, 国庆以后."""
    before, behind = text[max(0, one.start - _BACK) : one.start], text[one.end :]
    for word, opened in _OPENED.items():
        shape = pattern("ranges", word)
        if shape.match(behind) if word.startswith("behind") else shape.search(before):
            return opened(span, at)
    return span


def _since(span: Span, at: date) -> Span:
    return replace(span, end=max(at, span.end), yearly=False)


def _until(span: Span, _: date) -> Span:
    return replace(span, start=FIRST, yearly=False)


def _before(span: Span, _: date) -> Span:
    return replace(span, start=FIRST, end=moved(span.start, -1), yearly=False)


def _after(span: Span, _: date) -> Span:
    return replace(span, start=moved(span.end, 1), end=LAST, yearly=False)


_OPENED: dict[str, Callable[[Span, date], Span]] = {
    "since": _since,
    "until": _until,
    "before": _before,
    "after": _after,
    "behind_since": _since,
    "behind_before": _before,
    "behind_after": _after,
}
