"""Numbers in a sentence, with the unit that says what they measure.

Works on normalised text (lower case, simplified characters). Spans never overlap and come in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from winnow.language.numerals import DIGITS, ORDINALS, chinese_value, english_value
from winnow.language.patterns import (
    ADVERB,
    AND_HALF,
    APART,
    BARE,
    CLOCK_TAIL,
    CORE,
    DEGREE_TENTH,
    HALF_DURATION,
    HALF_PLACE,
    HINT,
    ONE_ALONE,
    STOP,
    TENTH,
    UNIT,
    UNIT_SCALE,
)


@dataclass(frozen=True, slots=True)
class Number:
    """One number: where it stands, its text and its value in ``unit``.

    Units: ``%`` ``degree`` ``celsius`` ``fahrenheit`` ``kelvin`` ``level`` ``lux`` ``watt`` ``ppm``
    ``second`` ``minute`` ``hour`` ``day``
    ``clock`` (hours since midnight, as said) ``count`` ``floor`` (-1 is the first basement) ``ordinal``, or
    empty.
    """

    start: int
    end: int
    text: str
    value: float
    unit: str = ""


Match = re.Match[str]
_GREATEST = 1e9
_LEAST_KELVIN = 1000
"""Below it 开 after a numeral is the verb, as in 开一开."""


def find_numbers(text: str) -> list[Number]:
    """Every number of normalised ``text``, longest spans first come, left to right."""
    found: list[Number] = []
    match = CORE.search(text) if HINT.search(text) else None
    while match:
        number, resume = None, match.end()
        if stop := STOP.match(text, match.start()):
            resume = stop.end()
        else:
            number = _READERS[match.lastgroup or ""](text, match)
        if number:
            found.append(number)
            resume = max(number.end, match.start() + 1)
        match = CORE.search(text, resume)
    return found


def parse_number(text: str) -> float | None:
    """The value of ``text`` when all of it is one number (``26``, ``二十六度``, ``一``, ``one hundred and five``), else None."""
    text = text.strip()
    try:
        return float(text.replace(",", "")) if text[:1] in "-0123456789" else _words_value(text)
    except ValueError:
        return _words_value(text)


def _words_value(text: str) -> float | None:
    found = find_numbers(text)
    if len(found) == 1 and found[0].text == text:
        return found[0].value
    value = chinese_value(text)
    return english_value(text) if value is None else value


def _value(text: str) -> float | None:
    """Digits (``1,500``, ``2.5万``) or a Chinese numeral.

    None also beyond a billion, which no home measures.
    """
    value = _digits(text) if text[0].isdigit() else chinese_value(text)
    return value if value is None or value <= _GREATEST else None


def _digits(text: str) -> float:
    scale = {"百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}.get(text[-1], 1)
    return float(text.rstrip("百千万亿").replace(",", "")) * scale


def _number(text: str, start: int, end: int, value: float, unit: str = "") -> Number:
    return Number(start, end, text[start:end], round(value, 6), unit)


def _percent(text: str, match: Match) -> Number | None:
    value = 100.0 if match["percent"] == "百" else _value(match["percent"])
    return None if value is None else _number(text, *match.span(), value, "%")


def _fraction(text: str, match: Match) -> Number | None:
    if match["denominator"]:
        above, below = _value(match["numerator"]), _value(match["denominator"])
    else:
        above, below = map(float, match[0].split("/"))
    if above is None or not below or above >= below:
        return None
    return _number(text, *match.span(), round(100 * above / below, 1), "%")


def _clock(text: str, match: Match) -> Number | None:
    hour = int(match["hour"]) + int(match["minute"]) / 60
    return _number(text, *match.span(), _meridiem(hour, match["meridiem"]), "clock")


def _meridiem(hour: float, letter: str | None) -> float:
    if not letter or hour >= 13:
        return hour
    return hour % 12 + (12 if letter == "p" else 0)


def _half(text: str, match: Match) -> Number | None:
    start, end = match.span()
    if duration := HALF_DURATION.match(text, end):
        return _number(text, start, duration.end(), 0.5, duration.lastgroup or "")
    if (
        match["half"] != "半"
        or HALF_PLACE.match(text, end)
        or text[start - 1 : start] in set("到开关拉降升调")
    ):
        return None if APART.match(text, end) else _number(text, start, end, 50, "%")
    return None


def _signed(text: str, match: Match) -> Number | None:
    """A numeral in digits or Chinese characters, with sign, decimals, magnitude and unit."""
    plain = match["digits"] or match["zh"]
    value, (start, end) = _value(plain), match.span()
    if value is None:
        return (
            _number(text, start, start + 1, DIGITS[plain[0]], "floor")
            if text[end : end + 1] in ("楼", "层") and len(plain) == 2
            else None
        )
    sign = -1 if match["sign"] else 1
    if tenth := TENTH.match(text, end):
        extra = 5 if tenth["rest"] == "半" else DIGITS.get(tenth["rest"], 0)
        return _number(text, start, tenth.end(), value * 10 + extra, "%") if value <= 10 else None
    if text.startswith("点", end) and (number := _point(text, match, value)):
        return number
    if text.startswith("点", end) and plain == "一":
        return None
    if text.startswith(" and a half ", end):
        return _with_unit(text, match, sign * (value + 0.5), end + len(" and a half"))
    return _with_unit(text, match, sign * value)


def _point(text: str, match: Match, whole: float) -> Number | None:
    """``七点``, ``七点半``, ``7点30`` are times of day; ``六点五`` and ``二十六点五度`` are decimals."""
    tail = CLOCK_TAIL.match(text, match.end())
    if tail is None or (match["sign"] and not tail["digits"]):
        return None
    start, end, digits = match.start(), tail.end(), tail["digits"]
    if not digits:
        alone = tail[0] == "点"
        if whole > 24 or (
            alone
            and whole == 1
            and not text.startswith(("早上", "上午", "中午", "下午", "晚上", "凌晨"), max(start - 2, 0))
        ):
            return None
        return _number(
            text, start, end, whole + {"半": 0.5, "一刻": 0.25, "三刻": 0.75}.get(tail[0][1:], 0), "clock"
        )
    minutes = _value(digits) or 0
    spoken_time = tail["fen"] or "十" in digits or (len(digits) == 2 and digits[0] in "零〇012345")
    if spoken_time and whole <= 24 and minutes < 60 and not text.startswith(("度", "%", "摄"), end):
        return _number(text, start, end, whole + minutes / 60, "clock")
    decimals = "".join(c if c.isdigit() and c.isascii() else str(DIGITS.get(c, "")) for c in digits)
    return _with_unit(text, match, (-1 if match["sign"] else 1) * float(f"{whole:.0f}.{decimals}"), end)


def _with_unit(text: str, match: Match, value: float, end: int | None = None) -> Number | None:
    start, end = match.start(), end or match.end()
    unit = UNIT.match(text, end)
    name = unit.lastgroup or "" if unit else ""
    if unit and unit[0].endswith("开") and value < _LEAST_KELVIN:
        return _bare(text, match, value, end)
    if unit is None:
        return _bare(text, match, value, end)
    if name in ("short_k", "kelvin"):
        return _kelvin(text, start, value, unit)
    if name in ("o_clock", "am", "pm"):
        return _number(text, start, unit.end(), _meridiem(value, {"am": "a", "pm": "p"}.get(name)), "clock")
    if name == "nth":
        return _number(text, start, unit.end(), value, "floor" if "floor" in unit[0] else "ordinal")
    return _measured(text, start, unit, value, name)


def _measured(text: str, start: int, unit: Match, value: float, name: str) -> Number:
    end = unit.end()
    if name in ("count", "floor", "level") and text.startswith("第", start - 1) and start:
        return _number(text, start - 1, end, value, "ordinal" if name == "count" else name)
    if name == "floor" and text.startswith("地下", max(start - 2, 0)):
        return _number(text, start - 2, end, -abs(value), name)
    if (
        name == "degree"
        and start >= 2
        and (scale := {"摄氏": "celsius", "华氏": "fahrenheit"}.get(text[start - 2 : start]))
    ):
        return _number(text, start - 2, end, value, scale)
    if name == "half_hours":
        value += 0.5
    elif name in ("hour", "day", "degree", "minute") and (half := AND_HALF.match(text, end)):
        value, end = value + 0.5, half.end()
    elif name == "degree" and (tenth := DEGREE_TENTH.match(text, end)):
        value, end = value + (_value(tenth[1]) or 0) / 10, tenth.end()
    name, factor = UNIT_SCALE.get(name, (name, 1))
    return _number(text, start, end, value * factor, name)


def _kelvin(text: str, start: int, value: float, unit: Match) -> Number | None:
    """``4000k``, ``2.7k``; a small whole number glued to k is a screen, not a colour."""
    if unit.lastgroup == "short_k" and value < 100:
        return (
            _number(text, start, unit.end(), value * 1000, "kelvin")
            if value < 10 and value != int(value)
            else None
        )
    return _number(text, start, unit.end(), value, "kelvin")


def _bare(text: str, match: Match, value: float, end: int) -> Number | None:
    """A numeral nothing follows that measures it."""
    start = match.start()
    if match["digits"]:
        glued = text[end : end + 1].isalpha() and text[end].isascii()
        prefix = "" if glued else text[max(start - 7, 0) : start]
        return (
            None
            if glued
            else _number(text, *_from_prefix(start, end, prefix), value, _prefix_unit(prefix, value))
        )
    if start and text[start - 1] == "第":
        return _number(text, start - 1, end, value, "ordinal")
    plain = text[start:end]
    if plain in ("俩", "仨", "两"):
        return _number(text, start, end, value, "count")
    rule = ONE_ALONE if plain == "一" else BARE
    if len(plain) > 1 or rule.match(text, max(start - 1, 0)) or (not start and rule.match("^" + text[:2])):
        return _number(text, start, end, value)
    return None


def _from_prefix(start: int, end: int, prefix: str) -> tuple[int, int]:
    return (
        (start - 6, end)
        if prefix.endswith("floor ")
        else (start - 1, end)
        if prefix.endswith("第")
        else (start, end)
    )


def _prefix_unit(prefix: str, value: float) -> str:
    """``floor 2`` is a floor, ``level 3`` and ``speed 3`` a level (the word itself stays outside the span), ``第2`` an ordinal."""
    if prefix.endswith("第"):
        return "ordinal"
    if prefix.endswith("floor "):
        return "floor"
    return "level" if value <= 20 and prefix.endswith(("level ", "speed ", "gear ")) else ""


def _english_fraction(text: str, match: Match) -> Number | None:
    name = match["part"]
    share = {"h": 1 / 2, "t": 1 / 3, "q": 1 / 4, "f": 1 / 5}[name[0]] if not name.startswith("tenth") else 0.1
    share *= english_value(match["times"]) or 1 if match["times"] else 1
    if match["past"]:
        hour = english_value(match["oclock"]) or 0
        return _number(text, *match.span(), hour + (share if "past" in match["past"] else -share), "clock")
    if match["per"]:
        unit = match["per"]
        return _number(text, *match.span(), share, unit)
    return _number(text, *match.span(), round(100 * share, 1), "%")


def _english(text: str, match: Match) -> Number | None:
    words = match["en"]
    value = 2.0 if words.startswith("a couple") else 1.0 if words in ("a", "an") else english_value(words)
    if value is None:
        return None
    start, end = match.span()
    value = (-1 if match["minus"] else 1) * (value + (0.5 if match["plus_half"] else 0))
    if UNIT.match(text, end):
        return _with_unit(text, match, value)
    prefix = text[max(start - 7, 0) : start]
    if words in ("a", "an") or (
        words == "one" and not prefix.endswith(("level ", "floor ", "speed ", "gear ", "number "))
    ):
        return None
    return _number(text, *_from_prefix(start, end, prefix), value, _prefix_unit(prefix, value))


def _ordinal(text: str, match: Match) -> Number | None:
    if ADVERB.match(text, match.end()) and not text.endswith("the ", 0, match.start()):
        return None
    return _number(text, *match.span(), ORDINALS[match["ordinal"]], "floor" if match["storey"] else "ordinal")


_READERS: dict[str, Callable[[str, Match], Number | None]] = {
    "percent": _percent,
    "fraction": _fraction,
    "clock": _clock,
    "half": _half,
    "numeral": _signed,
    "en_fraction": _english_fraction,
    "english": _english,
    "ordinal_word": _ordinal,
}
