"""The words of a text that say times, and what each says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from string import punctuation
from typing import Any, NamedTuple, cast

from winnow.language.numbers.numerals import WORDS, english_value, value_of
from winnow.language.tables import table

# Stretches of days by the calendar: weeks, months, seasons, holidays.


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


# The rules of ``words.yaml`` as patterns: one alternation tells whether a time begins, another which.


TimeFields = dict[str, Any]
"""What words say of a time, by the keys of ``words.yaml``: ``{"unit": "week", "by": -1, "weekday": 4}``."""
_SLOT = re.compile(r"\{(_?)([a-z][a-z_]*)\}")
_END = {"english": "(?![a-z0-9])", "chinese": ""}
_ONE = ("a", "an")


class TimeRule(NamedTuple):
    """A pattern with its slots as groups, what it says besides them, and its section."""

    pattern: re.Pattern[str]
    says: TimeFields
    section: str


class TimeRules(NamedTuple):
    """Rules in order. ``any`` has no groups, so it fails fast; ``which`` has one for each rule."""

    all: tuple[TimeRule, ...]
    any: re.Pattern[str]
    which: re.Pattern[str]

    def match(self, text: str, start: int) -> tuple[int, TimeFields, str] | None:
        """Where the words that begin there end, what they say, and the section of their rule."""
        if not self.any.match(text, start):
            return None
        found = self.which.match(text, start)
        assert found is not None, "the same alternation"
        rule = self.all[int((found.lastgroup or "r0")[1:])]
        match = rule.pattern.match(text, start)
        assert match is not None, "the same pattern"
        told = {slot: words for slot, words in match.groupdict().items() if words is not None}
        said = {slot.rpartition("_")[2]: _value(slot, words) for slot, words in told.items()}
        return match.end(), {**rule.says, **said}, rule.section


@cache
def time_rules(language: str, *sections: str) -> TimeRules:
    """The rules of these sections of ``words.yaml``, those of the first before the others."""
    rows = [(say, says, section) for section in sections for say, says in time_words()[section]]
    made = tuple(
        TimeRule(re.compile(f"(?:{_fill_slots(say, named=True)}){_END[language]}"), says, section)
        for say, says, section in rows
    )
    alternatives = [f"(?:{_fill_slots(say)}){_END[language]}" for say, _, _ in rows]
    which = "|".join(f"(?P<r{n}>{alternative})" for n, alternative in enumerate(alternatives))
    return TimeRules(made, re.compile("|".join(alternatives)), re.compile(which))


@cache
def time_pattern(*keys: str) -> re.Pattern[str]:
    """A pattern of ``words.yaml`` that stands alone: ``pattern("ranges", "to")``."""
    found: Any = time_words()
    for key in keys:
        found = found[key]
    return re.compile(_fill_slots(found))


@cache
def time_words() -> Mapping[str, Any]:
    """What ``words.yaml`` holds."""
    return cast("Mapping[str, Any]", table("winnow.retrieve.times", "words.yaml"))


def _fill_slots(say: str, *, named: bool = False) -> str:
    """A rule with its slots as patterns, as named groups where they are to be read."""

    def slot(match: re.Match[str]) -> str:
        silent, name = match.groups()
        return f"(?P<{name}>{_words_of(name)})" if named and not silent else f"(?:{_words_of(name)})"

    return _SLOT.sub(slot, say)


@cache
def _words_of(slot: str) -> str:
    """The alternatives of a slot, longer ones first."""
    shapes = time_words()["patterns"]
    if slot in shapes:
        return str(shapes[slot]).replace("{numeral}", _longest_first(WORDS))
    return _longest_first(str(word) for found in time_words()["slots"][slot].values() for word in found)


def _longest_first(found: Iterable[str]) -> str:
    return "|".join(sorted(found, key=len, reverse=True))


@lru_cache(maxsize=4096)
def _value(slot: str, said: str) -> Any:
    """The value that a slot's words stand for."""
    if slot in time_words()["patterns"]:
        if said in _ONE:
            return 1
        value = english_value(said) if said[0].isalpha() and said.isascii() else value_of(said)
        return None if value is None else int(value)
    found = time_words()["slots"][slot].items()
    return next(value for value, known in found if any(re.fullmatch(str(word), said) for word in known))


_LEVELS = {
    "decade": 6,
    "year": 5,
    "quarter": 4,
    "month": 3,
    "week": 2,
    "weekend": 2,
    "day": 1,
    "weekday": 1,
    "until": 1,
}
"""From coarse to fine. What is said on one level goes together only with what is said on others."""
_WIDE = {"season": (3, 4), "holiday": (1, 4)}
_ALONE = frozenset({"since", "from"})
"""Stretches that begin or end now: nothing within them is named."""
_SECTIONS = {"english": ("steps", "english"), "chinese": ("chinese",)}


_SPACED = str.maketrans(dict.fromkeys(punctuation, " "))


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """What one stretch of a text says of a time; ``step`` is the way from there to the time meant."""

    start: int
    end: int
    fields: TimeFields
    step: TimeFields | None = None
    event: str = ""
    """What happened on the day that ``step`` counts from, where no calendar tells it: ``my birthday``."""


def parse_times(text: str) -> list[TimeExpression]:
    """The times of a normalised text, left to right; none overlap."""
    hints = _english_hints(text)
    found = list(_of_language(text, "english", hints)) if hints else []
    events: list[TimeExpression] = []
    if not text.isascii():
        found += _of_language(
            text, "chinese", [hint.span() for hint in time_pattern("hints", "chinese").finditer(text)]
        )
        events += _events(text)
    if not found and not events:
        return []
    joined = _drop_uncertain(text, _join_times(text, _drop_overlaps(found)))
    return _drop_overlaps(events + [one for one in _resolve_steps(text, joined) if one.fields or one.event])


def speaks_of_time(text: str) -> bool:
    """Whether an English text in lower case has a word that is part of most times; looking costs little."""
    # Splitting at spaces is faster than finding words, where no other script runs into them.
    parts = text.translate(_SPACED).split() if text.isascii() else time_pattern("token").findall(text)
    return not _time_words().isdisjoint(parts)


def _english_hints(text: str) -> list[tuple[int, int]]:
    """Where words stand that are part of most times."""
    if not speaks_of_time(text):
        return []
    known = _time_words()
    return [token.span() for token in time_pattern("token").finditer(text) if token[0] in known]


@cache
def _time_words() -> frozenset[str]:
    """Words of time, the years there are, and the days of a month by their number: ``15th``."""
    hints = time_words()["hints"]
    years = map(str, range(FIRST.year, LAST.year))
    decades = (f"{year}s" for year in range(FIRST.year, LAST.year, 10))
    days = (f"{day}{end}" for day in range(1, 32) for end in hints["ordinal"])
    return frozenset(hints["english"]) | frozenset([*years, *decades, *days])


def _of_language(text: str, language: str, hints: list[tuple[int, int]]) -> Iterator[TimeExpression]:
    """Rules are tried only where a word of time stands near."""
    known, reach, starts = (
        time_rules(language, *_SECTIONS[language]),
        time_words()["reach"][language],
        time_pattern("starts", language),
    )
    done = 0
    for first, end in hints:
        for start in starts.finditer(text, max(done, first - reach), end):
            got = known.match(text, start.start()) if start.start() >= done else None
            if got:
                done, said, section = got
                step = said if section == "steps" else None
                yield TimeExpression(start.start(), done, {} if step else said, step)


def _drop_overlaps(found: list[TimeExpression]) -> list[TimeExpression]:
    """Without those that lie over one that begins before them."""
    kept: list[TimeExpression] = []
    for one in sorted(found, key=lambda f: (f.start, -f.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _join_times(text: str, found: list[TimeExpression]) -> list[TimeExpression]:
    """``the 15th`` of ``last month`` is one time."""
    kept: list[TimeExpression] = []
    for one in found:
        before = kept[-1] if kept else None
        if before and _fit(before.fields, one.fields) and _is_glued(text, before, one):
            trust = min(before.fields.get("trust", 1), one.fields.get("trust", 1))
            said = {**before.fields, **one.fields, "trust": trust, "weak": False}
            kept[-1] = replace(before, end=one.end, fields=said)
        else:
            kept.append(one)
    return kept


def _is_glued(text: str, before: TimeExpression, after: TimeExpression) -> bool:
    return bool(time_pattern("glue").fullmatch(text, before.end, after.start))


def _fit(one: TimeFields, other: TimeFields) -> bool:
    """Whether two words can say one time: they are on levels of their own."""
    if not one or not other or ("part" in one and "part" in other) or not _ALONE.isdisjoint({*one, *other}):
        return False
    levels, others = _levels(one) or [0], _levels(other) or [0]
    return max(levels) < min(others) or max(others) < min(levels)


def _levels(said: TimeFields) -> list[int]:
    """From day 1 to decade 6: what is said."""
    found = [level for key, level in _LEVELS.items() if key in said]
    found += [_LEVELS[said[key]] for key in ("unit", "each") if key in said]
    return found + [level for key, levels in _WIDE.items() if key in said for level in levels]


def _drop_uncertain(text: str, found: list[TimeExpression]) -> list[TimeExpression]:
    """Without words that say a time only beside another: ``may``, ``march``, ``the 3rd``."""
    kept: list[TimeExpression] = []
    for one in found:
        led = time_pattern("leads").search(text[max(0, one.start - 24) : one.start])
        behind = kept and time_pattern("ranges", "to").match(text[kept[-1].end : one.start])
        sure = not one.fields.get("weak") or led or behind or one.end - one.start == len(text)
        if one.step or ((len(_levels(one.fields)) > ("nth" in one.fields) or "of" in one.fields) and sure):
            kept.append(one)
    return kept


def _resolve_steps(text: str, found: list[TimeExpression]) -> Iterator[TimeExpression]:
    """Each step with the time it is from, or with the words for what happened then."""
    rest = list(found)
    while rest:
        one = rest.pop(0)
        if one.step is None:
            yield _with_step_behind(text, one)
        elif rest and rest[0].step is None and _is_glued(text, one, rest[0]):
            yield replace(_with_step_behind(text, rest.pop(0)), start=one.start, step=one.step)
        elif not one.step.get("weak"):
            yield from _before_event(text, one, rest[0].start if rest else len(text))


def _before_event(text: str, one: TimeExpression, until: int) -> Iterator[TimeExpression]:
    """The step and the words behind it, as far as the next time."""
    if words_of := time_pattern("events_follow").match(text, one.end, until):
        yield replace(one, end=words_of.end(), event=words_of[0].strip())


def _with_step_behind(text: str, one: TimeExpression) -> TimeExpression:
    """A Chinese time and the step said after it: ``国庆前两天``."""
    got = time_rules("chinese", "steps_behind").match(text, one.end)
    return replace(one, end=got[0], step=got[1]) if got else one


def _events(text: str) -> Iterator[TimeExpression]:
    """What happened on a day that no calendar tells, and the step said after it: ``我生日前两天``."""
    if not time_pattern("steps_hint").search(text):
        return
    for event in time_pattern("events").finditer(text):
        if got := time_rules("chinese", "steps_behind").match(text, event.end()):
            yield TimeExpression(event.start(), got[0], {}, got[1], event[0])
