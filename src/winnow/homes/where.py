"""Where a reading is taken, by its names and the thing it belongs to (``where.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from winnow.homes.traits import table
from winnow.language.normalise import is_han, normalise
from winnow.types.catalog import Where


def where_by_words(texts: Iterable[str], own: str) -> Where:
    """What the first telling text says: ``室外温度`` outdoor, ``Water temperature`` water; else empty.

    ``own`` is the text that is about the sensor alone: only there ``floor`` means what is stood on, not a
    storey.
    """
    for text in texts:
        said = normalise(text)
        for where, pattern in _patterns().items():
            if pattern.search(said) and (where != "surface" or text == own):
                return where
    return ""


def where_by_kinds(kinds: Iterable[str]) -> Where:
    """Where a sensor of such a thing measures: in a refrigerator, the water of a water heater."""
    known: Mapping[str, Where] = table("where")["kinds"]
    return next((known[kind] for kind in kinds if kind in known), "")


@cache
def _patterns() -> Mapping[Where, re.Pattern[str]]:
    words: Mapping[Where, list[str]] = table("where")["words"]
    return {
        where: re.compile("|".join(re.escape(w) if is_han(w[0]) else rf"\b{re.escape(w)}\b" for w in listed))
        for where, listed in words.items()
    }
