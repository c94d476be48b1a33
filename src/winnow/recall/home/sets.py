"""Who belongs to a set expression in one home: base, without minus, but with plus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from winnow.recall.home.devices import Match, fitting_ids, match_devices
from winnow.recall.home.explain import type_word
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.types.query import Mention, SetExpr, Token

COVERS = frozenset({"curtain", "blind", "shade", "awning", "garage_door", "gate"})
"""Kinds that are all covers, and none of another's kind."""


@dataclass(frozen=True, slots=True)
class Members:
    """The devices of one set expression, before anything is judged by its state."""

    found: tuple[Match, ...]
    """What the base may mean and nothing takes away, best first."""
    left_out: frozenset[str]
    """Ids of what is taken away and not taken back."""
    unplaced: tuple[str, ...]
    """Exceptions, and what is taken back, that match nothing, as said."""
    idle: tuple[str, ...] = ()
    """Exceptions that match something, and nothing of what the base means."""


def members(things: SetExpr, here: Standpoint) -> Members:
    """Who belongs to the set. What is taken away is gone before anything is searched (law 4)."""
    taken = [_taken(mention, here) for mention in things.minus]
    back = [fitting_ids(mention.tokens, here) for mention in things.plus]
    meant = match_devices(things.base.tokens, here)
    left_out = _left_out(frozenset[str]().union(*taken).difference(*back), meant, here.index)
    found = tuple(m for m in meant if m.device_id not in left_out)
    said = zip((*things.minus, *things.plus), (*taken, *back), strict=True)
    unplaced = tuple(m.text for m, ids in said if not ids)
    return Members(found, left_out, unplaced, _idle(things, taken, meant, here.index))


def _left_out(ids: frozenset[str], meant: Sequence[Match], index: HomeIndex) -> frozenset[str]:
    """What only its name means is none of an exception, but where a group holds it."""
    return index.spoken(ids) | ids.intersection(m.device_id for m in meant) if index.named else ids


def _idle(
    things: SetExpr, taken: Sequence[set[str]], meant: Sequence[Match], index: HomeIndex
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


def _taken(mention: Mention, here: Standpoint) -> set[str]:
    """What an exception takes away.

    ``Leave the blinds`` does not mean the curtains, unless there is nothing else.
    """
    found = fitting_ids(mention.tokens, here, by_name=False)
    kinds = _kinds(t for t in mention.tokens if t.data.get("plural"))
    return {i for i in found if not _other_cover(i, kinds, here.index)} or found


def _other_cover(device_id: str, kinds: set[str], index: HomeIndex) -> bool:
    """Whether it is a cover first, and of none of the ``kinds`` that were said."""
    return bool(kinds) and not COVERS.isdisjoint(set(index.view.devices[device_id].kinds[:1]) - kinds)
