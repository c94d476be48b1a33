"""Stored homes as text: a list of them, or one as a tree of floors, rooms and devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from winnow.text.encode import encode
from winnow.types.catalog import Device, Home, Room
from winnow.types.imports import HomeInfo
from winnow.types.state import Snapshot


def rows(homes: Iterable[HomeInfo]) -> list[str]:
    """One line per home: id, name, source, version, devices, when it was imported (local time)."""
    return ["  ".join(_columns(home)) for home in homes]


def tree(home: Home, states: Snapshot) -> list[str]:
    """Its lines: floors, their rooms, the devices in each; then what is in none, then scenes and groups."""
    return [
        f"{encode(home.name)} ({encode(home.id)}, {home.source}, v{home.version})",
        *_placed(home, states),
        *_homeless(home, states),
        *(f"  scene {encode(s.name)}" for s in home.scenes),
        *(f"  group {encode(g.name)} ({len(g.members)})" for g in home.groups),
    ]


def _columns(home: HomeInfo) -> tuple[str, ...]:
    named = encode(home.id), encode(home.name)
    return (*named, home.source, f"v{home.version}", f"{home.devices} devices", _moment(home.imported_at))


def _placed(home: Home, states: Snapshot) -> Iterator[str]:
    """Floors with their rooms, then the rooms of no floor."""
    for floor in home.floors:
        yield f"  {encode(floor.name)}"
        yield from _rooms([r for r in home.rooms if r.floor_id == floor.id], home, states, "    ")
    floors = {floor.id for floor in home.floors}
    yield from _rooms([r for r in home.rooms if r.floor_id not in floors], home, states, "  ")


def _homeless(home: Home, states: Snapshot) -> Iterator[str]:
    """The devices of no room."""
    rooms = {room.id for room in home.rooms}
    return (f"  {_device(d, states)}" for d in home.devices if d.room_id not in rooms)


def _rooms(rooms: Iterable[Room], home: Home, states: Snapshot, indent: str) -> Iterator[str]:
    for room in rooms:
        yield f"{indent}{_named(room.name, room.aliases)}"
        yield from (f"{indent}  {_device(d, states)}" for d in home.devices if d.room_id == room.id)


def _device(device: Device, states: Snapshot) -> str:
    kind = f" [{device.kinds[0]}]" if device.kinds else ""
    return _named(device.name, device.aliases) + kind + ("" if states.online(device.id) else " (offline)")


def _named(name: str, aliases: tuple[str, ...]) -> str:
    return f"{encode(name)} ({', '.join(map(encode, aliases))})" if aliases else encode(name)


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"
