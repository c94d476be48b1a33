"""What the people of a home say its things are, whatever its platform says."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.types.catalog import Reach

DANGERS = ("none", "heat", "unlock", "open_door", "open_valve", "alarm", "disarm")
"""What a device may be said to risk when it is switched on or opened."""


@dataclass(frozen=True, slots=True)
class Override:
    """Facts about one device, or the names of one room, that outlive every import. Empty: as imported."""

    thing_id: str
    """Of a device or a room."""
    name: str = ""
    aliases: tuple[str, ...] = ()
    """Added to those it has."""
    kinds: tuple[str, ...] = ()
    room_id: str = ""
    danger: str = ""
    """``heat``, ``unlock`` ...: switching it on wants a yes; ``none``: it does not."""
    reach: Reach | None = None
