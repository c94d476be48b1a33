"""The words of a text that say times, and what each says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from string import punctuation
from typing import Any, NamedTuple, cast

from winnow.language.numbers.numerals import WORDS, english_value, value_of
from winnow.language.tables import table
from winnow.retrieve.times.days import FIRST, LAST

# The rules of ``words.yaml`` as patterns: one alternation tells whether a time begins, another which.


Said = dict[str, Any]
"""What words say of a time, by the keys of ``words.yaml``: ``{"unit": "week", "by": -1, "weekday": 4}``."""
_SLOT = re.compile(r"\{(_?)([a-z][a-z_]*)\}")
_END = {"english": "(?![a-z0-9])", "chinese": ""}
_ONE = ("a", "an")


class Rule(NamedTuple):
    """A pattern with its slots as groups, what it says besides them, and its section."""

    pattern: re.Pattern[str]
    says: Said
    section: str


class Rules(NamedTuple):
    """Rules in order. ``any`` has no groups, so it fails fast; ``which`` has one for each rule."""

    all: tuple[Rule, ...]
    any: re.Pattern[str]
    which: re.Pattern[str]

    def read(self, text: str, start: int) -> tuple[int, Said, str] | None:
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
def rules(language: str, *sections: str) -> Rules:
    """The rules of these sections of ``words.yaml``, those of the first before the others."""
    rows = [(say, says, section) for section in sections for say, says in words()[section]]
    made = tuple(Rule(_compiled(say, language, named=True), says, section) for say, says, section in rows)
    alternatives = [f"(?:{_filled(say)}){_END[language]}" for say, _, _ in rows]
    which = "|".join(f"(?P<r{n}>{alternative})" for n, alternative in enumerate(alternatives))
    return Rules(made, re.compile("|".join(alternatives)), re.compile(which))


@cache
def pattern(*keys: str) -> re.Pattern[str]:
    """A pattern of ``words.yaml`` that stands alone: ``pattern("ranges", "to")``."""
    found: Any = words()
    for key in keys:
        found = found[key]
    return re.compile(_filled(found))


@cache
def words() -> Mapping[str, Any]:
    """What ``words.yaml`` holds."""
    return cast("Mapping[str, Any]", table("winnow.retrieve.times", "words.yaml"))


def _compiled(say: str, language: str, *, named: bool) -> re.Pattern[str]:
    return re.compile(f"(?:{_filled(say, named=named)}){_END[language]}")


def _filled(say: str, *, named: bool = False) -> str:
    """A rule with its slots as patterns, as named groups where they are to be read."""

    def slot(match: re.Match[str]) -> str:
        silent, name = match.groups()
        return f"(?P<{name}>{_words_of(name)})" if named and not silent else f"(?:{_words_of(name)})"

    return _SLOT.sub(slot, say)


@cache
def _words_of(slot: str) -> str:
    """The alternatives of a slot, longer ones first."""
    shapes = words()["patterns"]
    if slot in shapes:
        return str(shapes[slot]).replace("{numeral}", _longest_first(WORDS))
    return _longest_first(str(word) for found in words()["slots"][slot].values() for word in found)


def _longest_first(found: Iterable[str]) -> str:
    return "|".join(sorted(found, key=len, reverse=True))


@lru_cache(maxsize=4096)
def _value(slot: str, said: str) -> Any:
    """The value that a slot's words stand for."""
    if slot in words()["patterns"]:
        return _number(said)
    found = words()["slots"][slot].items()
    return next(value for value, known in found if any(re.fullmatch(str(word), said) for word in known))


def _number(said: str) -> int | None:
    if said in _ONE:
        return 1
    value = english_value(said) if said[0].isalpha() and said.isascii() else value_of(said)
    return None if value is None else int(value)


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
class Found:
    """What one stretch of a text says of a time; ``step`` is the way from there to the time meant."""

    start: int
    end: int
    said: Said
    step: Said | None = None
    event: str = ""
    """What happened on the day that ``step`` counts from, where no calendar tells it: ``my birthday``."""


def read(text: str) -> list[Found]:
    """The times of a normalised text, left to right; none overlap."""
    hints = _english_hints(text)
    found = list(_of_language(text, "english", hints)) if hints else []
    events: list[Found] = []
    if not text.isascii():
        found += _of_language(
            text, "chinese", [hint.span() for hint in pattern("hints", "chinese").finditer(text)]
        )
        events += _events(text)
    if not found and not events:
        return []
    joined = _sure(text, _joined(text, _apart(found)))
    return _apart(events + [one for one in _stepped(text, joined) if one.said or one.event])


def speaks_of_time(text: str) -> bool:
    """Whether an English text in lower case has a word that is part of most times; looking costs little."""
    # Splitting at spaces is faster than finding words, where no other script runs into them.
    parts = text.translate(_SPACED).split() if text.isascii() else pattern("token").findall(text)
    return not _known().isdisjoint(parts)


def _english_hints(text: str) -> list[tuple[int, int]]:
    """Where words stand that are part of most times."""
    if not speaks_of_time(text):
        return []
    known = _known()
    return [token.span() for token in pattern("token").finditer(text) if token[0] in known]


@cache
def _known() -> frozenset[str]:
    """Words of time, the years there are, and the days of a month by their number: ``15th``."""
    hints = words()["hints"]
    years = map(str, range(FIRST.year, LAST.year))
    decades = (f"{year}s" for year in range(FIRST.year, LAST.year, 10))
    days = (f"{day}{end}" for day in range(1, 32) for end in hints["ordinal"])
    return frozenset(hints["english"]) | frozenset([*years, *decades, *days])


def _of_language(text: str, language: str, hints: list[tuple[int, int]]) -> Iterator[Found]:
    """Rules are tried only where a word of time stands near."""
    known, reach, starts = (
        rules(language, *_SECTIONS[language]),
        words()["reach"][language],
        pattern("starts", language),
    )
    done = 0
    for first, end in hints:
        for start in starts.finditer(text, max(done, first - reach), end):
            got = known.read(text, start.start()) if start.start() >= done else None
            if got:
                done, said, section = got
                step = said if section == "steps" else None
                yield Found(start.start(), done, {} if step else said, step)


def _apart(found: list[Found]) -> list[Found]:
    """Without those that lie over one that begins before them."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: (f.start, -f.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _joined(text: str, found: list[Found]) -> list[Found]:
    """``the 15th`` of ``last month`` is one time."""
    kept: list[Found] = []
    for one in found:
        before = kept[-1] if kept else None
        if before and _fit(before.said, one.said) and _glued(text, before, one):
            trust = min(before.said.get("trust", 1), one.said.get("trust", 1))
            said = {**before.said, **one.said, "trust": trust, "weak": False}
            kept[-1] = replace(before, end=one.end, said=said)
        else:
            kept.append(one)
    return kept


def _glued(text: str, before: Found, after: Found) -> bool:
    return bool(pattern("glue").fullmatch(text, before.end, after.start))


def _fit(one: Said, other: Said) -> bool:
    """Whether two words can say one time: they are on levels of their own."""
    if not one or not other or ("part" in one and "part" in other) or not _ALONE.isdisjoint({*one, *other}):
        return False
    levels, others = _levels(one) or [0], _levels(other) or [0]
    return max(levels) < min(others) or max(others) < min(levels)


def _levels(said: Said) -> list[int]:
    """From day 1 to decade 6: what is said."""
    found = [level for key, level in _LEVELS.items() if key in said]
    found += [_LEVELS[said[key]] for key in ("unit", "each") if key in said]
    return found + [level for key, levels in _WIDE.items() if key in said for level in levels]


def _sure(text: str, found: list[Found]) -> list[Found]:
    """Without words that say a time only beside another: ``may``, ``march``, ``the 3rd``."""
    kept: list[Found] = []
    for one in found:
        led = pattern("leads").search(text[max(0, one.start - 24) : one.start])
        behind = kept and pattern("ranges", "to").match(text[kept[-1].end : one.start])
        sure = not one.said.get("weak") or led or behind or one.end - one.start == len(text)
        if one.step or (_whole(one.said) and sure):
            kept.append(one)
    return kept


def _whole(said: Said) -> bool:
    """A part or an nth day is one of something."""
    levels = _levels(said)
    return len(levels) > ("nth" in said) or "of" in said


def _stepped(text: str, found: list[Found]) -> Iterator[Found]:
    """Each step with the time it is from, or with the words for what happened then."""
    rest = list(found)
    while rest:
        one = rest.pop(0)
        if one.step is None:
            yield _behind(text, one)
        elif rest and rest[0].step is None and _glued(text, one, rest[0]):
            yield replace(_behind(text, rest.pop(0)), start=one.start, step=one.step)
        elif not one.step.get("weak"):
            yield from _before_event(text, one, rest[0].start if rest else len(text))


def _before_event(text: str, one: Found, until: int) -> Iterator[Found]:
    """The step and the words behind it, as far as the next time."""
    if words_of := pattern("events_follow").match(text, one.end, until):
        yield replace(one, end=words_of.end(), event=words_of[0].strip())


def _behind(text: str, one: Found) -> Found:
    """A Chinese time and the step said after it: ``国庆前两天``."""
    got = rules("chinese", "steps_behind").read(text, one.end)
    return replace(one, end=got[0], step=got[1]) if got else one


def _events(text: str) -> Iterator[Found]:
    """What happened on a day that no calendar tells, and the step said after it: ``我生日前两天``."""
    if not pattern("steps_hint").search(text):
        return
    for event in pattern("events").finditer(text):
        if got := rules("chinese", "steps_behind").read(text, event.end()):
            yield Found(event.start(), got[0], {}, got[1], event[0])
