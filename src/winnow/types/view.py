"""A home with its lookups: what every stage after understanding needs to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from winnow.types.catalog import Command, Device, Floor, Group, Home, Profile, Room, Scene


@dataclass(frozen=True, slots=True)
class HomeView:
    """One home by id. Build it once a version with ``HomeView.of``."""

    home: Home
    devices: Mapping[str, Device]
    profiles: Mapping[str, Profile]
    rooms: Mapping[str, Room]
    floors: Mapping[str, Floor]
    scenes: Mapping[str, Scene]

    @classmethod
    def of(cls, home: Home) -> HomeView:
        """The lookups of ``home``."""
        return cls(
            home,
            {d.id: d for d in home.devices},
            {p.id: p for p in home.profiles},
            {r.id: r for r in home.rooms},
            {f.id: f for f in home.floors},
            {s.id: s for s in home.scenes},
        )

    def profile(self, device_id: str) -> Profile:
        """The profile of a device; an empty one when the source named none."""
        device = self.devices[device_id]
        return self.profiles.get(device.profile_id) or Profile(device.profile_id)

    def command(self, device_id: str, key: str) -> Command | None:
        """One command of a device by its key."""
        return next((c for c in self.profile(device_id).commands if c.key == key), None)

    def room(self, device_id: str) -> Room | None:
        """The room of a device or scene."""
        item = self.devices.get(device_id) or self.scenes.get(device_id)
        return self.rooms.get(item.room_id or "") if item else None

    def floor(self, device_id: str) -> Floor | None:
        """The floor of a device."""
        room = self.room(device_id)
        return self.floors.get(room.floor_id or "") if room else None

    def parts(self, device_id: str) -> tuple[Device, ...]:
        """The parts of a device, in the order of the catalog."""
        return tuple(d for d in self.home.devices if d.part_of == device_id)

    def room_named(self, text: str) -> Room | None:
        """The room with this id, or this name in whatever case."""
        wanted = text.casefold()
        return self.rooms.get(text) or next(
            (r for r in self.home.rooms if wanted in {n.casefold() for n in (r.name, *r.aliases)}), None
        )


def group_members(home: Home) -> dict[str, tuple[str, ...]]:
    """Group id -> the ids of the devices in it, those of the groups within it too, each once."""
    groups, known = {g.id: g for g in home.groups}, {d.id for d in home.devices}
    return {g.id: tuple(i for i in _reached(g, groups) if i in known) for g in home.groups}


def _reached(group: Group, groups: Mapping[str, Group]) -> dict[str, None]:
    """What is in a group and no group itself. One that holds itself is gone through once."""
    found: dict[str, None] = {}
    inside, open_groups = {group.id}, [group]
    while open_groups:
        for member in open_groups.pop(0).members:
            if member not in groups:
                found.setdefault(member)
            elif member not in inside:
                inside.add(member)
                open_groups.append(groups[member])
    return found


NO_HOME = HomeView.of(Home("", "", "neutral"))
"""The view where there is no home to look at."""
