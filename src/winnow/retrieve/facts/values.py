"""The values of a statement (numbers with units, hours, days, codes), and features of how they differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import TypeVar

from winnow.language.normalize import normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.numbers.numerals import Number, english_value, value_of
from winnow.language.patterns import compiled_patterns
from winnow.language.tables import table
from winnow.retrieve.facts.extract import FactStatement, months_of, written_out
from winnow.retrieve.facts.topic import is_within
from winnow.retrieve.statements.claims import typed_spans
from winnow.retrieve.statements.supersession import claim_relation

# What becomes of values and persons between two statements.


T = TypeVar("T")


def value_features(old: FactStatement, new: FactStatement) -> dict[str, float]:
    """What becomes of numbers, dates and the like."""
    kinds = old.typed_values.keys() & new.typed_values.keys()
    before, after = frozenset(old.typed_values.values()), frozenset(new.typed_values.values())
    return {
        "same_value": float(is_within(before, after) or is_within(after, before)),
        "other_value": float(any(old.typed_values[kind] != new.typed_values[kind] for kind in kinds)),
        "value_added": float(bool(after) and not before),
        "value_lost": float(bool(before) and not after),
        **_set_features("number", old.numbers, new.numbers),
        **_set_features("weekday", old.weekdays, new.weekdays),
    }


def _set_features(name: str, old: frozenset[T], new: frozenset[T]) -> dict[str, float]:
    """What becomes of several values of one kind."""
    if old and new:
        nested, other = old <= new or new <= old, old.isdisjoint(new)
        told = {"same": old == new, "nested": nested, "other": other, "partly": not (nested or other)}
    else:
        told = dict.fromkeys(("same", "nested", "other", "partly"), False)
    told["more"] = bool(old) and bool(new - old)
    told["added"] = bool(new) and not old
    told["lost"] = bool(old) and not new
    return {f"{name}_{what}": float(holds) for what, holds in told.items()}


def person_features(old: FactStatement, new: FactStatement) -> dict[str, float]:
    """Whom both speak of."""
    more, less = new.names - old.names - {*old.words}, old.names - new.names - {*new.words}
    of_names = {
        "name_same": float(not old.names.isdisjoint(new.names)),
        "name_more": float(bool(more)),
        "name_other": float(bool(more) and bool(less)),
    }
    return {**_of_people(old, new), **of_names}


def _of_people(old: FactStatement, new: FactStatement) -> dict[str, float]:
    more, less = new.people - old.people, old.people - new.people
    return {
        "people_same": float(not old.people.isdisjoint(new.people)),
        "people_other": float(bool(more) and bool(less)),
        "people_more": float(bool(more)),
        "people_less": float(bool(less)),
        "old_own": float(old.own),
        "new_own": float(new.own),
        "own_lost": float(old.own and not new.own and bool(less)),
    }


def claim_features(old: FactStatement, new: FactStatement) -> dict[str, float]:
    """What the grammar of both says, where it could be read."""
    matters = [claim_relation(a, b) for a, b in product(old.claims, new.claims) if a.who == b.who]
    whose = {claim.who for claim in old.claims}, {claim.who for claim in new.claims}
    return {
        "claim_replaced": float("replaced" in matters),
        "claim_repeated": float("repeated" in matters),
        "claim_of_another": float(all(whose) and whose[0].isdisjoint(whose[1])),
    }


SPELLED_KINDS = frozenset({"mail", "link", "phone", "code", "weekday"})
"""Kinds of value that are compared letter by letter."""
DATE_UNITS = frozenset({"day", "month", "year"})
YEARS = range(1900, 2100)
NOON = 12
CLOCK = "clock"
NO_UNIT = frozenset({"", "count", "ordinal", "vague"})
REACH = 24
"""Characters around a number in which its unit or its half of the day stands."""
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_LEADING = re.compile(r"\d+(?:\.\d+)?")
_COUNTED = re.compile(r"(\d+|[零一二三四五六七八九十]+) ?([年月日号/]?)")


@dataclass(frozen=True, slots=True)
class StatementValue:
    """One value: a number, or the letters of what is no number."""

    amount: float | str
    unit: str = ""
    """``mg``, ``euro``, ``am``, ``month`` ...; empty where none is said."""


@dataclass(frozen=True, slots=True)
class StatementValues:
    """The values of a text in the order they are said, and what is left of it without them."""

    values: tuple[StatementValue, ...]
    rest: str


@lru_cache(maxsize=16384)
def parse_values(text: str) -> StatementValues:
    """What values a text gives."""
    plain = written_out(normalise(text))
    found: dict[int, list[StatementValue]] = {}
    for kind, start, end, spelling in typed_spans(plain):
        if kind in SPELLED_KINDS or kind == "date":
            found[start] = _of_date(plain[start:end]) if kind == "date" else [StatementValue(spelling)]
            plain = _without(plain, start, end)
    for number in find_numbers(plain):
        value, end = _measured_value(plain, number)
        found[number.start] = [value]
        plain = _without(plain, number.start, end)
    for _, start, end, spelling in typed_spans(plain):
        found[start] = [_spelled_out(spelling)]
        plain = _without(plain, start, end)
    told = tuple(value for _, some in sorted(found.items()) for value in some)
    return StatementValues(told, compiled_patterns(__package__, "values.yaml")["daytime"].sub(" ", plain))


def _without(plain: str, start: int, end: int) -> str:
    """The text with spaces for a stretch of it."""
    return plain[:start] + " " * (end - start) + plain[end:]


def _of_date(said: str) -> list[StatementValue]:
    """``3 may``, ``5月3日``, ``2026-05-03``; of ``3/5`` nobody knows which is the month."""
    iso = _ISO.fullmatch(said)
    if iso:
        return [StatementValue(float(number), unit) for unit, number in iso.groupdict().items()]
    named = [StatementValue(month, "month") for month in months_of(said)]
    units, other = table(__package__, "values.yaml")["date"], "" if "/" in said else "day"
    counted = ((value_of(number), units.get(sign, other)) for number, sign in _COUNTED.findall(said))
    return [*named, *(StatementValue(number, unit) for number, unit in counted if number is not None)]


def _measured_value(plain: str, number: Number) -> tuple[StatementValue, int]:
    """A number with its unit, an hour with its half of the day, if that is said; and where that ends."""
    before, behind = plain[max(0, number.start - REACH) : number.start], plain[number.end :][:REACH]
    # ``am`` or ``pm``; empty where nothing says which
    around = f"{before}|{number.text}|{behind}"
    halves = compiled_patterns(__package__, "values.yaml")
    half = next((half for half in ("am", "pm") if halves[half].search(around)), "")
    if number.unit == CLOCK or (half and not number.unit):
        return StatementValue(
            round(number.value % NOON, 3), "pm" if number.value > NOON else half
        ), number.end
    if number.unit not in NO_UNIT:
        return StatementValue(round(number.value, 3), number.unit), number.end
    unit, length = _unit(before, number.text, behind)
    unit = unit or ("year" if number.value in YEARS else "")
    return StatementValue(round(number.value, 3), unit), number.end + length


def _spelled_out(said: str) -> StatementValue:
    """What no number was found in: ``3个月``, ``one``, ``noon``."""
    number = _LEADING.match(said)
    if number:
        rest = said[number.end() :]
        return StatementValue(float(number[0]), _units().get(rest, rest))
    amount = english_value(said)
    return StatementValue(said if amount is None else amount)


def _unit(before: str, number: str, behind: str) -> tuple[str, int]:
    """The unit right behind a number, or the sign right before it; and how far it goes behind."""
    after = behind.lstrip(" -")
    for said in _units():
        # Whether a text begins with a word; of Latin letters with the whole of it
        rest = after[len(said) : len(said) + 1]
        if after.startswith(said) and not (said[-1].isascii() and rest.isascii() and rest.isalnum()):
            return _units()[said], len(behind) - len(after) + len(said)
    sign = before.rstrip()[-1:]
    return _units().get(number[-1], _units().get(sign, "") if not sign.isalpha() else ""), 0


@cache
def _units() -> Mapping[str, str]:
    """Spelling -> unit, the longest first."""
    listed = table(__package__, "values.yaml")["units"].items()
    told = {spelling: unit for unit, spellings in listed for spelling in spellings}
    return dict(sorted(told.items(), key=lambda row: -len(row[0])))


def new_values(old: StatementValues, new: StatementValues) -> list[StatementValue]:
    """The later values that are not among the earlier, and those that come in another order.

    A lone ``one`` mostly counts nothing (``a day``, ``the tall one``): it is unknown only in another's place.
    """
    gone = any(not any(_is_same_value(other, one) for one in new.values) for other in old.values)
    more = [one for one in new.values if not any(_is_same_value(one, other) for other in old.values)]
    return [one for one in more if one.amount != 1 or gone] or _reordered_values(old.values, new.values)


def _is_same_value(one: StatementValue, other: StatementValue) -> bool:
    """Whether a value is the other one, or it without its unit."""
    dated = not other.unit and one.unit in DATE_UNITS
    return one.amount == other.amount and (one.unit in {"", other.unit} or dated)


def _reordered_values(old: Sequence[StatementValue], new: Sequence[StatementValue]) -> list[StatementValue]:
    """Bare numbers of the earlier that come in another order: ``from 9 to 5``, ``from 5 to 9``."""
    left = iter([one for one in old if not one.unit])
    bare = [one for one in new if not one.unit and one.amount != 1 and one in old]
    return [] if all(one in left for one in bare) else bare
