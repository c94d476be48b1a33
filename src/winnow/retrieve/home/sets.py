"""Who belongs to a set expression in one home (base - minus + plus), and the one an ordinal counts out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from winnow.language.numbers.find import find_numbers
from winnow.retrieve.home.devices import DeviceMatch, fitting_ids, inferred_matches, match_devices
from winnow.retrieve.home.explain import HomePosition, type_word
from winnow.retrieve.home.index import HomeIndex
from winnow.types.query import PLACE_KINDS, Mention, QueryIR, SetExpr, Token

# The one that is counted: ``the second one of the three-gang switch``, ``第二盏灯``.


_SKIPPED_KINDS = frozenset({"part", "filler", "reference", "conj"})
_LAST_NUMBER = re.compile(r"\d+$")


def ordinal_token(query: QueryIR) -> Token | None:
    """The word that counts out one of what was named; None where there is none (``first, ...``)."""
    if not any(r.kind == "ordinal" for r in query.references):
        return None
    tokens = [t for t in query.tokens if t.kind not in _SKIPPED_KINDS or t.data.get("unit") == "ordinal"]
    for at, token in enumerate(tokens):
        beside = tokens[max(at - 1, 0) : at] + tokens[at + 1 : at + 2]
        if token.data.get("unit") == "ordinal" and any(_is_named(t, query) for t in beside):
            return token
    return None


def _is_named(token: Token, query: QueryIR) -> bool:
    return token.kind not in PLACE_KINDS and any(token.start == t.start for t in query.target.tokens)


def nth_device(place: int, found: Sequence[DeviceMatch], index: HomeIndex) -> list[DeviceMatch]:
    """The part at a place of the one device that was named, else what has the number in its name."""
    fits = [m for m in found if not m.missing]
    wholes = [m for m in fits if m.device_id not in index.parts]
    if len(wholes) == 1 and (parts := _counted_parts(wholes[0].device_id, index)):
        return inferred_matches(_at(place, parts))
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


COVER_KINDS = frozenset({"curtain", "blind", "shade", "awning", "garage_door", "gate"})
"""Kinds that are all covers, and none of another's kind."""


@dataclass(frozen=True, slots=True)
class SetMembers:
    """The devices of one set expression, before anything is judged by its state."""

    found: tuple[DeviceMatch, ...]
    """What the base may mean and nothing takes away, best first."""
    left_out: frozenset[str]
    """Ids of what is taken away and not taken back."""
    unplaced: tuple[str, ...]
    """Exceptions, and what is taken back, that match nothing, as said."""
    idle: tuple[str, ...] = ()
    """Exceptions that match something, and nothing of what the base means."""


def set_members(things: SetExpr, here: HomePosition) -> SetMembers:
    """Who belongs to the set. What is taken away is gone before anything is searched (law 4)."""
    taken = [_excluded_ids(mention, here) for mention in things.minus]
    back = [fitting_ids(mention.tokens, here) for mention in things.plus]
    meant = match_devices(things.base.tokens, here)
    # What only its name means is none of an exception, but where a group holds it
    ids = frozenset[str]().union(*taken).difference(*back)
    left_out = (
        here.index.without_exact_name(ids) | ids.intersection(m.device_id for m in meant)
        if here.index.exact_name_only
        else ids
    )
    found = tuple(m for m in meant if m.device_id not in left_out)
    said = zip((*things.minus, *things.plus), (*taken, *back), strict=True)
    unplaced = tuple(m.text for m, ids in said if not ids)
    return SetMembers(found, left_out, unplaced, _idle_exceptions(things, taken, meant, here.index))


def _idle_exceptions(
    things: SetExpr, taken: Sequence[set[str]], meant: Sequence[DeviceMatch], index: HomeIndex
) -> tuple[str, ...]:
    """The exceptions that take nothing of a kind in a place, though they name some of that kind.

    ``The living-room lights except the desk lamp`` says that one stands there. An exception of another
    kind, or with a place of its own, says only what is not to be touched.
    """
    base = {m.device_id for m in meant if not m.missing}
    if not base or not things.base.places:
        return ()
    kinds = _kinds(things.base.tokens)
    exceptions = zip(things.minus, taken, strict=True)
    lost = (m for m, ids in exceptions if base.isdisjoint(ids) and _any_of(kinds, ids, index))
    return tuple(m.text for m in lost if not m.places)


def _kinds(tokens: Iterable[Token]) -> set[str]:
    """What things are said to be."""
    return {kind for t in tokens if t.kind == "type" for kind in type_word(t).kinds}


def _any_of(kinds: set[str], ids: set[str], index: HomeIndex) -> bool:
    return any(not kinds.isdisjoint(index.view.devices[i].kinds) for i in ids)


def _excluded_ids(mention: Mention, here: HomePosition) -> set[str]:
    """What an exception takes away.

    ``Leave the blinds`` does not mean the curtains, unless there is nothing else.
    """
    found = fitting_ids(mention.tokens, here, by_name=False)
    kinds = _kinds(t for t in mention.tokens if t.data.get("plural"))
    return {i for i in found if not _other_cover(i, kinds, here.index)} or found


def _other_cover(device_id: str, kinds: set[str], index: HomeIndex) -> bool:
    """Whether it is a cover first, and of none of the ``kinds`` that were said."""
    return bool(kinds) and not COVER_KINDS.isdisjoint(set(index.view.devices[device_id].kinds[:1]) - kinds)
