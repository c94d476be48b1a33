"""Acts that need a yes first (law 7, docs/behaviour.md): by kind, name, what is known and what is said."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from winnow.effects.danger import danger_of_command, danger_of_kinds, danger_of_names, heats
from winnow.language.families import RESTING
from winnow.types.catalog import Command, Device, Parameter
from winnow.types.verdict import Call

COOKING = frozenset({"oven", "stove", "kettle"})
"""Kinds for which a temperature is an order to heat, not a preference."""
CARRIERS = frozenset({"plug", "switch"})
"""Kinds that say nothing of what hangs on them."""
HARMLESS = frozenset({"Brightness", "ColorTemperature", "Color", "Lamp", "Volume", "FanSpeed", "Swing"})
SPARING = frozenset({*RESTING, "pause", "eco"})
"""Values at which nothing heats."""
MOVING = frozenset({"Cover", "Door", "Switch", "Button"})
"""Traits that open what opens and sound what sounds; whatever starts heats."""
SAFE_ACTIONS = frozenset({"Off", "Stop", "Pause", "Down", "Close", "Lock"})
THING = "thing"
"""The danger of what is dangerous only because a person said so."""
SAFE = "none"
"""What a device is known to be where its owner says that it does no harm."""


def risk(command: Command, device: Device, call: Call, said: Collection[str] = ()) -> str:
    """The name of the risk of this call, or an empty string; ``said`` are the kinds that were named."""
    if known := danger_of_command(command.trait):
        return known
    trait, _, action = command.trait.partition(".")
    if device.danger == SAFE or trait in HARMLESS or _is_safe(action, call):
        return ""
    danger = "open_valve" if trait == "Valve" else device.danger or _told(device, trait, said)
    if danger == "heat" and not _heats(trait, call, device.kinds, command.parameters):
        return ""
    return danger


def _is_safe(action: str, call: Call) -> bool:
    """Whether it closes, stops or switches off, be it by a position."""
    shuts = action == "SetPosition" and not any(map(_positive, call.arguments.values()))
    return shuts or action in SAFE_ACTIONS


def _told(device: Device, trait: str, said: Collection[str]) -> str:
    """What its kinds tell, else its names; of what says not what hangs on it also what was said."""
    danger = danger_of_kinds(device.kinds) or _named(device, said)
    return danger if danger == "heat" or trait in MOVING else ""


def _named(device: Device, said: Collection[str]) -> str:
    """What its names tell; of a part its source tells, as its name is also that of the whole."""
    if device.part_of:
        return ""
    danger, _ = danger_of_names(device.kinds, (device.name, *device.aliases))
    hangs_on = not danger and not CARRIERS.isdisjoint(device.kinds[:1])
    return "heat" if hangs_on and any(danger_of_kinds((kind,)) == "heat" for kind in said) else danger


def _heats(trait: str, call: Call, kinds: tuple[str, ...], parameters: Sequence[Parameter]) -> bool:
    if trait == "Temperature" and not COOKING & set(kinds):
        return any(p.maximum is not None and call.arguments.get(p.name) == p.maximum for p in parameters)
    values = [str(v).lower() for v in call.arguments.values()]
    return not any(v in SPARING or not heats(v) for v in values)


def _positive(value: object) -> bool:
    return isinstance(value, int | float) and value > 0
