"""Numerals that no unit follows: what stands before them says what they count, or that they count nothing."""

from __future__ import annotations

from winnow.language.numbers.number import Number, Numeral, number_at
from winnow.language.numbers.patterns import BARE, ONE_ALONE

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
