"""What is worth knowing of a home before anybody speaks to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from winnow.decide.risk import risk
from winnow.types.catalog import Command, Device, Home, Note
from winnow.types.state import Snapshot
from winnow.types.verdict import Call
from winnow.types.view import HomeView


def checked(home: Home, states: Snapshot) -> tuple[Note, ...]:
    """What its import said, then what the home itself shows: each a ``Note``, in the order of ``CODES``."""
    view = HomeView.of(home)
    notes = [*home.notes, *_by_device(view, states), *_alike(view)]
    if not home.devices:
        notes.append(Note("no_devices", home.id, home.name))
    order = {code: place for place, code in enumerate(CODES)}
    return tuple(sorted(notes, key=lambda n: order.get(n.code, len(order))))


CODES = (
    "no_devices",
    "fewer_facts",
    "ignored",
    "named_only",
    "unknown_capability",
    "guessed_kind",
    "no_room",
    "mute",
    "offline",
    "same_name",
    "asks_first",
)
"""The codes of notes, those first that cost most when nobody sees them."""


def _by_device(view: HomeView, states: Snapshot) -> Iterator[Note]:
    for device in view.home.devices:
        if device.reach == "named":
            yield Note("named_only", device.id, device.name, ", ".join(device.reasons))
        else:
            profile = view.profile(device.id)
            if profile.commands and view.room(device.id) is None and not device.part_of:
                yield Note("no_room", device.id, device.name)
            if not profile.commands and not profile.attributes:
                yield Note("mute", device.id, device.name, ", ".join(device.categories))
            if not states.online(device.id):
                yield Note("offline", device.id, device.name)
            if risks := _risks(device, profile.commands):
                yield Note("asks_first", device.id, device.name, ", ".join(risks))


def _risks(device: Device, commands: tuple[Command, ...]) -> list[str]:
    """The risks of what it can be told to do, each once."""
    found = (risk(command, device, Call(device.id, command.id)) for command in commands)
    return list(dict.fromkeys(name for name in found if name))


def _alike(view: HomeView) -> Iterator[Note]:
    """Names that several devices of one room have: only a question can tell them apart."""
    named: dict[tuple[str, str], list[Device]] = defaultdict(list)
    for device in view.home.devices:
        if device.reach == "spoken":
            named[device.room_id or "", device.name.casefold()].append(device)
    for (room_id, _), devices in named.items():
        if len(devices) > 1:
            room = view.rooms.get(room_id)
            where = room.name if room else ""
            yield Note("same_name", devices[0].id, devices[0].name, f"{len(devices)} {where}".strip())
