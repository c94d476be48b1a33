"""Every way a number is written, found and read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from winnow.language.content_words import little
from winnow.language.normalize import is_han
from winnow.language.numbers import spoken
from winnow.language.numbers.numerals import (
    DIGITS,
    ORDINALS,
    Number,
    Numeral,
    Script,
    english_value,
    number_at,
    value_of,
)
from winnow.language.numbers.patterns import (
    ADVERB,
    APART,
    CLOCK_TAIL,
    HALF_DURATION,
    HALF_PLACE,
    HINT,
    STOP,
    TENTH,
    UNIT,
    WAYS,
)
from winnow.language.numbers.units import after_prefix, hour_of_day, number_with_unit
from winnow.language.patterns import lazy_pattern
from winnow.language.registry import language_of, own_table

Match = re.Match[str]
_CORE = lazy_pattern("|".join((*spoken.WAYS, *WAYS)), re.ASCII)
_WORD = re.compile(r"\w+")
_PLAIN = lazy_pattern("|".join(WAYS), re.ASCII)
_HINT = lazy_pattern(f"{HINT}|{spoken.HINT}", re.ASCII)
_DAY_PARTS = ("早上", "上午", "中午", "下午", "晚上", "凌晨")
_PAST_THE_HOUR = {"半": 0.5, "一刻": 0.25, "三刻": 0.75}
_DECIMALS = str.maketrans({**{char: str(n) for char, n in DIGITS.items()}, "十": ""})
_SHARES = {"ha": 1 / 2, "th": 1 / 3, "qu": 1 / 4, "fo": 1 / 4, "fi": 1 / 5, "te": 1 / 10}
_SHARES |= {"si": 1 / 6, "se": 1 / 7, "ei": 1 / 8, "ni": 1 / 9}
"""How the English name of a part begins -> the part."""
_TO = (" to ", " at ")
_LEVELS = ("level ", "floor ", "speed ", "gear ", "number ", "setting ", "notch ")
"""Before ``one``: it counts then, and is no pronoun."""


def find_numbers(text: str) -> list[Number]:
    """Every number of normalised ``text``, left to right, the longest at each place; none overlap."""
    written = _numbers_as_written(text)
    numerals = own_table(language_of(text), "numerals.yaml")
    found = _with_numerals(text, written, numerals) if numerals else written
    return [_with_hedge(text, number) for number in found]


def _with_hedge(text: str, number: Number) -> Number:
    """The number with the words that say it need not be exact: ``about forty``, 四十左右."""
    (led, followed), at = _hedge_patterns(), number.start
    before, after = led.search(text, 0, at), followed.match(text, number.end)
    start, end = before.start() if before else number.start, after.end() if after else number.end
    return replace(number, start=start, end=end, text=text[start:end])


@cache
def _hedge_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before, and behind, a number that need not be exact; ``how about forty`` proposes one."""
    nearly, nearby = little("nearly"), little("nearby")
    led = (re.escape(word) for word in nearly if not is_han(word[0]))
    led_han = "|".join(word for word in nearly if is_han(word[0]))
    behind = (re.escape(word) + ("" if is_han(word[0]) else "(?![a-z])") for word in nearby)
    before = f"(?<!how )(?<!what )(?<![a-z])(?:{'|'.join(led)}) $|(?:{led_han})[是在到]?$"
    return re.compile(before), re.compile(f" ?-?(?:{'|'.join(behind)})")


def _with_numerals(text: str, written: list[Number], numerals: Mapping[str, Any]) -> list[Number]:
    """The numbers, and those in the numerals that a language lists, each with the unit behind it."""
    values: Mapping[str, float] = numerals["values"]
    starts = {number.start for number in written}
    words = [word for word in _WORD.finditer(text) if word[0] in values and word.start() not in starts]
    listed = [number_at(text, *word.span(), float(values[word[0]])) for word in words]
    found = sorted((*written, *listed), key=lambda number: number.start)
    return [_with_listed_unit(text, number, numerals["units"]) for number in found]


def _with_listed_unit(text: str, number: Number, units: Mapping[str, str]) -> Number:
    behind = _WORD.match(text, number.end + 1)
    if number.unit or behind is None or behind[0] not in units:
        return number
    return number_at(text, number.start, behind.end(), number.value, units[behind[0]])


def _numbers_as_written(text: str) -> list[Number]:
    """Those in digits and in English or Chinese numerals, which one sentence may mix."""
    found: list[Number] = []
    match = _CORE.search(text) if _HINT.search(text) else None
    while match:
        number, resume = None, match.end()
        if stop := STOP.match(text, match.start()):
            resume = stop.end()
        else:
            number = _READERS[match.lastgroup or ""](text, match)
            if number is None and match.lastgroup in spoken.READERS:  # as it is written, then
                match = _PLAIN.search(text, match.start())
                continue
        if number:
            found.append(number)
            resume = max(number.end, match.start() + 1)
        match = _CORE.search(text, resume)
    return found


def _percent(text: str, match: Match) -> Number | None:
    value = 100.0 if match["percent"] == "百" else value_of(match["percent"])
    return None if value is None else number_at(text, *match.span(), value, "%")


def _fraction(text: str, match: Match) -> Number | None:
    if match["denominator"]:
        above, below = value_of(match["numerator"]), value_of(match["denominator"])
    else:
        above, below = map(float, match[0].split("/"))
    if above is None or not below or above >= below:
        return None
    return number_at(text, *match.span(), round(100 * above / below, 1), "%")


def _clock(text: str, match: Match) -> Number | None:
    hour = int(match["hour"]) + int(match["minute"]) / 60
    return number_at(text, *match.span(), hour_of_day(hour, match["meridiem"]), "clock")


def _half(text: str, match: Match) -> Number | None:
    start, end = match.span()
    if match["half"] == "in half":
        return number_at(text, start, end, 50, "share")
    if duration := HALF_DURATION.match(text, end):
        return number_at(text, start, duration.end(), 0.5, duration.lastgroup or "")
    moved = HALF_PLACE.match(text, end) or text.endswith(tuple("到开关拉降升调减"), 0, start)
    if (match["half"] == "半" and not moved) or APART.match(text, end):
        return None
    return number_at(text, start, end, 50, "%")


def _numeral(text: str, match: Match) -> Number | None:
    """A numeral in digits or Chinese characters, with sign, decimals, magnitude and unit."""
    plain = match["digits"] or match["zh"]
    value = value_of(plain)
    if value is None:
        # The first of ``一二楼``; the second is found after it.
        if len(plain) != 2 or not text.startswith(("楼", "层"), match.end()):
            return None
        return number_at(text, match.start(), match.start() + 1, DIGITS[plain[0]], "floor")
    if tenth := TENTH.match(text, match.end()):
        return _tenths(text, match, value, tenth)
    if text.startswith("点", match.end()):
        number = _point(text, match, value)
        if number or plain == "一":  # 一点 alone is a little
            return number
    if text.startswith(" and a half ", match.end()):
        return _with_unit(text, match, value + 0.5, match.end() + len(" and a half"))
    return _with_unit(text, match, value, match.end())


def _with_unit(text: str, match: Match, value: float, end: int) -> Number | None:
    signed = -value if match["sign"] else value
    script: Script = "digits" if match["digits"] else "chinese"
    return number_with_unit(text, Numeral(match.start(), end, signed, script))


def _tenths(text: str, match: Match, value: float, tenth: Match) -> Number | None:
    """``三成``, ``七成半``."""
    if value > 10:
        return None
    more = 5 if tenth["rest"] == "半" else DIGITS.get(tenth["rest"], 0)
    return number_at(text, match.start(), tenth.end(), value * 10 + more, "%")


def _point(text: str, match: Match, whole: float) -> Number | None:
    """``七点``, ``七点半``, ``7点30`` are times of day; ``六点五`` and ``二十六点五度`` are decimals."""
    tail = CLOCK_TAIL.match(text, match.end())
    if tail is None:
        return None
    if not tail["digits"]:
        return None if match["sign"] else _hour(text, match.start(), whole, tail)
    minutes = value_of(tail["digits"]) or 0
    if whole <= 24 and minutes < 60 and _says_minutes(text, tail):
        return number_at(text, match.start(), tail.end(), whole + minutes / 60, "clock")
    decimal = float(f"{whole:.0f}.{tail['digits'].translate(_DECIMALS)}")
    return _with_unit(text, match, decimal, tail.end())


def _hour(text: str, start: int, whole: float, tail: Match) -> Number | None:
    """``一点`` alone is a little, unless a part of the day makes it one o'clock."""
    a_little = whole == 1 and tail[0] == "点" and not text.endswith(_DAY_PARTS, 0, start)
    if whole > 24 or a_little:
        return None
    return number_at(text, start, tail.end(), whole + _PAST_THE_HOUR.get(tail[0][1:], 0), "clock")


def _says_minutes(text: str, tail: Match) -> bool:
    """``七点三十分``, ``七点零五``, ``7点30``; no unit of degrees or shares follows."""
    digits = tail["digits"]
    if text.startswith(("度", "%", "摄"), tail.end()):
        return False
    return bool(tail["fen"]) or "十" in digits or (len(digits) == 2 and digits[0] in "零〇012345")


def _english_part(text: str, match: Match) -> Number | None:
    """``a third``, ``quarter to eight``, ``half an hour``."""
    share = _SHARES[match["part"][:2]]
    if match["times"]:
        share *= english_value(match["times"]) or 1
    if match["past"]:
        hour = english_value(match["oclock"]) or 0
        return number_at(text, *match.span(), hour + (share if "past" in match["past"] else -share), "clock")
    if match["per"]:
        return number_at(text, *match.span(), share, match["per"])
    return number_at(text, *match.span(), round(100 * share, 1), "%")


def _english(text: str, match: Match) -> Number | None:
    words = match["en"]
    if words.startswith("a couple"):
        value: float | None = 2.0
    else:
        value = 1.0 if words in ("a", "an") else english_value(words)
    if value is None:
        return None
    value += 0.5 if match["plus_half"] else 0
    numeral = Numeral(*match.span(), -value if match["minus"] else value, "english")
    if UNIT.match(text, match.end()):
        return number_with_unit(text, numeral)
    if words in ("a", "an") or (words == "one" and not _one_counts(text, match)):
        return None
    return after_prefix(text, numeral)


def _one_counts(text: str, match: Match) -> bool:
    """``one`` alone is a pronoun, unless a level, a sign or a half says that it counts."""
    if match["minus"] or match["plus_half"] or text.endswith(_LEVELS, 0, match.start()):
        return True
    return text.endswith(_TO, 0, match.start()) and match.end() == len(text)


def _ordinal(text: str, match: Match) -> Number | None:
    led = text.endswith("the ", 0, match.start()) or match["gear"]
    if ADVERB.match(text, match.end()) and not led:
        return None
    unit = "floor" if match["storey"] else "level" if match["gear"] else "ordinal"
    return number_at(text, *match.span(), ORDINALS[match["ordinal"]], unit)


_READERS: dict[str, Callable[[str, Match], Number | None]] = {
    **spoken.READERS,
    "percent": _percent,
    "fraction": _fraction,
    "clock": _clock,
    "half": _half,
    "numeral": _numeral,
    "en_fraction": _english_part,
    "english": _english,
    "ordinal_word": _ordinal,
}
