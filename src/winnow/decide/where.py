"""What a reading is of: a room's air, the air outside, water, the inside of a machine; and what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from winnow.decide.everything import NO_ROOMS
from winnow.text.tables import table
from winnow.types.catalog import Attribute, Device, Where
from winnow.types.query import DEVICE_KINDS, Token

AIR: frozenset[Where] = frozenset({"", "indoor"})
"""What a reading of a room is of."""
WATER = frozenset({"water_heater", "kettle"})
OUTSIDE = "outdoor"


def told_of(device: Device, attribute: Attribute) -> Where:
    """What the attribute is a reading of, by what is known of it, else by what its device is."""
    if attribute.where:
        return attribute.where
    if attribute.quantity == "setpoint":
        return "setpoint"
    if not NO_ROOMS.isdisjoint(device.kinds):
        return "appliance" if WATER.isdisjoint(device.kinds) else "water"
    return "outdoor" if is_called_outdoor(device) else ""


def is_called_outdoor(device: Device) -> bool:
    """Whether its name says that it is outside."""
    name = device.name.lower()
    return any(word in name for word in _words("outdoor"))


def asked_of(texts: Sequence[str], mention: Sequence[Token]) -> Where | None:
    """What is asked of: the air ``outdoor``, ``water``, a room (empty); None of a thing that was named.

    ``texts`` are the words of the question or condition.
    """
    if any(t.data.get("is") == OUTSIDE for t in mention) or not _OUT.isdisjoint(texts):
        return "outdoor"
    if any(word in text for word in _words("water") for text in texts):
        return "water"
    return None if any(t.kind in DEVICE_KINDS for t in mention) else ""


_OUT = frozenset({"室外", "外面", "户外", "外头", "屋外", "outside", "outdoors", "outdoor"})


def is_asked(asked: Where | None, device: Device, attribute: Attribute) -> bool:
    """Whether a reading of one thing tells what was asked of another: no outdoor air is that of a room."""
    told = told_of(device, attribute)
    if asked is None:
        return told not in {"outdoor", "setpoint"}
    if asked == "outdoor":
        return told in {"outdoor", ""}
    if asked == "water":
        return told == "water"
    return told in AIR or (told == "outdoor" and _is_of_its_room(device))


def _is_of_its_room(device: Device) -> bool:
    """Whether a sensor outdoors is that of the place it stands in, a balcony or a garden."""
    return "sensor" in device.kinds and not device.part_of and not is_called_outdoor(device)


def _words(name: str) -> Sequence[str]:
    return cast("Mapping[str, Sequence[str]]", table("winnow.decide", "reads.yaml"))[name]
