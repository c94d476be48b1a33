"""The shortest question that tells the candidates apart, the place first (seed 000 §3.1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from winnow.language.lexicon import kind_words
from winnow.say.messages import message
from winnow.types.catalog import Device
from winnow.types.dialogue import Language
from winnow.types.query import QueryIR
from winnow.types.verdict import Clarify, Option
from winnow.types.view import HomeView

MOST = 5
"""Options of one question."""
Label = Callable[[Device], str]


def question(query: QueryIR, devices: Sequence[Device], view: HomeView, language: Language) -> Clarify:
    """Two to five options by room, name, kind or floor, each one device.

    Whatever separates the candidates with the fewest words. Of more than five the likeliest are offered, and
    any of the others may be named.
    """
    by, labels = _told_apart(devices, view, language)
    what = query.entity_mentions[-1] if query.entity_mentions else query.target.text
    options = tuple(Option(label, (d.id,)) for d, label in zip(devices, labels, strict=False))
    text = message(f"which_{by}", language, what=what, options=labels)
    more = tuple(d.id for d in devices[len(options) :])
    if more:
        text = " ".join((message("more_to_choose", language, count=len(devices)), text))
    return Clarify(text, options, by, more=more)


def _told_apart(devices: Sequence[Device], view: HomeView, language: Language) -> tuple[str, list[str]]:
    """What the options differ in, and how each is called."""
    ways: dict[str, Label] = {
        "room": lambda d: _room(d, view),
        "name": lambda d: d.name,
        "floor": lambda d: _floor(d, view),
        "kind": lambda d: _kind(d, language),
        "one": lambda d: _in_full(d, view),
    }
    if len(devices) > MOST:  # a room of one of those shown may be that of another which is not
        ways = {"one": ways["one"]}
    shown = devices[:MOST]
    for by, label in ways.items():
        labels = [label(d) for d in shown]
        if "" not in labels and len(set(labels)) == len(labels):
            return by, labels
    return "one", _numbered([f"{_in_full(d, view)} {_kind(d, language)}".strip() for d in shown])


def _numbered(labels: Sequence[str]) -> list[str]:
    """The labels, those that are alike with a number."""
    seen: Counter[str] = Counter()
    out: list[str] = []
    for label in labels:
        seen[label] += 1
        out.append(f"{label} ({seen[label]})" if labels.count(label) > 1 else label)
    return out


def _kind(device: Device, language: Language) -> str:
    """The word for what it is."""
    words = kind_words(language)
    return next((words[kind] for kind in device.kinds if kind in words), "")


def _in_full(device: Device, view: HomeView) -> str:
    """The room and the name, which may tell the room itself."""
    room = _room(device, view)
    return device.name if not room or device.name.startswith(room) else f"{room} {device.name}"


def _room(device: Device, view: HomeView) -> str:
    room = view.room(device.id)
    return room.name if room else ""


def _floor(device: Device, view: HomeView) -> str:
    floor = view.floor(device.id)
    return floor.name if floor else ""
