"""What the words of a name say the thing is: its kind, or what it does (``words/heads.yaml``).

A thing is what its last word says: ``Oven Light`` and 烤箱灯 are lamps. A word that only says how it gets its
power is passed over: ``Water Heater Plug`` and 热水器插座 heat water.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, cast

from winnow.language.forms import plural
from winnow.language.gazetteer import Entry, Gazetteer, Match, best_cover
from winnow.language.lexicon import surfaces, type_words
from winnow.language.normalise import is_han, normalise
from winnow.language.segment import segment
from winnow.text.tables import table

CARRIERS = frozenset({"carrier", "plug", "switch", "device"})
"""What only says how a thing gets its power."""
_BESIDE = CARRIERS | {"place", "way_out", "fluid", "supply", "other"}
"""What says no more than how it gets its power, which of several it is, where it leads, what flows in it."""


class Told(NamedTuple):
    """What a word of a name says."""

    what: str
    """A canonical kind, or a class of ``heads.yaml``: ``hot``, ``alarm``, ``carrier``, ``none`` ..."""
    word: str


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[Told, ...]:
    """What the words of the name say, in order: of its first part that says what the thing is.

    What stands behind ``in``, ``by`` or a bracket counts only when nothing before it tells.
    """
    passed: tuple[Told, ...] = ()
    for part in _behind().split(normalise(name)):
        told = tuple(_told(part))
        if any(word.what not in _BESIDE for word in told):
            return told
        passed += told
    return passed


def head(name: str) -> Told | None:
    """What the name says the thing is: its last word that is no carrier, else its last word."""
    told = words_of(name)
    return next((word for word in reversed(told) if word.what not in _BESIDE), told[-1] if told else None)


def only_powers(name: str) -> bool:
    """Whether the name says no more than how a thing gets its power: 电源, ``Power``, ``Socket``."""
    told = head(name)
    return told is not None and told.what in CARRIERS


def only_tells_apart(name: str) -> bool:
    """Whether the name says no more than that, or which of several it is: ``Power``, ``Left``, 第二路."""
    told = words_of(name)
    known = bool(told) and all(word.what in CARRIERS | {"place"} for word in told)
    return known or not any(map(str.isalpha, name))


def _heads() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.language", "words/heads.yaml"))


@lru_cache(maxsize=1)
def _behind() -> re.Pattern[str]:
    """What splits a name: a bracket, a comma, an English preposition."""
    words = "|".join(_heads()["before"])
    return re.compile(rf"[()\[\]（）【】,;:/|]|\b(?:{words})\b")


def _told(part: str) -> Iterator[Told]:
    """What the words of this part of a name say, in order; what no word explains may tell by its stem."""
    names = _words()
    for found in best_cover(part, [names.matches(part, at) for at in range(len(part))]):
        start, end = found[:2]
        if isinstance(found, Match) and _ends_a_word(part, found):
            if what := str(found.entry.data["is"]):
                yield Told(what, found.entry.surface)
            continue
        for stem in _stems().finditer(part, start, end):
            yield Told(str(stem.lastgroup), stem[0])


def _ends_a_word(text: str, found: Match) -> bool:
    """Whether the match is a word, or ends one: 器 of 热水器 is none, 热水器 ends 电热水器.

    台灯 does not stand in 阳台灯, nor 灯 in 灯塔.
    """
    if not any(map(is_han, found.entry.surface)):
        return True
    crossing = (w for w in segment(text) if w.start < found.end and found.start < w.end)
    return all(_fits(word.start, word.end, found) for word in crossing)


def _fits(start: int, end: int, found: Match) -> bool:
    """Whether a word of the text lies within the match or ends with it."""
    return (found.start <= start and end <= found.end) or (start <= found.start and end == found.end)


@lru_cache(maxsize=1)
def _stems() -> re.Pattern[str]:
    """Stems of English with their endings, whole words; those of Chinese wherever they stand."""
    classes = _heads()["stems"].items()
    return re.compile("|".join(f"(?P<{what}>{'|'.join(_forms(row))})" for what, row in classes))


def _forms(row: Mapping[str, list[str]]) -> Iterator[str]:
    yield rf"\b(?:{'|'.join(row['en'])})(?:{'|'.join(row['endings'])})?\b"
    yield "|".join(row["zh"])


@lru_cache(maxsize=1)
def _words() -> Gazetteer:
    """The lexicon's words of types and rooms, and those of ``heads.yaml``."""
    kinds = _kinds_of_types()
    said = dict.fromkeys(surfaces("room"), "")
    said |= {surface: kinds[name] for surface, name in surfaces("type").items()}
    said |= dict(_own_words())
    return Gazetteer(Entry(surface, "told", {"is": what}) for surface, what in said.items())


def _own_words() -> Iterator[tuple[str, str]]:
    for what, languages in _heads()["words"].items():
        for language, words in languages.items():
            several = [plural(word) for word in words] if language == "en" else []
            yield from ((normalise(word), what) for word in (*words, *several))


@lru_cache(maxsize=1)
def _kinds_of_types() -> Mapping[str, str]:
    """Type of the lexicon -> the kind that a name with its word means; empty for ``everything``."""
    own: Mapping[str, str] = _heads()["kinds"]
    first = {name: name if name in word.kinds else word.kinds[0] for name, word in type_words().items()}
    return {name: own.get(name) or ("" if kind == "*" else kind) for name, kind in first.items()}
