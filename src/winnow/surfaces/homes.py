"""Stored homes as text: a list of them, or one as a tree of floors, rooms and devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from winnow.text.encode import encode
from winnow.types.catalog import Device, Home, Room
from winnow.types.imports import HomeInfo


def rows(homes: Iterable[HomeInfo]) -> list[str]:
    """One line per home: id, name, source, version, devices, when it was imported (local time)."""
    return [
        f"{encode(h.id)}  {encode(h.name)}  {h.source}  v{h.version}  {h.devices} devices  {_moment(h.imported_at)}"
        for h in homes
    ]


def tree(home: Home) -> str:
    """Floors, their rooms, the devices in each; then what is in none, then scenes and groups."""
    lines = [f"{encode(home.name)} ({encode(home.id)}, {home.source}, v{home.version})"]
    floors = [(f.name, [r for r in home.rooms if r.floor_id == f.id]) for f in home.floors]
    known = {f.id for f in home.floors}
    for name, rooms in floors:
        lines += [f"  {encode(name)}", *_rooms(rooms, home, "    ")]
    lines += _rooms([r for r in home.rooms if r.floor_id not in known], home, "  ")
    rooms_known = {r.id for r in home.rooms}
    lines += [f"  {_device(d)}" for d in home.devices if d.room_id not in rooms_known]
    lines += [f"  scene {encode(s.name)}" for s in home.scenes]
    lines += [f"  group {encode(g.name)} ({len(g.members)})" for g in home.groups]
    return "\n".join(lines)


def _rooms(rooms: Iterable[Room], home: Home, indent: str) -> Iterator[str]:
    for room in rooms:
        yield f"{indent}{_named(room.name, room.aliases)}"
        yield from (f"{indent}  {_device(d)}" for d in home.devices if d.room_id == room.id)


def _device(device: Device) -> str:
    kind = f" [{device.kinds[0]}]" if device.kinds else ""
    return _named(device.name, device.aliases) + kind + ("" if device.available else " (offline)")


def _named(name: str, aliases: tuple[str, ...]) -> str:
    return f"{encode(name)} ({', '.join(map(encode, aliases))})" if aliases else encode(name)


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"
