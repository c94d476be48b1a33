"""Who belongs to a set expression in one home: base, without minus, but with plus."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.recall.home.devices import Match, fitting_ids, match_devices
from winnow.recall.home.explain import type_word
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.types.query import Mention, SetExpr

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
    """Exceptions that match nothing, as said."""


def members(things: SetExpr, here: Standpoint) -> Members:
    """Who belongs to the set. What is taken away is gone before anything is searched (law 4)."""
    taken = [_taken(mention, here) for mention in things.minus]
    back = [fitting_ids(mention.tokens, here) for mention in things.plus]
    meant = match_devices(things.base.tokens, here)
    left_out = frozenset[str]().union(*taken).difference(*back)
    if here.index.named:  # what only its name means is none of an exception, but where a group holds it
        left_out = here.index.spoken(left_out) | left_out.intersection(m.device_id for m in meant)
    found = tuple(m for m in meant if m.device_id not in left_out)
    unplaced = (m.text for m, ids in zip(things.minus, taken, strict=True) if not ids)
    return Members(found, left_out, tuple(unplaced))


def _taken(mention: Mention, here: Standpoint) -> set[str]:
    """What an exception takes away.

    ``Leave the blinds`` does not mean the curtains, unless there is nothing else.
    """
    found = fitting_ids(mention.tokens, here, by_name=False)
    named = (t for t in mention.tokens if t.kind == "type" and t.data.get("plural"))
    kinds = {kind for t in named for kind in type_word(t).kinds}
    return {i for i in found if not _other_cover(i, kinds, here.index)} or found


def _other_cover(device_id: str, kinds: set[str], index: HomeIndex) -> bool:
    """Whether it is a cover first, and of none of the ``kinds`` that were said."""
    return bool(kinds) and not COVERS.isdisjoint(set(index.view.devices[device_id].kinds[:1]) - kinds)
