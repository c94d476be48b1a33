"""What a component can do and tell by the table of capabilities, narrowed by what its status says of itself.

Commands are never invented: a capability the table does not know has none, but what it tells can be read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from winnow.homes.smartthings import capabilities as table
from winnow.homes.smartthings.component import LONGEST, Component
from winnow.homes.traits import (
    HOUSEKEEPING,
    limited,
    smartthings_by_value,
    smartthings_quantity,
    smartthings_trait,
)
from winnow.types.catalog import Attribute, Choice, Command, Parameter, ParameterKind

KINDS: Mapping[str, ParameterKind] = {
    "integer": "number",
    "number": "number",
    "enum": "choice",
    "string": "text",
    "boolean": "boolean",
    "object": "object",
    "color": "color",
}
_NO_READING = ("supported", "available", "settable", "min", "max", "disabled")
"""Attributes that begin so say what may be, not what is."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """The commands and attributes of one component."""

    commands: tuple[Command, ...] = ()
    attributes: tuple[Attribute, ...] = ()

    @property
    def is_of_use(self) -> bool:
        """Whether a person has anything of it: a command, or a reading that means something."""
        offered = any(command.trait != HOUSEKEEPING for command in self.commands)
        return offered or any(attribute.quantity for attribute in self.attributes)


def abilities(component: Component, kinds: Collection[str], language: str) -> Abilities:
    """What the component can do and tell. ``language`` comes first in every text."""
    offered = [c for c in component.capabilities if not table.is_housekeeping(c)]
    commands = (c for name in offered for c in _commands(name, component, kinds, language))
    readable = (a for name in offered for a in _attributes(name, component, language))
    return Abilities(with_deeds(tuple(commands), component.capabilities), tuple(readable))


def unknown(component: Component) -> tuple[str, ...]:
    """The declared capabilities that no table knows."""
    return tuple(c for c in component.capabilities if not table.is_known(c))


def with_deeds(commands: tuple[Command, ...], siblings: Collection[str]) -> tuple[Command, ...]:
    """The commands, and what the value of one does where no command of its own does it: start, dock."""
    done = {command.trait for command in commands}
    deeds: list[Command] = []
    for command in commands:
        _, capability, name = split(command.id)
        for value, trait in smartthings_by_value(capability, name).items():
            takes_it = (not p.choices or value in {c.value for c in p.choices} for p in command.parameters)
            if trait not in done and any(takes_it):
                done.add(trait)
                text = table.value_text(value, "zh")
                deeds.append(Command(command.id, trait, text, fixed={"value": value}))
    return (*commands, *deeds)


def split(entry: str) -> tuple[str, str, str]:
    """``main-switch-on`` -> ``("main", "switch", "on")``; a component may hold dashes: ``icemaker-02``."""
    head, _, member = entry.rpartition("-")
    component, _, capability = head.rpartition("-")
    return component, capability, member


def _commands(name: str, component: Component, kinds: Collection[str], language: str) -> Iterator[Command]:
    supported = component.listed(name, table.capability(name).get("commands_in", ""))
    for command, definition in table.commands(name).items():
        trait = smartthings_trait(name, command, component.capabilities)
        if trait == HOUSEKEEPING or (supported and command not in supported):
            continue
        found = parameter(name, definition, component, language)
        yield Command(
            id=f"{component.id}-{name}-{command}",
            trait=trait,
            text=table.said(definition, language),
            parameters=(limited(found, trait, kinds),) if found else (),
            fixed=definition.get("fixed", {}),
        )


def parameter(
    name: str, definition: table.Definition, component: Component, language: str
) -> Parameter | None:
    """The only argument of a command of the capability ``name``; None when it takes none."""
    declared = definition.get("type")
    if declared is None:
        return None
    choices = choices_of(name, definition, component, language)
    low, high = _range(name, definition, component)
    kind = "choice" if choices else KINDS.get(declared, "object")
    return Parameter(
        name="value",
        kind="text" if kind == "choice" and not choices else kind,
        minimum=low,
        maximum=high,
        unit=component.unit(name, definition.get("unit_in", "")) or definition.get("unit", ""),
        choices=choices,
    )


def choices_of(
    name: str, definition: table.Definition, component: Component, language: str
) -> tuple[Choice, ...]:
    """The values a command takes: those the device says it supports, else all that the table knows."""
    supported = component.listed(name, definition.get("values_in", ""))
    if definition.get("type") == "integer":  # a number with a list of its own: the steps of a cooker hood
        return ()
    values = supported or tuple(definition.get("values", ()))
    return tuple(Choice(value, table.value_text(value, language)) for value in values)


def _range(
    name: str, definition: table.Definition, component: Component
) -> tuple[float | None, float | None]:
    """The device's own limits, else the table's. It has none for setpoints: these depend on the kind."""
    # The status may tell ``{"minimum": 16, "maximum": 30, "step": 1}``.
    told = component.value(name, definition.get("range_in", ""))
    ends = told if isinstance(told, dict) else {}
    low, high = _number(ends.get("minimum")), _number(ends.get("maximum"))
    if low is None and high is None and "unit_in" in definition:
        low, high = (
            _number(component.value("custom.thermostatSetpointControl", f"{end}Setpoint"))
            for end in ("minimum", "maximum")
        )
    if low is not None and high is not None and low < high:
        return low, high
    pair = definition.get("range")
    return (pair[0], pair[1]) if pair else (None, None)


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _attributes(name: str, component: Component, language: str) -> Iterator[Attribute]:
    """Those of the table, and what else the status tells that a person could ask for."""
    known = table.attributes(name)
    for attribute, definition in known.items():
        unit, values = definition.get("unit", ""), tuple(definition.get("values", ()))
        found = _attribute(name, attribute, component, table.said(definition, language))
        yield replace(found, unit=found.unit or unit, values=values)
    for attribute in component.told.get(name, {}):
        if attribute not in known and _is_reading(attribute, component.value(name, attribute)):
            words = f"{table.plain(name)} {table.plain(attribute)}".split()
            yield _attribute(name, attribute, component, " ".join(dict.fromkeys(words)))


def _attribute(name: str, attribute: str, component: Component, text: str) -> Attribute:
    return Attribute(
        id=f"{component.id}-{name}-{attribute}",
        quantity=smartthings_quantity(name, attribute),
        text=text,
        unit=component.unit(name, attribute),
    )


def _is_reading(attribute: str, value: object) -> bool:
    """Whether it is one value, short enough to be told."""
    if attribute.startswith(_NO_READING) or attribute.endswith("Range"):
        return False
    return isinstance(value, (int, float)) or (isinstance(value, str) and 0 < len(value) <= LONGEST)
