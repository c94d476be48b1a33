"""Acts that need a yes first (law 7, docs/behaviour.md)."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.language.families import RESTING
from winnow.types.catalog import Command, Device, Parameter
from winnow.types.verdict import Call

ALWAYS = frozenset({"Lock.Unlock", "Lock.Open", "Door.Open", "Valve.Open", "Alarm.On", "Alarm.Disarm"})
COOKING = frozenset({"oven", "stove", "kettle"})
"""Kinds for which a temperature is an order to heat, not a preference."""
_HEATING = "heater water_heater bath_heater floor_heating radiator electric_blanket fireplace"
HOT = COOKING | set(_HEATING.split())
"""Kinds that get hot enough to do harm unattended."""
HARMLESS = frozenset({"Brightness", "ColorTemperature", "Color", "Lamp", "Volume", "FanSpeed", "Swing"})
SPARING = frozenset({*RESTING, "pause", "eco"})
"""Values at which nothing heats."""
SAFE_ACTIONS = frozenset({"Off", "Stop", "Pause", "Down", "Close", "Lock"})


def risk(command: Command, device: Device, call: Call) -> str:
    """The name of the risk of this call, or an empty string."""
    trait, _, action = command.trait.partition(".")
    if command.trait in ALWAYS:
        return {"Lock": "unlock", "Door": "open_door", "Valve": "open_valve", "Alarm": "alarm"}[trait]
    if trait == "Valve" and action == "SetPosition" and any(_positive(v) for v in call.arguments.values()):
        return "open_valve"
    if set(device.kinds) & {"garage_door", "gate"} and action in {"SetPosition", "Toggle"}:
        return "open_door"
    if HOT & set(device.kinds) and _heats(trait, action, call, device.kinds, command.parameters):
        return "heat"
    return ""


def _heats(
    trait: str, action: str, call: Call, kinds: tuple[str, ...], parameters: Sequence[Parameter]
) -> bool:
    if action in SAFE_ACTIONS or trait in HARMLESS:
        return False
    if trait == "Temperature" and not COOKING & set(kinds):
        return any(p.maximum is not None and call.arguments.get(p.name) == p.maximum for p in parameters)
    values = [str(v).lower() for v in call.arguments.values()]
    return not any(v in SPARING for v in values)


def _positive(value: object) -> bool:
    return isinstance(value, int | float) and value > 0
