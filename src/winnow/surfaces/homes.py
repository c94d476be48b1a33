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
    lines = []
    for home in homes:
        at = f"{datetime.fromtimestamp(home.imported_at).astimezone():%Y-%m-%d %H:%M}"
        about = encode(home.id), encode(home.name), home.source, f"v{home.version}"
        lines.append("  ".join((*about, f"{home.devices} devices", at)))
    return lines


def tree(home: Home, states: Snapshot) -> list[str]:
    """Its lines: floors, their rooms, the devices in each; then what is in none, then scenes and groups."""
    lines, floors = [f"{encode(home.name)} ({encode(home.id)}, {home.source}, v{home.version})"], set()
    for floor in home.floors:
        floors.add(floor.id)
        lines.append(f"  {encode(floor.name)}")
        lines += _rooms([room for room in home.rooms if room.floor_id == floor.id], home, states, "    ")
    lines += _rooms([room for room in home.rooms if room.floor_id not in floors], home, states, "  ")
    lines += _roomless(home, states)
    lines += [f"  scene {encode(scene.name)}" for scene in home.scenes]
    return lines + [f"  group {encode(group.name)} ({len(group.members)})" for group in home.groups]


def _roomless(home: Home, states: Snapshot) -> Iterator[str]:
    rooms = {room.id for room in home.rooms}
    return (f"  {_device(device, states)}" for device in home.devices if device.room_id not in rooms)


def _rooms(rooms: Iterable[Room], home: Home, states: Snapshot, indent: str) -> Iterator[str]:
    for room in rooms:
        yield f"{indent}{_named(room.name, room.aliases)}"
        yield from (f"{indent}  {_device(d, states)}" for d in home.devices if d.room_id == room.id)


def _device(device: Device, states: Snapshot) -> str:
    kind = f" [{device.kinds[0]}]" if device.kinds else ""
    return _named(device.name, device.aliases) + kind + ("" if states.online(device.id) else " (offline)")


def _named(name: str, aliases: tuple[str, ...]) -> str:
    return f"{encode(name)} ({', '.join(map(encode, aliases))})" if aliases else encode(name)
