"""A home with its lookups: what every stage after understanding needs to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from winnow.types.catalog import Command, Device, Floor, Home, Profile, Room, Scene


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

    def room_named(self, text: str) -> Room | None:
        """The room with this id, or this name in whatever case."""
        wanted = text.casefold()
        return self.rooms.get(text) or next(
            (r for r in self.home.rooms if wanted in {n.casefold() for n in (r.name, *r.aliases)}), None
        )


NO_HOME = HomeView.of(Home("", "", "neutral"))
"""The view where there is no home to look at."""
