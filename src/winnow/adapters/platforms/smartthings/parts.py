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

from winnow.adapters.platforms.smartthings.components import MAIN, Component
from winnow.adapters.platforms.traits import Table
from winnow.language.normalize import language_of, normalise
from winnow.language.tables import table


@dataclass(frozen=True, slots=True)
class Name:
    """What a part is called."""

    name: str
    aliases: tuple[str, ...] = ()
    kind: str = ""
    """Empty: it is of the kinds of its device."""
    label: str = ""
    """The name somebody gave it alone, without that of its device."""


@dataclass(frozen=True, slots=True)
class Gangs:
    """Component id -> its number, from 1. ``main`` is among them only where it is a gang itself."""

    numbers: Mapping[str, int]

    @property
    def main_is_one(self) -> bool:
        """Whether ``main`` switches one gang; else it switches all."""
        return MAIN in self.numbers


def gangs(parts: Sequence[Component], main: Component, device: str) -> Gangs:
    """The numbered parts that are switched each by itself; none where there are no such parts."""
    found = sorted((number, c.id) for c in parts if (number := _number(c)) is not None)
    names = [name for _, name in found]
    if found and "switch" in main.capabilities and _main_is_one(found[0][0], len(found), main, device):
        names = [MAIN, *names]
    return Gangs({name: place for place, name in enumerate(names, 1)})


def _main_is_one(lowest: int, others: int, main: Component, device: str) -> bool:
    """Whether ``main`` is a gang beside the others: by what the device is called, else by their numbers."""
    name = normalise(device)
    counts: Mapping[int, list[str]] = _words()["count"]
    count = next((count for count, words in counts.items() if any(word in name for word in words)), None)
    if count is not None:
        return count == others + 1
    return lowest > 1 or others == 1 or _is_label(main, device)


def _number(component: Component) -> int | None:
    """The number of a gang; None for what is none."""
    match = _gang().fullmatch(component.id.lower())
    other = set(component.capabilities) - set(_words()["gang_capabilities"])
    if match is None or other or "switch" not in component.capabilities:
        return None
    return int(match[1] or match[2])


@cache
def _gang() -> re.Pattern[str]:
    return re.compile(_words()["gangs"])


def gang_name(component: Component, numbered: Gangs, device: str, *, outlet: bool) -> Name:
    """A gang by its label, else by its number, and by number and place in both languages in any case."""
    number = numbered.numbers[component.id]
    usual = _numbered(language_of(device), "outlet" if outlet else "name", number, device)[0]
    others = [*_numbered("zh", "others", number, device), *_numbered("en", "others", number, device)]
    others += [] if outlet else _placed(number, len(numbered.numbers), device)
    if _is_label(component, device):
        aliases = (component.label, usual, *others)
        return Name(f"{device} {component.label}", aliases, label=component.label)
    return Name(usual, tuple(name for name in dict.fromkeys(others) if name != usual))


def _placed(number: int, count: int, device: str) -> list[str]:
    """The gang by its place among two or three: 三键开关 中间, ``Wall Switch left``."""
    places = _words()["places"].get(count)
    return [f"{device} {place}" for place in places[number - 1]] if places else []


def _numbered(language: str, kind: str, number: int, device: str) -> list[str]:
    """The device with the number of a gang: 三键开关 第二键, ``Wall Switch 2``, ``second Wall Switch``."""
    place = min(number, len(_words()["words"])) - 1
    word = _words()["words" if language == "zh" else "numbers"][place]
    ordinal = _words()["ordinals"][place]
    patterns = _words()["gang"][language][kind]
    listed = [patterns] if isinstance(patterns, str) else patterns
    return [text.format(device=device, word=word, n=number, ordinal=ordinal) for text in listed]


def part_name(component: Component, device: str) -> Name | None:
    """A part by the usual word for such a component, else by its label; None where it has neither.

    A component that only has a number (``1``) is no part that anybody knows.
    """
    label = component.label if _is_label(component, device) else ""
    known = next((row for row in _words()["named"] if re.fullmatch(row["id"], component.id)), None)
    if known is None:
        return Name(f"{device} {label}", (label,), label=label) if label else None
    return _usual(known, component, device, label)


def _usual(known: Table, component: Component, device: str, label: str) -> Name:
    """The device with the words for such a part in both languages; a second one of its kind has a number."""
    number = re.sub(r"\D", "", component.id).lstrip("0").removeprefix("1")
    language = language_of(device)
    other = "en" if language == "zh" else "zh"
    gap = "" if language == "zh" else " "
    words = [word for word in (label, known[language], known[other], *known["others"]) if word]
    name, *others = [f"{device} {word}{gap}{number}".rstrip() for word in words]
    alone = [f"{word}{number}" for word in known.get("alone", ())]
    return Name(name, tuple(dict.fromkeys([*alone, *others])), known.get("kind", ""))


def _is_label(component: Component, device: str) -> bool:
    """Whether somebody gave the component a name of its own."""
    label = normalise(component.label)
    return (
        bool(label)
        and not label.isdigit()
        and label not in (MAIN, normalise(component.id), normalise(device))
    )


def _words() -> Table:
    return cast("Table", table("winnow.adapters.platforms.smartthings", "parts.yaml"))
