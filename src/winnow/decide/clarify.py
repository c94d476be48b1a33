"""The shortest question that tells the candidates apart, the place first (seed 000 §3.1.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
    by, options = _options(devices, view)
    what = query.entity_mentions[-1] if query.entity_mentions else query.target.text
    labels = [o.label for o in options]
    return Clarify(message(f"which_{by}", language, what=what, options=labels), tuple(options), by)


def _options(devices: Sequence[Device], view: HomeView) -> tuple[str, list[Option]]:
    ways: list[tuple[str, Callable[[Device], str]]] = [
        ("room", lambda d: room.name if (room := view.room(d.id)) else ""),
        ("name", lambda d: d.name),
        ("floor", lambda d: floor.name if (floor := view.floor(d.id)) else ""),
        ("one", lambda d: " ".join(filter(None, [room.name if (room := view.room(d.id)) else "", d.name]))),
    ]
    for by, label in ways:
        groups = _grouped(devices, label)
        separates = all(len(ids) == 1 for ids in groups.values()) or by == "floor"
        if "" not in groups and 2 <= len(groups) <= MOST and separates:
            return by, [Option(text, tuple(ids)) for text, ids in groups.items()]
    groups = _grouped(devices[:MOST], ways[-1][1])
    return "one", [Option(text, tuple(ids)) for text, ids in groups.items()]


def _grouped(devices: Sequence[Device], label: Callable[[Device], str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for device in devices:
        groups.setdefault(label(device), []).append(device.id)
    return groups
