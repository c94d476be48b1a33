"""Numerals and the unit that follows them; without one, what stands before them says what they count."""

from __future__ import annotations

import re
from collections.abc import Callable

from winnow.language.numbers.numerals import Number, Numeral, number_at, value_of
from winnow.language.numbers.patterns import (
    AND_HALF,
    BARE,
    DEGREE_TENTH,
    METRE_PARTS,
    ONE_ALONE,
    UNIT,
    UNIT_SCALE,
)

Match = re.Match[str]
_LEAST_KELVIN = 1000
"""Below it 开 after a numeral is the verb, as in 开一开."""
_SCALES = {"摄氏": "celsius", "华氏": "fahrenheit"}


def number_with_unit(text: str, numeral: Numeral) -> Number | None:
    """The number with the unit that follows the numeral, if any; None for what only looks like a number."""
    unit = UNIT.match(text, numeral.end)
    if unit is None or (unit[0].endswith("开") and numeral.value < _LEAST_KELVIN):
        return bare_number(text, numeral)
    return _READERS.get(unit.lastgroup or "", _scaled_number)(text, numeral, unit)


def hour_of_day(hour: float, letter: str | None) -> float:
    """The hour with ``a`` or ``p`` for before or after noon; as it is when it needs neither."""
    if not letter or hour >= 13:
        return hour
    return hour % 12 + (12 if letter == "p" else 0)


def _scaled_number(text: str, numeral: Numeral, unit: Match) -> Number:
    name = unit.lastgroup or ""
    name, factor = UNIT_SCALE.get(name, (name, 1))
    return number_at(text, numeral.start, unit.end(), numeral.value * factor, name)


def _with_half(text: str, numeral: Numeral, unit: Match) -> Number:
    """``两小时半``, ``an hour and a half``."""
    half = AND_HALF.match(text, unit.end())
    if half is None:
        return _scaled_number(text, numeral, unit)
    return number_at(text, numeral.start, half.end(), numeral.value + 0.5, unit.lastgroup or "")


def _degrees(text: str, numeral: Numeral, unit: Match) -> Number:
    """``摄氏二十度``, ``两度半``, ``二十六度五``."""
    start, _, value, _ = numeral
    if scale := _SCALES.get(text[max(start - 2, 0) : start]):
        return number_at(text, start - 2, unit.end(), value, scale)
    if AND_HALF.match(text, unit.end()):
        return _with_half(text, numeral, unit)
    if tenth := DEGREE_TENTH.match(text, unit.end()):
        return number_at(text, start, tenth.end(), value + (value_of(tenth[1]) or 0) / 10, "degree")
    return _scaled_number(text, numeral, unit)


def _metres(text: str, numeral: Numeral, unit: Match) -> Number:
    """``1.2 m``, ``一米一``, ``一米二五``."""
    parts = METRE_PARTS.match(text, unit.end())
    if parts is None or unit[0] != "米":
        return _scaled_number(text, numeral, unit)
    tenths, hundredths = (value_of(digit) or 0 if digit else 0 for digit in parts.groups())
    value = 100 * numeral.value + 10 * tenths + hundredths
    return number_at(text, numeral.start, parts.end(), value, "centimetre")


def _ordinal_number(text: str, numeral: Numeral, unit: Match) -> Number:
    """``第三盏`` is which one and ``三盏`` how many; ``地下一层`` lies below the ground."""
    start, _, value, _ = numeral
    name = unit.lastgroup or ""
    if text.endswith("第", 0, start):
        return number_at(text, start - 1, unit.end(), value, "ordinal" if name == "count" else name)
    if name == "floor" and text.endswith("地下", 0, start):
        return number_at(text, start - 2, unit.end(), -abs(value), name)
    return _scaled_number(text, numeral, unit)


def _hour(text: str, numeral: Numeral, unit: Match) -> Number:
    letter = {"am": "a", "pm": "p"}.get(unit.lastgroup or "")
    return number_at(text, numeral.start, unit.end(), hour_of_day(numeral.value, letter), "clock")


def _kelvin(text: str, numeral: Numeral, unit: Match) -> Number | None:
    """``4000k``, ``2.7k``; a small whole number glued to k is a screen, not a colour."""
    start, _, value, _ = numeral
    if unit.lastgroup == "kelvin" or value >= 100:
        return number_at(text, start, unit.end(), value, "kelvin")
    thousands = value < 10 and value != int(value)
    return number_at(text, start, unit.end(), value * 1000, "kelvin") if thousands else None


_READERS: dict[str, Callable[[str, Numeral, Match], Number | None]] = {
    "hour": _with_half,
    "minute": _with_half,
    "day": _with_half,
    # ``一个半小时``: the unit holds the half.
    "half_hours": lambda text, number, unit: number_at(
        text, number.start, unit.end(), number.value + 0.5, "hour"
    ),
    "degree": _degrees,
    "metre": _metres,
    "count": _ordinal_number,
    "floor": _ordinal_number,
    "level": _ordinal_number,
    "nth": lambda text, number, unit: number_at(
        text, number.start, unit.end(), number.value, "floor" if "floor" in unit[0] else "ordinal"
    ),
    "o_clock": _hour,
    "am": _hour,
    "pm": _hour,
    "short_k": _kelvin,
    "kelvin": _kelvin,
}
"""Unit -> who reads it; the others are only scaled."""


_MOST_LEVELS = 20
_LEVELS = ("level ", "speed ", "gear ", "setting ", "notch ")


def bare_number(text: str, numeral: Numeral) -> Number | None:
    """The number a numeral without a unit says; None where it is no number but a part of a word or a name."""
    if numeral.script == "digits":
        after = text[numeral.end : numeral.end + 1]
        glued = after.isascii() and after.isalpha()
        return None if glued else after_prefix(text, numeral)
    start, end, value, _ = numeral
    if text.endswith("第", 0, start):
        return number_at(text, start - 1, end, value, "ordinal")
    plain = text[start:end]
    if plain in ("俩", "仨", "两"):
        return number_at(text, start, end, value, "count")
    rule = ONE_ALONE if plain == "一" else BARE
    return number_at(text, start, end, value) if len(plain) > 1 or rule.match(text, start) else None


def after_prefix(text: str, numeral: Numeral) -> Number:
    """``第2`` is an ordinal, ``floor 2`` a floor; ``level 3`` is a level, but that word stays outside."""
    start, end, value, _ = numeral
    if text.endswith("第", 0, start):
        return number_at(text, start - 1, end, value, "ordinal")
    if text.endswith("floor ", 0, start):
        return number_at(text, start - len("floor "), end, value, "floor")
    level = value <= _MOST_LEVELS and text.endswith(_LEVELS, 0, start)
    return number_at(text, start, end, value, "level" if level else "")
