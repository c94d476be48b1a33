"""What a name tells of a thing: its kind, and the risk of switching it on (``evidence.yaml``).

A thing is what its last word says: ``Oven Light`` and 烤箱灯 are lamps. A word that only says how it gets its
power is passed over: ``Water Heater Plug`` and 热水器插座 heat water.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, cast

from winnow.homes.traits import Table, with_parents
from winnow.language.forms import plural
from winnow.language.gazetteer import Entry, Gazetteer, Match, best_cover
from winnow.language.lexicon import surfaces, type_words
from winnow.language.normalise import is_han, normalise
from winnow.language.segment import segment
from winnow.text.tables import table

CARRIERS = frozenset({"carrier", "plug", "switch", "device"})
"""What only says how a thing gets its power."""
_NO_KIND = frozenset({"hot", "carrier", "none"})


class Told(NamedTuple):
    """What a word of a name says."""

    what: str
    """A canonical kind, ``hot``, ``carrier``, ``none``; empty for the name of a room."""
    word: str


def kinds_by_name(names: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """The kinds that the first telling name tells, most specific first, and the reason: ``name kettle``.

    ``((), "")`` when no name tells. Of a carrier what hangs on it: ``("kettle",)`` for ``Kettle Plug``.
    """
    for name in names:
        told = _head(name)
        if told and told.what not in _NO_KIND:
            return with_parents([told.what]), f"name {told.word}"
    return (), ""


def danger_of(kinds: Iterable[str], names: Iterable[str]) -> tuple[str, str]:
    """The risk of switching on a thing of these kinds that its names tell, and the reason: ``name kettle``.

    ``heat``, ``unlock``, ``open_door``, ``open_valve``, ``alarm``, or ``("", "")``. Only things whose kinds
    say little are judged by their names: a plug, a switch, a cover of no class; never a lamp or a sensor.
    """
    if not set(kinds) <= set(_evidence()["open"]):
        return "", ""
    for name in names:
        told = _head(name)
        if told and told.what in _evidence()["danger"]:
            return _evidence()["danger"][told.what], f"name {told.word}"
    return "", ""


def only_powers(name: str) -> bool:
    """Whether the name says no more than how a thing gets its power: 电源, ``Power``, ``Socket``."""
    told = _head(name)
    return told is not None and told.what in CARRIERS


def _evidence() -> Table:
    return cast("Table", table("winnow.homes", "evidence.yaml"))


@lru_cache(maxsize=4096)
def _head(name: str) -> Told | None:
    """What the name says the thing is: its last word that is no carrier, else its last word.

    What stands behind ``in``, ``by`` or a bracket counts only when nothing before it tells.
    """
    carrier = None
    for part in _behind().split(normalise(name)):
        told = [t for t in _told(part) if t.what]
        substance = [t for t in told if t.what not in CARRIERS]
        if substance:
            return substance[-1]
        carrier = carrier or (told[-1] if told else None)
    return carrier


@lru_cache(maxsize=1)
def _behind() -> re.Pattern[str]:
    """What splits a name: a bracket, a comma, an English preposition."""
    words = "|".join(_evidence()["before"])
    return re.compile(rf"[()\[\]（）【】,;:/|]|\b(?:{words})\b")


def _told(part: str) -> Iterator[Told]:
    """What the words of this part of a name say, in order."""
    names = _words()
    cover = best_cover(part, [names.matches(part, at) for at in range(len(part))])
    for found in cover:
        if isinstance(found, Match) and _ends_a_word(part, found):
            yield Told(str(found.entry.data["is"]), found.entry.surface)


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
def _words() -> Gazetteer:
    """The lexicon's words of types and rooms, and those of ``evidence.yaml``."""
    kinds = _kinds_of_types()
    said = dict.fromkeys(surfaces("room"), "")
    said |= {surface: kinds[name] for surface, name in surfaces("type").items()}
    said |= dict(_own_words())
    return Gazetteer(Entry(surface, "told", {"is": what}) for surface, what in said.items())


def _own_words() -> Iterator[tuple[str, str]]:
    for what, languages in _evidence()["words"].items():
        for language, words in languages.items():
            several = [plural(word) for word in words] if language == "en" else []
            yield from ((normalise(word), what) for word in (*words, *several))


@lru_cache(maxsize=1)
def _kinds_of_types() -> Mapping[str, str]:
    """Type of the lexicon -> the kind that a name with its word means; empty for ``everything``."""
    own: Mapping[str, str] = _evidence()["kinds"]
    first = {name: name if name in word.kinds else word.kinds[0] for name, word in type_words().items()}
    return {name: own.get(name) or ("" if kind == "*" else kind) for name, kind in first.items()}
