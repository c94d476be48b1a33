"""Numerals as they are written out, Chinese and English, read to floats."""

from __future__ import annotations

import re

DIGITS = dict(zip("零〇一二两三四五六七八九俩仨", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3), strict=True))
_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10_000, "亿": 100_000_000}

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
_RANKS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth"
    " seventeenth eighteenth nineteenth twentieth"
)
WORDS = (
    {word: n for n, word in enumerate(_ONES.split())}
    | {word: 10 * n for n, word in enumerate(_DECADES.split(), 2)}
    | {"fourty": 40}
)
ORDINALS = {word: n for n, word in enumerate(_RANKS.split(), 1)}
_WORD = re.compile("[a-z]+")


def chinese_value(text: str) -> float | None:
    """The value of a Chinese numeral (``二十六``, ``两千七``, ``二零五``, ``三点五``, ``六千``).

    None when it is not one.
    """
    whole, point, decimals = text.partition("点")
    value = _chinese_integer(whole)
    if value is None or not point:
        return value
    if not decimals or any(c not in DIGITS for c in decimals):
        return None
    return value + float("0." + "".join(str(DIGITS[c]) for c in decimals))


def _chinese_integer(text: str) -> float | None:
    if not text or not any(c in _TENS or c in _MYRIADS for c in text):
        return _digit_by_digit(text)
    total = section = 0
    digit: int | None = None
    last = 10
    for char in text:
        if char in DIGITS:
            if digit:
                return None
            digit, last = DIGITS[char], (10 if DIGITS[char] == 0 else last)
        elif char in _TENS:
            section += (1 if digit is None or (char == "十" and not digit) else digit) * _TENS[char]
            digit, last = None, _TENS[char]
        elif char in _MYRIADS:
            total = (total + section + (digit or 0)) * _MYRIADS[char]
            section, digit, last = 0, None, _MYRIADS[char]
        else:
            return None
    return float(total + section + (digit or 0) * last // 10)


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
            if last < 100 and not (last >= 20 and WORDS[word] < 10):
                return None
            section, last = section + WORDS[word], WORDS[word]
        elif word == "hundred":
            section, last = max(section, 1) * 100, 100
        elif word == "thousand":
            total, section, last = total + max(section, 1) * 1000, 0, 1000
        elif word not in ("and", "a"):
            return None
    return float(total + section) if any(w not in ("and", "a") for w in words) else None
