"""The components of a device beside ``main``: gangs of a switch, compartments of a fridge, a second oven.

A part is a device of its own with the id ``DEVICE/COMPONENT`` and ``part_of`` the device. A call on it is
sent to the device before the slash; the component is the first segment of the command's id, as everywhere:
``DEVICE/switch2`` and ``switch2-switch-on`` are component ``switch2``, capability ``switch``, command ``on``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from winnow.adapters.platforms.smartthings.components import MAIN_COMPONENT, DeviceComponent
from winnow.adapters.platforms.traits import TableData
from winnow.language.normalize import language_of, normalise
from winnow.language.tables import table


@dataclass(frozen=True, slots=True)
class PartName:
    """What a part is called."""

    name: str
    aliases: tuple[str, ...] = ()
    kind: str = ""
    """Empty: it is of the kinds of its device."""
    label: str = ""
    """The name somebody gave it alone, without that of its device."""


@dataclass(frozen=True, slots=True)
class SwitchGangs:
    """Component id -> its number, from 1. ``main`` is among them only where it is a gang itself."""

    numbers: Mapping[str, int]

    @property
    def main_is_one(self) -> bool:
        """Whether ``main`` switches one gang; else it switches all."""
        return MAIN_COMPONENT in self.numbers


def switch_gangs(parts: Sequence[DeviceComponent], main: DeviceComponent, device: str) -> SwitchGangs:
    """The numbered parts that are switched each by itself; none where there are no such parts."""
    found = sorted((number, c.id) for c in parts if (number := _gang_number(c)) is not None)
    names = [name for _, name in found]
    if found and "switch" in main.capabilities and _main_is_one(found[0][0], len(found), main, device):
        names = [MAIN_COMPONENT, *names]
    return SwitchGangs({name: place for place, name in enumerate(names, 1)})


def _main_is_one(lowest: int, others: int, main: DeviceComponent, device: str) -> bool:
    """Whether ``main`` is a gang beside the others: by what the device is called, else by their numbers."""
    name = normalise(device)
    counts: Mapping[int, list[str]] = _words()["count"]
    count = next((count for count, words in counts.items() if any(word in name for word in words)), None)
    if count is not None:
        return count == others + 1
    return lowest > 1 or others == 1 or _is_label(main, device)


def _gang_number(component: DeviceComponent) -> int | None:
    """The number of a gang; None for what is none."""
    match = _gang_pattern().fullmatch(component.id.lower())
    other = set(component.capabilities) - set(_words()["gang_capabilities"])
    if match is None or other or "switch" not in component.capabilities:
        return None
    return int(match[1] or match[2])


@cache
def _gang_pattern() -> re.Pattern[str]:
    return re.compile(_words()["gangs"])


def gang_name(component: DeviceComponent, numbered: SwitchGangs, device: str, *, outlet: bool) -> PartName:
    """A gang by its label, else by its number, and by number and place in both languages in any case."""
    number = numbered.numbers[component.id]
    usual = _names_by_number(language_of(device), "outlet" if outlet else "name", number, device)[0]
    others = [
        *_names_by_number("zh", "others", number, device),
        *_names_by_number("en", "others", number, device),
    ]
    others += [] if outlet else _names_by_place(number, len(numbered.numbers), device)
    if _is_label(component, device):
        aliases = (component.label, usual, *others)
        return PartName(f"{device} {component.label}", aliases, label=component.label)
    return PartName(usual, tuple(name for name in dict.fromkeys(others) if name != usual))


def _names_by_place(number: int, count: int, device: str) -> list[str]:
    """The gang by its place among two or three: 三键开关 中间, ``Wall Switch left``."""
    places = _words()["places"].get(count)
    return [f"{device} {place}" for place in places[number - 1]] if places else []


def _names_by_number(language: str, kind: str, number: int, device: str) -> list[str]:
    """The device with the number of a gang: 三键开关 第二键, ``Wall Switch 2``, ``second Wall Switch``."""
    place = min(number, len(_words()["words"])) - 1
    word = _words()["words" if language == "zh" else "numbers"][place]
    ordinal = _words()["ordinals"][place]
    patterns = _words()["gang"][language][kind]
    listed = [patterns] if isinstance(patterns, str) else patterns
    return [text.format(device=device, word=word, n=number, ordinal=ordinal) for text in listed]


def part_name(component: DeviceComponent, device: str) -> PartName | None:
    """A part by the usual word for such a component, else by its label; None where it has neither.

    A component that only has a number (``1``) is no part that anybody knows.
    """
    label = component.label if _is_label(component, device) else ""
    known = next((row for row in _words()["named"] if re.fullmatch(row["id"], component.id)), None)
    if known is None:
        return PartName(f"{device} {label}", (label,), label=label) if label else None
    return _usual_name(known, component, device, label)


def _usual_name(known: TableData, component: DeviceComponent, device: str, label: str) -> PartName:
    """The device with the words for such a part in both languages; a second one of its kind has a number."""
    number = re.sub(r"\D", "", component.id).lstrip("0").removeprefix("1")
    language = language_of(device)
    other = "en" if language == "zh" else "zh"
    gap = "" if language == "zh" else " "
    words = [word for word in (label, known[language], known[other], *known["others"]) if word]
    name, *others = [f"{device} {word}{gap}{number}".rstrip() for word in words]
    alone = [f"{word}{number}" for word in known.get("alone", ())]
    return PartName(name, tuple(dict.fromkeys([*alone, *others])), known.get("kind", ""))


def _is_label(component: DeviceComponent, device: str) -> bool:
    """Whether somebody gave the component a name of its own."""
    label = normalise(component.label)
    return (
        bool(label)
        and not label.isdigit()
        and label not in (MAIN_COMPONENT, normalise(component.id), normalise(device))
    )


def _words() -> TableData:
    return cast("TableData", table("winnow.adapters.platforms.smartthings", "parts.yaml"))
