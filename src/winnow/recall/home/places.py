"""Which devices stand in a zone: here, upstairs, outdoors, in the whole home."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.recall.home.words import words
from winnow.types.catalog import Floor


def in_zone(zone: str, here: Standpoint) -> Collection[str]:
    """The devices of a zone, by its canonical name."""
    index = here.index
    if zone in {"home", "indoor"}:
        return index.all_ids
    if zone == "here":
        return here.beside
    if zone == "outdoor":
        return {i for room in _outdoor_rooms(index) for i in index.by_room.get(room, ())}
    return {i for floor in floors_of(zone, here) for i in index.by_floor.get(floor, ())}


def floors_of(zone: str, here: Standpoint) -> list[str]:
    """Ids of the speaker's floor (``this_floor``), or of the floors above (``upstairs``) or below it.

    Without a speaker, above or up to the ground floor.
    """
    own = here.room.floor_id if here.room else None
    if zone == "this_floor":
        return [own] if own else []
    levels = _levels(here.index.home.floors)
    if own not in levels:
        return _from_the_ground(zone, levels)
    level = levels[own]
    return [floor for floor, n in levels.items() if (n > level if zone == "upstairs" else n < level)]


def _from_the_ground(zone: str, levels: Mapping[str, int]) -> list[str]:
    ground = min((n for n in levels.values() if n >= 0), default=0)
    return [floor for floor, n in levels.items() if (n > ground) == (zone == "upstairs")]


def _levels(floors: Sequence[Floor]) -> dict[str, int]:
    return {
        f.id: _level_by_name(f.name, order) if f.level is None else f.level for order, f in enumerate(floors)
    }


def _level_by_name(name: str, order: int) -> int:
    text = name.lower()
    for level, held in words()["levels"].items():
        if any(word in text for word in held):
            return int(level)
    return order + 1


def _outdoor_rooms(index: HomeIndex) -> list[str]:
    outdoor = words()["outdoor"]
    return [r.id for r in index.home.rooms if any(word in r.name.lower() for word in outdoor)]
