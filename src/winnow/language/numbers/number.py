"""What is found: a number, and before that the numeral it is written with."""

from __future__ import annotations

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
