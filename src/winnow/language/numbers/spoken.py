"""Numbers as they are spoken.

Hundreds left out, digit by digit, below zero, by dozens, and what only sounds like a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from winnow.language.numbers.numerals import (
    HEARD,
    VAGUE,
    WORDS,
    Number,
    Numeral,
    chinese_value,
    english_value,
    number_at,
)
from winnow.language.numbers.patterns import ENGLISH, TWO, D
from winnow.language.numbers.units import number_with_unit

Match = re.Match[str]
Reader = Callable[[str, Match], Number | None]

_ONE = "(?:" + "|".join(w for w in WORDS if 0 < WORDS[w] < 10) + ")"
_DIGIT = f"(?:{_ONE}|zero|oh|nought)"
_DECADE = "(?:" + "|".join(w for w in WORDS if WORDS[w] >= 20) + ")"
_TEEN = "(?:" + "|".join(w for w in WORDS if 10 <= WORDS[w] < 20) + ")"
_SOUNDS = "(?:" + "|".join(HEARD) + ")"
_PER = r"(?:%|per ?cent\w*|pct\b)"
_MEASURE = rf"(?={_PER}| (?:{_PER}|degrees?\b))"
_TIMED = r"(?! (?:minutes?|hours?|seconds?|times?|percent|per cent|lamps?|lights?|more)\b)"
_SHUT = r"(?=\s*(?:$|[.,!?;]))"
_WITH = r"(?:度|[档挡格级成趴]|%|个点|巴仙|percent)"

# A numeral one may doubt: with what makes it so, before or behind, and the unit.
_DOUBTED = (
    rf"(?<![\w.])(?:\d+|{ENGLISH})(?:[- ]odd|-?ish| or so)\b(?: ?(?:{_PER}|degrees?\b|notch(?:es)?\b))?"
    rf"|(?<![\w])(?:a few|several) (?:degrees?|notch(?:es)?|steps?|levels?|per ?cent|percent)\b"
    rf"|(?:[{D}]?[百十]|[1-9]0)(?:[来多]|几(?!点))(?:{_WITH}|(?=$|[,。.!吧]))"
    rf"|十几{_WITH}"
    rf"|(?P<near>[一二两三四五六七八九]{{2}})(?:十?{_WITH}|十(?=$|[,。.!吧]))"
    r"|一?[大小多]半(?![天夜年个])"
)
WAYS = (
    rf"\b(?P<above>{TWO}) out of (?P<below>{TWO}|a hundred|one hundred)\b(?P<out_of>)",
    r"\b(?P<part_above>one|two|three) by (?P<part_below>two|three|four|five)\b(?P<by_parts>)",
    (
        rf"\b(?P<bare_hundreds>{_ONE})[ -](?P<more>{_DECADE}(?:[ -]{_ONE})?|{_TEEN}|oh {_ONE})\b"
        rf"{_TIMED}(?P<hundreds>)"
    ),
    rf"\b(?P<digits_said>(?:double )?{_DIGIT}(?: (?:double )?{_DIGIT})+)\b{_MEASURE}(?P<digit_by_digit>)",
    rf"\b(?P<doubled>double {_DIGIT})\b{_MEASURE}(?P<double_digit>)",
    rf"\b(?P<tens>{_DECADE})[ -](?P<ones>{_SOUNDS})\b(?:{_MEASURE}|(?<=ate|won){_SHUT})(?P<sounds_like>)",
    rf"\b(?P<heard_alone>(?:for|four) tea|won hundred|{_SOUNDS})\b(?= {_PER})(?P<heard_so>)",
    rf"\b(?P<dozens>half a|an?|{TWO}) dozen\b(?P<by_dozens>)",
    rf"\b(?P<frozen>{ENGLISH})(?: degrees?)? (?:below|under) (?:zero|nought|freezing)\b(?P<below_zero>)",
    rf"(?<=to )(?P<frozen_so>{ENGLISH})(?: degrees?)? below{_SHUT}(?P<below_it>)",
    rf"(?<!\w )\bpoint (?P<tenths>{_ONE})\b(?P<only_point>)",
    rf"(?<=to )point (?P<tenths_to>{_ONE})\b(?P<to_point>)",
    r"\b(?:fifty[ -]fifty|half and half|halfway mark|midway|half ?way up)\b(?P<middling>)",
    r"\bcent per cent\b(?P<whole>)",
    r"(?:一半的一半|half of half|half of a half)(?P<quarter_of>)",
    r"(?P<spaced>(?<![\d.])\d(?: \d)+(?:\.\d)?)(?= ?(?:%|percent|per cent|度|degrees?\b|°))(?P<spread>)",
    r"(?:(?<=to )|(?<=[到成为至]))(?P<spaced_to>\d(?: \d)+)(?=\s*(?:$|[.,!?。]))(?P<spread_to>)",
    rf"(?P<eighteen>幺[{D}]+)(?=度|%|$|[,。.!])(?P<by_phone>)",
    rf"(?P<dozens_zh>半|[{D}十])打(?![开关折])(?P<of_twelve>)",
    rf"(?:{_DOUBTED})(?P<doubted>)",
)
"""One alternative per way; the last group that matched names the reader."""

HINT = (
    r"[廿卅幺几打多来]|\b(?:dozen|odd|few|several|point|midway|nought|nil|cent|ninty|fitty|turty|tirteen)\b|ish\b"
    rf"|\b{_SOUNDS} (?:per|hundred|tea)"
)
"""What besides a numeral may begin one of these."""


def _amount(text: str, match: Match, value: float) -> Number | None:
    """The value with the unit that follows."""
    return number_with_unit(text, Numeral(*match.span(), value, "digits"))


def _ratio(above: str, below: str) -> Reader:
    def read(text: str, match: Match) -> Number | None:
        part, whole = english_value(match[above]), english_value(match[below])
        if part is None or not whole or part > whole:
            return None
        return number_at(text, *match.span(), round(100 * part / whole, 1), "%")

    return read


_CLOCKED = ("at ", "by ", "until ", "till ", "before ", "after ", "past ", "from ", "for ", "around ")


def _hundreds(text: str, match: Match) -> Number | None:
    """``three fifty`` is 350; behind ``at`` a time of day."""
    first, rest = WORDS[match["bare_hundreds"]], english_value(match["more"].removeprefix("oh ")) or 0
    if text.endswith(_CLOCKED, 0, match.start()):
        return number_at(text, *match.span(), first + rest / 60, "clock") if rest < 60 else None
    return _amount(text, match, 100 * first + rest)


def _digits(group: str) -> Reader:
    """``two five`` is 25, ``double five`` 55."""

    def read(text: str, match: Match) -> Number | None:
        written = ""
        times = 1
        for word in match[group].split():
            if word == "double":
                times = 2
                continue
            written += str(WORDS.get(word, 0)) * times
            times = 1
        return _amount(text, match, float(written))

    return read


def _heard_alone(text: str, match: Match) -> Number | None:
    words = match["heard_alone"]
    value = 40 if words.endswith("tea") else 100 if words.endswith("hundred") else HEARD[words]
    return _amount(text, match, value)


def _dozens(text: str, match: Match) -> Number | None:
    said = match["dozens"]
    times = 0.5 if said == "half a" else 1 if said in {"a", "an"} else english_value(said)
    return None if times is None else _amount(text, match, 12 * times)


def _below(group: str) -> Reader:
    def read(text: str, match: Match) -> Number | None:
        value = english_value(match[group])
        return None if value is None else number_at(text, *match.span(), -value, "degree")

    return read


def _tenth(group: str) -> Reader:
    return lambda text, match: _amount(text, match, WORDS[match[group]] / 10)


def _share(percent: float) -> Reader:
    return lambda text, match: number_at(text, *match.span(), percent, "%")


def _spread(group: str) -> Reader:
    """``4 0 %``: a recogniser that writes digit by digit."""
    return lambda text, match: _amount(text, match, float(match[group].replace(" ", "")))


def _by_phone(text: str, match: Match) -> Number | None:
    value = chinese_value(match["eighteen"])
    return None if value is None else number_with_unit(text, Numeral(*match.span(), value, "chinese"))


def _twelves(text: str, match: Match) -> Number | None:
    times = 0.5 if match["dozens_zh"] == "半" else chinese_value(match["dozens_zh"])
    return None if times is None else number_at(text, *match.span(), 12 * times)


def _doubtful_number(text: str, match: Match) -> Number | None:
    """Adjacent digits alone are vague (``两三格``); ``一二`` further apart is a spelling."""
    near = match["near"]
    values = [chinese_value(c) or 0 for c in near] if near else []
    if values and not 0 < values[1] - values[0] <= 2:
        return None
    return number_at(text, *match.span(), 0.0, VAGUE)


READERS: dict[str, Reader] = {
    "out_of": _ratio("above", "below"),
    "by_parts": _ratio("part_above", "part_below"),
    "hundreds": _hundreds,
    "digit_by_digit": _digits("digits_said"),
    "double_digit": _digits("doubled"),
    "sounds_like": lambda text, match: _amount(text, match, WORDS[match["tens"]] + HEARD[match["ones"]]),
    "heard_so": _heard_alone,
    "by_dozens": _dozens,
    "below_zero": _below("frozen"),
    "below_it": _below("frozen_so"),
    "only_point": _tenth("tenths"),
    "to_point": _tenth("tenths_to"),
    "middling": _share(50),
    "whole": _share(100),
    "quarter_of": _share(25),
    "spread": _spread("spaced"),
    "spread_to": _spread("spaced_to"),
    "by_phone": _by_phone,
    "of_twelve": _twelves,
    "doubted": _doubtful_number,
}
"""Name of the way -> who reads it."""
