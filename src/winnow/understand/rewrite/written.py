"""A query in written language, of which what is searched holds more than of speech (seed 002)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from winnow.language.normalise import is_han, language_of
from winnow.language.segment import segment
from winnow.text.tables import table
from winnow.types.dialogue import Language

LONGEST = 300
"""Characters of a query that are read; who writes more writes."""
WORD = 8
"""Characters of the longest word of a search by words."""


def written(query: str) -> str:
    """The query without dialect, slurring and particles, and words put side by side made one phrase.

    No word enters it but those of ``written.yaml``.
    """
    if len(query) > LONGEST:
        return query
    language = language_of(query)
    for spoken, instead in _pairs(language):
        query = spoken.sub(instead, query)
    return _phrase(query) if language == "zh" else query


@cache
def _pairs(language: Language) -> Sequence[tuple[re.Pattern[str], str]]:
    return [(_pattern(spoken, language), instead) for spoken, instead in _rows()[language]]


def _pattern(spoken: str, language: Language) -> re.Pattern[str]:
    if language == "zh":
        return re.compile(spoken)
    return re.compile(rf"(?<![\w'])(?:{spoken})(?![\w'])", re.IGNORECASE)


def _phrase(query: str) -> str:
    """``红烧肉 做法`` as one phrase, where all of it is words between blanks and the last is a thing."""
    *rest, last = query.split() or [""]
    if not rest or not all(map(_is_word, (*rest, last))) or not _is_thing(last):
        return query
    return f"{''.join(rest)}{_rows()['of']}{last}"


def _is_thing(word: str) -> bool:
    return word[-1] in _rows()["endings"] or segment(word)[-1].tag in _rows()["things"]


def _is_word(piece: str) -> bool:
    return len(piece) <= WORD and all(map(is_han, piece))


def _rows() -> dict[str, Any]:
    return cast("dict[str, Any]", table(__package__, "written.yaml"))
