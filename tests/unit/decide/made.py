"""Small homes for the question which thing is meant: rows of id, name, kind and room."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.types.home import Attribute, Command, Device, Home, Parameter, Profile, Room

ONOFF = (Command("on", "Switch.On"), Command("off", "Switch.Off"))
PLAYS = (
    *ONOFF,
    Command("pause", "Playback.Pause"),
    Command("play", "Playback.Play"),
    Command("next", "Playback.Next"),
    Command("mute", "Mute.On"),
    Command("volume", "Volume.Set", "volume", (Parameter("value", "number", 0, 100, "%"),)),
)
TOLD = (Attribute("state", "playback"), Attribute("level", "volume", unit="%"))
PROFILES = {
    "speaker": Profile("speaker", PLAYS, TOLD),
    "television": Profile("television", PLAYS, TOLD),
    "plain": Profile("plain", ONOFF, (Attribute("switch", "switch"),)),
}
Row = tuple[str, str, str, str]


def home(*rows: Row, tags: Mapping[str, tuple[str, ...]] | None = None) -> Home:
    """A home of these devices; what is no player is switched on and off."""
    rooms = {room: Room(room, room) for *_, room in rows}
    devices = tuple(_device(*row, (tags or {}).get(row[0], ())) for row in rows)
    return Home(
        "made",
        "made",
        "neutral",
        rooms=tuple(rooms.values()),
        devices=devices,
        profiles=tuple(PROFILES.values()),
    )


def _device(device_id: str, name: str, kind: str, room: str, tags: tuple[str, ...]) -> Device:
    profile = kind if kind in PROFILES else "plain"
    return Device(device_id, name, profile, (kind,), room_id=room, tags=tags)
