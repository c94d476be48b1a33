"""Whose room a room is, where its name tells: 阿婆房间, ``Dee's Room``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from winnow.language import lexicon
from winnow.language.gazetteer import Entry
from winnow.language.little import little
from winnow.language.normalise import is_han
from winnow.types.catalog import Home, Room

ROOM, OWNER = 1.15, 0.95
"""Claims of another name for the room, and of the owner for what is in it."""


def owned(home: Home, room: Room, surfaces: Iterable[str]) -> Iterator[Entry]:
    """``阿婆屋里`` for 阿婆房间, and ``阿婆的`` things; ``surfaces``: what the room is called."""
    owners = {owner for surface in surfaces if (owner := _owner(surface)) not in _language_words()}
    inside = tuple(d.id for d in home.devices if d.room_id == room.id) if any(owners) else ()
    for owner in filter(None, owners):
        yield from (Entry(owner + end, "room", {"home": True}, (room.id,), ROOM) for end in _ends(owner))
        whose = owner if is_han(owner[-1]) else f"{owner}'s"
        yield Entry(whose, "nameword", {"owner": True}, inside, OWNER)


def _ends(owner: str) -> list[str]:
    """What a room of somebody is called behind the name."""
    return [end for end in little("room_endings") if is_han(end[-1]) == is_han(owner[-1])]


def _owner(surface: str) -> str:
    """Whose room it is, where its name tells; empty for a room that the language has a word for."""
    if surface in lexicon.surfaces("room"):
        return ""
    owner = next((surface.removesuffix(end) for end in little("room_endings") if surface.endswith(end)), "")
    return owner if len(owner) > 1 else ""


@lru_cache(maxsize=1)
def _language_words() -> frozenset[str]:
    return frozenset(e.surface for e in lexicon.entries())
