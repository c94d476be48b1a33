"""The one that is counted: ``the second one of the three-gang switch``, ``第二盏灯``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from winnow.language.numbers import find_numbers
from winnow.recall.home.devices import Match, inferred
from winnow.recall.home.index import HomeIndex
from winnow.types.query import PLACE_KINDS, QueryIR, Token

_BETWEEN = frozenset({"part", "filler", "reference", "conj"})
_LAST_NUMBER = re.compile(r"\d+$")


def ordinal_of(query: QueryIR) -> Token | None:
    """The word that counts out one of what was named; None where there is none (``first, ...``)."""
    if not any(r.kind == "ordinal" for r in query.references):
        return None
    tokens = [t for t in query.tokens if t.kind not in _BETWEEN or t.data.get("unit") == "ordinal"]
    for at, token in enumerate(tokens):
        beside = tokens[max(at - 1, 0) : at] + tokens[at + 1 : at + 2]
        if token.data.get("unit") == "ordinal" and any(_is_named(t, query) for t in beside):
            return token
    return None


def _is_named(token: Token, query: QueryIR) -> bool:
    return token.kind not in PLACE_KINDS and any(token.start == t.start for t in query.target.tokens)


def counted_out(place: int, found: Sequence[Match], index: HomeIndex) -> list[Match]:
    """The part at a place of the one device that was named, else what has the number in its name."""
    fits = [m for m in found if not m.missing]
    wholes = [m for m in fits if m.device_id not in index.parts]
    if len(wholes) == 1 and (parts := _counted_parts(wholes[0].device_id, index)):
        return inferred(_at(place, parts))
    return [m for m in fits if _number_of(m.device_id, index) == place]


def _counted_parts(device_id: str, index: HomeIndex) -> list[str]:
    """Those parts of a device that are told things, in the order of the catalog."""
    parts = index.view.parts(device_id)
    return [p.id for p in parts if p.reach == "spoken" and index.view.profile(p.id).commands]


def _at(place: int, parts: Sequence[str]) -> list[str]:
    at = place - 1 if place > 0 else place
    return [parts[at]] if -len(parts) <= at < len(parts) else []


def _number_of(device_id: str, index: HomeIndex) -> int | None:
    """The number that one of its names ends with: ``灯2``, ``lamp two``."""
    device = index.view.devices[device_id]
    numbers = (_number_in(name) for name in (device.name, *device.aliases))
    return next((number for number in numbers if number is not None), None)


def _number_in(name: str) -> int | None:
    if digits := _LAST_NUMBER.search(name):
        return int(digits[0])
    numbers = [n for n in find_numbers(name.lower()) if n.end == len(name)]
    return int(numbers[-1].value) if numbers else None
