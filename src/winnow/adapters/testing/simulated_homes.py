"""A made-up home of any size, the same for the same seed: for speed tests, charts and demonstrations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from winnow.adapters.platforms.traits import floor_of_level, with_parents
from winnow.language.tables import table
from winnow.types.home import (
    Attribute,
    Choice,
    Command,
    Device,
    Home,
    Parameter,
    Profile,
    Room,
    Scalar,
    Scene,
)
from winnow.types.state import ImportedHome, Snapshot

_PER_ROOM = 12
"""Devices in a room; a home of 3,000 has 250 rooms."""
_PER_FLOOR = 15
"""Rooms on a floor."""


def simulated_home(devices: int, seed: int = 0, language: str = "zh") -> ImportedHome:
    """A home of exactly ``devices`` devices, 12 a room and 15 rooms a floor, of 16 profiles.

    Every name is unique within its room; every device reports something.
    """
    # One generator for all choices: the same seed gives the same home.
    rng = random.Random(seed)
    english = language == "en"
    # The number of each device's make, as often as such things are found in homes
    often = [make["often"] for make in _data()["makes"]]
    numbers = rng.choices(range(len(often)), weights=often, k=devices)
    rooms = [_room(i, english) for i in range(_shares(devices, _PER_ROOM))]
    built = list(_devices(numbers, rooms, rng, english))
    floors = tuple(floor_of_level(level, language) for level in range(1, _shares(len(rooms), _PER_FLOOR) + 1))
    home = Home(
        id=f"simulated-{devices}-{seed}",
        name=f"{devices}",
        source="neutral",
        floors=floors,
        rooms=tuple(rooms),
        profiles=tuple(map(_profile, range(len(_data()["makes"])))),
        devices=tuple(device for device, _ in built),
        scenes=tuple(_scenes(english)),
    )
    return ImportedHome(home, Snapshot({device.id: states for device, states in built}, source="simulated"))


def _data() -> Mapping[str, Any]:
    found: Mapping[str, Any] = table("winnow.adapters.testing", "houses.yaml")
    return found


def _shares(things: int, each: int) -> int:
    """How many it takes when each holds so many things."""
    return -(-things // each)


def _room(index: int, english: bool) -> Room:
    """The n-th room; from the second floor on its name tells the floor, so no two are alike."""
    floor, place = divmod(index, _PER_FLOOR)
    name = _data()["rooms"][place][english]
    if floor:
        name = f"{name} {floor + 1}" if english else f"{floor_of_level(floor + 1, 'zh').name}{name}"
    return Room(id=f"room:{index}", name=name, floor_id=f"floor:{floor + 1}")


def _profile(index: int) -> Profile:
    make = _data()["makes"][index]
    commands: list[Command] = []
    for can in make["can"]:
        for name, told in _data()["abilities"][can].items():
            parameters: list[Parameter] = []
            if "number" in told:
                parameters.append(Parameter("value", "number", *told["number"]))
            if "choice" in told:
                parameters.append(Parameter("value", "choice", choices=tuple(map(Choice, told["choice"]))))
            commands.append(Command(name, told["trait"], told["text"], tuple(parameters)))
    attributes = [
        Attribute(id=quantity, quantity=quantity, text=quantity.replace("_", " "), unit=unit)
        for quantity, unit in make["tells"].items()
    ]
    return Profile(id=f"profile:{index}", commands=tuple(commands), attributes=tuple(attributes))


def _devices(
    numbers: Sequence[int], rooms: Sequence[Room], rng: random.Random, english: bool
) -> Iterator[tuple[Device, dict[str, Scalar]]]:
    """A device of each make in turn, and what it reports; the second of a name in its room gets a number."""
    named: Counter[tuple[str, str]] = Counter()
    for index, number in enumerate(numbers):
        make, room = _data()["makes"][number], rooms[index // _PER_ROOM].id
        name = rng.choice(make["names"])[english]
        named[room, name] += 1
        if (count := named[room, name]) > 1:
            name = f"{name} {count}" if english else f"{name}{count}"
        kind = make["kind"]
        profile, kinds = f"profile:{number}", with_parents([kind])
        device = Device(f"device:{index}", name, profile, kinds, room_id=room, categories=(kind,))
        yield device, {quantity: _reading(quantity, rng) for quantity in make["tells"]}


def _reading(quantity: str, rng: random.Random) -> Scalar:
    if words := _data()["words"].get(quantity):
        return str(rng.choice(words))
    return rng.randint(*_data()["numbers"].get(quantity, (0, 100)))


def _scenes(english: bool) -> list[Scene]:
    names = _data()["scenes"]
    return [
        Scene(id=f"scene:{i}", name=name[english], command_id="scene-execute") for i, name in enumerate(names)
    ]
