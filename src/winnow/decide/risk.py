"""Acts that need a yes first (law 7, docs/behaviour.md): by kind, name, what is known and what is said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from winnow.language.borders import holds_word
from winnow.language.families import RESTING
from winnow.language.lexicon import surfaces, type_words
from winnow.language.normalise import is_han, normalise
from winnow.types.catalog import Command, Device, Parameter
from winnow.types.verdict import Call

ALWAYS = {
    "Lock.Unlock": "unlock",
    "Lock.Open": "unlock",
    "Door.Open": "open_door",
    "Valve.Open": "open_valve",
    "Alarm.On": "alarm",
    "Alarm.Disarm": "disarm",
}
"""What needs a yes whatever does it."""
COOKING = frozenset({"oven", "stove", "kettle"})
"""Kinds for which a temperature is an order to heat, not a preference."""
_HEATING = "heater water_heater bath_heater floor_heating radiator electric_blanket fireplace"
HOT = COOKING | set(_HEATING.split())
"""Kinds that get hot enough to do harm unattended."""
ENTRANCES = frozenset({"garage_door", "gate"})
CARRIERS = frozenset({"plug", "switch"})
"""Kinds that say nothing of what hangs on them."""
HARMLESS = frozenset({"Brightness", "ColorTemperature", "Color", "Lamp", "Volume", "FanSpeed", "Swing"})
SPARING = frozenset({*RESTING, "pause", "eco"})
"""Values at which nothing heats."""
SAFE_ACTIONS = frozenset({"Off", "Stop", "Pause", "Down", "Close", "Lock"})
THING = "thing"
"""The danger of what is dangerous only because a person said so."""
SAFE = "none"
"""What a device is known to be where its owner says that it does no harm."""


def risk(command: Command, device: Device, call: Call, said: Collection[str] = ()) -> str:
    """The name of the risk of this call, or an empty string; ``said`` are the kinds that were named."""
    if known := ALWAYS.get(command.trait):
        return known
    trait, _, action = command.trait.partition(".")
    if device.danger == SAFE or action in SAFE_ACTIONS or trait in HARMLESS:
        return ""
    if action == "SetPosition" and not any(map(_positive, call.arguments.values())):
        return ""
    if entrance := _opened(device, trait):
        return entrance
    if _is_hot(device, said) and _heats(trait, call, device.kinds, command.parameters):
        return "heat"
    return ""


def _opened(device: Device, trait: str) -> str:
    """The risk of moving a valve, a gate, or what is known to open something; empty for anything else."""
    if trait == "Valve":
        return "open_valve"
    if device.danger not in {"", "heat"}:
        return device.danger
    moves = trait in {"Cover", "Door", "Switch"}
    return "open_door" if moves and not ENTRANCES.isdisjoint(device.kinds) else ""


def _is_hot(device: Device, said: Iterable[str]) -> bool:
    """Whether it gets hot: by its kind, by what is known; of a plug also by its name and by what was said."""
    if device.danger == "heat" or not HOT.isdisjoint(device.kinds):
        return True
    if CARRIERS.isdisjoint(device.kinds[:1]) or device.part_of:
        return False  # of a part its source tells; its name is also that of the whole
    return not HOT.isdisjoint(said) or any(_names_heat(name) for name in (device.name, *device.aliases))


@lru_cache(maxsize=4096)
def _names_heat(name: str) -> bool:
    """Whether a name holds a word for what gets hot, and ends with none for a lamp of it."""
    text = normalise(name)
    return any(_holds(text, word) for word in _hot_words()) and not text.endswith(("灯", " light", " lamp"))


def _holds(name: str, word: str) -> bool:
    return holds_word(name, word) if is_han(word[0]) else f" {word} " in f" {name} "


@lru_cache(maxsize=1)
def _hot_words() -> tuple[str, ...]:
    kinds = type_words()
    return tuple(word for word, name in surfaces("type").items() if kinds[name].kinds[0] in HOT)


def _heats(trait: str, call: Call, kinds: tuple[str, ...], parameters: Sequence[Parameter]) -> bool:
    if trait == "Temperature" and not COOKING & set(kinds):
        return any(p.maximum is not None and call.arguments.get(p.name) == p.maximum for p in parameters)
    values = [str(v).lower() for v in call.arguments.values()]
    return not any(v in SPARING for v in values)


def _positive(value: object) -> bool:
    return isinstance(value, int | float) and value > 0
