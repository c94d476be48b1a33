"""How a text marks what it tells: as a change, a correction, an end, as one more, as said before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import cast

from winnow.language.normalise import language_of, normalise
from winnow.text.tables import table


def marks_of(text: str) -> frozenset[str]:
    """Names of the marks of a text: ``changes``, ``ended``, ``further`` ..., and how it is written."""
    plain, language = normalise(text), language_of(text)
    return frozenset(name for name, pattern in _patterns(language).items() if pattern.search(plain))


def without(mark: str, text: str) -> str:
    """A normalised text without the words of a mark: without those that ask."""
    plain = normalise(text)
    return _patterns(language_of(text))[mark].sub(" ", plain)


def listed(name: str, language: str) -> tuple[str, ...]:
    """A list of words of ``marks.yaml``."""
    return tuple(map(str, _table()[language][name]))


@cache
def _patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    """Mark -> pattern; a word of English stands between borders, a part of one as it is."""
    whole, parts = _table()[language], _table()["parts"][language]
    frame = r"(?<![\w'])(?:{})(?!\w)" if language == "en" else "(?:{})"
    found = {name: re.compile(frame.format("|".join(map(str, said)))) for name, said in whole.items()}
    return {**found, **{name: re.compile("|".join(map(str, said))) for name, said in parts.items()}}


@cache
def pattern(name: str, language: str) -> re.Pattern[str]:
    """Another pattern of ``marks.yaml``: people, offices, what may own something."""
    return re.compile(str(_table()["other"][language][name]))


def _table() -> Mapping[str, Mapping[str, Mapping[str, list[str]]]]:
    return cast("Mapping[str, Mapping[str, Mapping[str, list[str]]]]", table(__package__, "marks.yaml"))
