"""The locations, rooms, floors and scenes of a SmartThings account; a home is one location."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from winnow.homes.fields import Row, built
from winnow.homes.floors import floor_of_level
from winnow.homes.smartthings.answers import Answers, distinct
from winnow.types.catalog import Floor, Note, Room, Scene


@dataclass(frozen=True, slots=True)
class Location:
    """The location that becomes the home. Two houses in one would be switched off by one word."""

    id: str = ""
    """Empty: nothing tells, so everything belongs to it."""
    name: str = ""

    def holds(self, row: Row) -> bool:
        """Whether the device, room or scene is here; what names no location is."""
        there = row.text("locationId")
        return not there or not self.id or there == self.id


def location(answers: Answers, devices: Sequence[Row]) -> tuple[Location, tuple[Note, ...]]:
    """The location with most devices, and a note of every other one with how many devices it has."""
    names = {row.text("locationId"): row.text("name") for row in answers.locations}
    counts = Counter(there for row in devices if (there := row.text("locationId")))
    if not counts:
        first = next(iter(names.items()), ("", ""))
        return Location("", first[1]), ()
    (chosen, _), *others = counts.most_common()
    name = names.get(chosen, "")
    notes = (
        Note("ignored", other, names.get(other, ""), f"another location, {count} devices")
        for other, count in others
    )
    return Location(chosen, name), tuple(notes)


def rooms(answers: Answers, here: Location, language: str) -> tuple[dict[str, Room], tuple[Floor, ...]]:
    """Rooms by id, and the floors they are on."""
    # The API knows no floors: a room has the level that somebody wrote down.
    told = {room_id: row.number("floor") for room_id, row in answers.levels.items()}
    levels = {room_id: int(level) for room_id, level in told.items() if level is not None}
    rows = filter(here.holds, distinct(answers.rooms, "roomId"))
    found = {room.id: room for room in built(rows, lambda row: _room(row, levels))}
    used = sorted({levels[room_id] for room_id in found if room_id in levels})
    return found, tuple(floor_of_level(level, language) for level in used)


def _room(row: Row, levels: Mapping[str, int]) -> Room:
    room_id = row.id("roomId")
    floor = f"floor:{levels[room_id]}" if room_id in levels else None
    return Room(id=room_id, name=row.name("name"), floor_id=floor)


def scenes(answers: Answers, here: Location) -> tuple[Scene, ...]:
    """The scenes of the location."""
    rows = filter(here.holds, distinct(answers.scenes, "sceneId"))
    return tuple(built(rows, _scene))


def _scene(row: Row) -> Scene:
    return Scene(id=row.id("sceneId"), name=row.name("sceneName"), command_id="scene-execute")
