"""What is found: a number, and before that the numeral it is written with; numerals read to floats."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

VAGUE = "vague"
"""The unit of a number that nobody can tell: ``twenty-odd``, ``二十来度``."""
Script = Literal["digits", "chinese", "english"]


@dataclass(frozen=True, slots=True)
class Number:
    """One number: where it stands, its text and its value in ``unit``.

    Units: ``%`` ``degree`` ``celsius`` ``fahrenheit`` ``kelvin`` ``level`` ``lux`` ``watt`` ``ppm``
    ``ampere`` ``centimetre`` ``second`` ``minute`` ``hour`` ``day`` ``clock`` (hours since midnight, as
    said) ``count`` ``floor`` (-1 is the first basement) ``ordinal`` ``share`` (percent of what is so
    far), ``rpm``, ``vague`` (no number to act on: it has to be asked), or empty.
    """

    start: int
    end: int
    text: str
    value: float
    unit: str = ""


class Numeral(NamedTuple):
    """A numeral and its value, before what stands around it says what it measures."""

    start: int
    end: int
    value: float
    script: Script


def number_at(text: str, start: int, end: int, value: float, unit: str = "") -> Number:
    """The number that ``start:end`` of the text says."""
    return Number(start, end, text[start:end], round(value, 6), unit)


DIGITS = dict(
    zip("零〇一二两三四五六七八九俩仨幺", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 1), strict=True)
)
_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10_000, "亿": 100_000_000}
_PIECE = re.compile("([零〇一二两三四五六七八九俩仨]?)([十百千万亿]?)")
"""A digit and its unit, either of which may be unsaid."""
_NUMERAL = re.compile("(?:[零〇]*[一二两三四五六七八九俩仨]?[十百千万亿])+[零〇]*[一二两三四五六七八九俩仨]?")
_GREATEST = 1e9
"""More than a home measures."""

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
_RANKS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
WORDS = (
    {word: n for n, word in enumerate(_ONES.split())}
    | {word: 10 * n for n, word in enumerate(_DECADES.split(), 2)}
    | {"fourty": 40, "ninty": 90, "fitty": 50, "turty": 30, "tirteen": 13, "nought": 0, "nil": 0}
)
HEARD = {"won": 1, "to": 2, "too": 2, "tree": 3, "for": 4, "fore": 4, "ate": 8}
"""What a recogniser writes for the ones -> their value; numbers only where a unit tells so."""
_SHORT = str.maketrans({"廿": "二十", "卅": "三十"})
ORDINALS = {word: n for n, word in enumerate(_RANKS.split(), 1)}
_WORD = re.compile("[a-z]+")
_JOINING = frozenset({"and", "a"})


def value_of(text: str) -> float | None:
    """The value of digits (``1,500``, ``2.5万``) or of a Chinese numeral; None also beyond a billion."""
    if text[0].isdigit():
        scale = _TENS.get(text[-1]) or _MYRIADS.get(text[-1], 1)
        value: float | None = float(text.rstrip("百千万亿").replace(",", "")) * scale
    else:
        value = chinese_value(text)
    return value if value is None or value <= _GREATEST else None


def chinese_value(text: str) -> float | None:
    """The value of a Chinese numeral (``二十六``, ``两千七``, ``二零五``, ``三点五``, ``六千``).

    None when it is not one.
    """
    whole, point, decimals = text.translate(_SHORT).partition("点")
    value = _chinese_integer(whole)
    if value is None or not point:
        return value
    if not decimals or any(c not in DIGITS for c in decimals):
        return None
    return value + float("0." + "".join(str(DIGITS[c]) for c in decimals))


def _chinese_integer(text: str) -> float | None:
    """``二十六``, ``两千零五``; a digit at the end counts tenths of the unit before it: ``两千七``."""
    if not any(unit in text for unit in "十百千万亿"):
        return _digit_by_digit(text)
    if not _NUMERAL.fullmatch(text):
        return None
    total = section = 0
    last = 10
    above = math.inf  # units only grow smaller within a section: 三十四十 is two numbers, which nobody sums
    for digit, unit in _PIECE.findall(text):
        if unit in _MYRIADS:
            last = _MYRIADS[unit]
            counted = section + DIGITS.get(digit, 0)
            # 一亿二千万: what stands before 亿 is counted by no 万
            total = total + counted * last if total >= last else (total + counted) * last
            section, above = 0, math.inf
        elif unit:
            if _TENS[unit] >= above:
                return None
            above = _TENS[unit]
            times = DIGITS.get(digit, 1)
            # a unit alone counts once, ``十`` even after a zero
            section += _TENS[unit] * (1 if unit == "十" and not times else times)
            last = _TENS[unit]
        elif digit:
            section, last = section + DIGITS[digit] * last // 10, 10
    return float(total + section)


def _digit_by_digit(text: str) -> float | None:
    """``二零五`` is 205; ``三四`` and ``三五`` are about that many, so no number."""
    values = [DIGITS.get(c) for c in text]
    if not values or None in values:
        return None
    if len(values) == 2 and values[0] and values[1] and 0 < values[1] - values[0] <= 2:
        return None
    return float("".join(map(str, values)))


def english_value(text: str) -> float | None:
    """The value of number words (``twenty-six``, ``one hundred and five``, ``twenty one point five``).

    None when they are not.
    """
    whole, point, decimals = text.partition(" point ")
    value = _english_integer(_WORD.findall(whole))
    if value is None or not point:
        return value
    digits = [WORDS.get(w, 10) for w in _WORD.findall(decimals)]
    if not digits or max(digits) > 9:
        return None
    return value + float("0." + "".join(map(str, digits)))


def _english_integer(words: list[str]) -> float | None:
    total = section = 0
    last = 1000
    for word in words:
        if word in WORDS:
            # ``twenty`` goes on with ones only, ``hundred`` and ``thousand`` with anything
            if last < 20 or (last < 100 and WORDS[word] >= 10):
                return None
            section, last = section + WORDS[word], WORDS[word]
        elif word == "hundred":
            section, last = max(section, 1) * 100, 100
        elif word == "thousand":
            total, section, last = total + max(section, 1) * 1000, 0, 1000
        elif word not in _JOINING:
            return None
    return None if _JOINING.issuperset(words) else float(total + section)
