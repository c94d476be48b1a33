"""A home as imported -> the home as its people say it is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from winnow.errors import NoSuchThing
from winnow.types.home import Device, Home, HomeView, Override, Room

MAX_SUGGESTIONS = 3
"""Things named that may have been meant."""
OVERRIDE_REASON = "said"
"""How the reasons of a device call what its people said of it."""


def with_overrides(home: Home, overrides: Iterable[Override]) -> Home:
    """The home with what was said of its things; the same home when nothing was.

    What is said of a thing that the home has no more waits until it is there again.
    """
    said = {o.thing_id: o for o in overrides}
    if not said:
        return home
    rooms = tuple(_override_room(room, said) for room in home.rooms)
    known = {room.id for room in rooms}
    return replace(home, rooms=rooms, devices=tuple(_override_device(d, said, known) for d in home.devices))


def find_thing(home: Home, named: str) -> Device | Room:
    """The device or room of that id, of that name, or of ``room/name``. Raises NoSuchThing."""
    view, wanted = HomeView.of(home), named.casefold()
    if known := view.devices.get(named) or view.rooms.get(named):
        return known
    things: tuple[Device | Room, ...] = (*home.devices, *home.rooms)
    called = {_thing_path(thing, view): thing for thing in things}
    found = [t for path, t in called.items() if wanted in {path.casefold(), t.name.casefold()}]
    if len(found) == 1:
        return found[0]
    if found:
        raise NoSuchThing(home.id, named, [_thing_path(t, view) for t in found], several=True)
    raise NoSuchThing(home.id, named, get_close_matches(named, called, MAX_SUGGESTIONS, 0.4))


def merge_override(known: Sequence[Override], new: Override) -> tuple[Override, ...]:
    """All that was said, with what is said of one thing now: what it leaves empty stays as it was."""
    before = next((o for o in known if o.thing_id == new.thing_id), Override(new.thing_id))
    both = Override(
        new.thing_id,
        new.name or before.name,
        _join_unique(before.aliases, new.aliases),
        new.kinds or before.kinds,
        new.room_id or before.room_id,
        new.danger or before.danger,
        new.reach or before.reach,
    )
    return (*without_override(known, new.thing_id), both)


def without_override(known: Sequence[Override], thing_id: str) -> tuple[Override, ...]:
    """All that was said but of this thing."""
    return tuple(o for o in known if o.thing_id != thing_id)


def _thing_path(thing: Device | Room, view: HomeView) -> str:
    room = view.room(thing.id) if isinstance(thing, Device) else None
    return f"{room.name}/{thing.name}" if room else thing.name


def _override_room(room: Room, said: Mapping[str, Override]) -> Room:
    told = said.get(room.id)
    if told is None:
        return room
    return replace(room, name=told.name or room.name, aliases=_join_unique(room.aliases, told.aliases))


def _override_device(device: Device, said: Mapping[str, Override], rooms: set[str]) -> Device:
    told = said.get(device.id)
    if told is None:
        return device
    facts = {"kind": " ".join(told.kinds), "danger": told.danger, "reach": told.reach or ""}
    reasons = tuple(f"{OVERRIDE_REASON} {name} {value}" for name, value in facts.items() if value)
    return replace(
        device,
        name=told.name or device.name,
        aliases=_join_unique(device.aliases, told.aliases),
        kinds=told.kinds or device.kinds,
        room_id=told.room_id if told.room_id in rooms else device.room_id,
        danger=told.danger or device.danger,
        reach=told.reach or device.reach,
        reasons=_join_unique(device.reasons, reasons),
    )


def _join_unique(known: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))
