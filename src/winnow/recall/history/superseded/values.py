"""Values that can be told by their looks: dates, numbers and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from winnow.language.normalise import normalise
from winnow.language.numbers.numerals import value_of
from winnow.text.patterns import patterns
from winnow.text.tables import table

_NUMERAL = re.compile(r"\d+(?:[.,]\d+)*|[零一二两三四五六七八九十百千万半]+")
_NOT_DIGIT = re.compile(r"\D")
_LOOSE = re.compile(r"[\s,]+|\.(?!\d)|(?<!\d)\.")
"""What spellings of one value differ in; a point between digits counts."""


@lru_cache(maxsize=16384)
def looks(text: str) -> Mapping[str, str]:
    """Kind -> value of what can be told by its looks in normalised ``text``, the first of each kind.

    Two spellings of one value are mostly one text: ``3 pm`` and ``3:00 pm``, ``四十八岁`` and ``48岁``.
    """
    found: dict[str, str] = {}
    for kind, _, _, said in spans(text):
        found.setdefault(kind, said)
    return found


def spans(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Kind, start, end and value of each of them; no two overlap."""
    rest = text
    for kind, pattern in patterns(__package__, "values.yaml").items():
        for match in list(pattern.finditer(rest)):
            if "\0" not in match[0]:
                yield kind, match.start(), match.end(), _same(kind, match[0])
            rest = rest[: match.start()] + "\0" * len(match[0]) + rest[match.end() :]


def _same(kind: str, said: str) -> str:
    """The value in one spelling."""
    if kind == "phone":
        return _NOT_DIGIT.sub("", said)
    if kind == "weekday" and said.isascii():
        return said[:3]
    if kind in {"mail", "link", "code"}:
        return said
    plain = _NUMERAL.sub(lambda number: _number(number[0]), said.replace(":00", ""))
    for said_unit, unit in _units():
        plain = plain.replace(said_unit, unit)
    return _LOOSE.sub("", plain.replace("-", ""))


@cache
def _units() -> tuple[tuple[str, str], ...]:
    """Spelling of a unit -> the one used here, the longest first."""
    listed = (
        (said, unit) for unit, alike in table(__package__, "values.yaml")["units"].items() for said in alike
    )
    return tuple(sorted(listed, key=lambda row: -len(row[0])))


def _number(said: str) -> str:
    value = value_of(normalise(said)) if said else None
    return said if value is None else f"{value:g}"
