"""The shortest question that tells the candidates apart, the place first (seed 000 §3.1.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from winnow.say.messages import message
from winnow.types.catalog import Device
from winnow.types.dialogue import Language
from winnow.types.query import QueryIR
from winnow.types.verdict import Clarify, Option
from winnow.types.view import HomeView

MOST = 5
"""Options of one question."""


def question(query: QueryIR, devices: Sequence[Device], view: HomeView, language: Language) -> Clarify:
    """Two to five options by room, floor, name or kind.

    Whatever separates the candidates with the fewest words.
    """
    by, groups = _told_apart(devices, view)
    what = query.entity_mentions[-1] if query.entity_mentions else query.target.text
    options = tuple(Option(label, tuple(ids)) for label, ids in groups.items())
    return Clarify(message(f"which_{by}", language, what=what, options=list(groups)), options, by)


def _told_apart(devices: Sequence[Device], view: HomeView) -> tuple[str, dict[str, list[str]]]:
    """What the options differ in, and the devices by their labels."""
    ways: dict[str, Callable[[Device], str]] = {
        "room": lambda d: _room(d, view),
        "name": lambda d: d.name,
        "floor": lambda d: _floor(d, view),
        "one": lambda d: " ".join(filter(None, (_room(d, view), d.name))),
    }
    for by, label in ways.items():
        groups = _grouped(devices, label)
        if _is_answerable(groups) and (by == "floor" or _separates(groups)):
            return by, groups
    # too many for one question: the likeliest are offered by their full names
    return "one", _grouped(devices[:MOST], ways["one"])


def _is_answerable(groups: Mapping[str, Sequence[str]]) -> bool:
    """Whether every device has a label, and there is something to choose but not too much."""
    return "" not in groups and 2 <= len(groups) <= MOST


def _separates(groups: Mapping[str, Sequence[str]]) -> bool:
    """Whether an answer leaves one device. A floor need not: it halves what is left to be asked."""
    return all(len(ids) == 1 for ids in groups.values())


def _grouped(devices: Sequence[Device], label: Callable[[Device], str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for device in devices:
        groups.setdefault(label(device), []).append(device.id)
    return groups


def _room(device: Device, view: HomeView) -> str:
    room = view.room(device.id)
    return room.name if room else ""


def _floor(device: Device, view: HomeView) -> str:
    floor = view.floor(device.id)
    return floor.name if floor else ""
