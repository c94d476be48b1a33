"""A call as the commands API wants it: component, capability, command, arguments in order and of their type.

What a command takes stands in the table of capabilities (``type``, ``arguments``, ``fixed``), from which, or
from a specification, its id was made as well: ``main-switch-on``; or ``main-switch``, where the value tells
what is done. Of a capability that the table does not know, the arguments go as they are given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from winnow.homes.smartthings import capabilities as table
from winnow.homes.smartthings.component import MAIN
from winnow.language.colours import hue_and_saturation
from winnow.types.verdict import Call

Body = dict[str, object]
"""``{"component": "main", "capability": "switch", "command": "on", "arguments": []}``."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def device_of(call: Call) -> str:
    """The device that a call is sent to: that of a part stands before the slash."""
    return call.device_id.partition("/")[0]


def wired(call: Call) -> Body | None:
    """The call as one of ``commands``; None for a command that nothing can be made of."""
    component = call.device_id.partition("/")[2] or MAIN
    capability, _, command = call.command_id.removeprefix(f"{component}-").partition("-")
    if not call.command_id.startswith(f"{component}-") or not capability:
        return None
    given = dict(call.arguments)
    if not command:
        command, given = _named_by_value(capability, given)
    if not command:
        return None
    takes = table.commands(capability).get(command, {})
    arguments = [_typed(value, takes.get("type", "")) for value in _in_order(given, takes)]
    return {"component": component, "capability": capability, "command": command, "arguments": arguments}


def _named_by_value(capability: str, given: dict[str, object]) -> tuple[str, dict[str, object]]:
    """The command of an entry that is a whole capability: its value's name, else the one that takes it."""
    known = table.commands(capability)
    value = given.get("value")
    if isinstance(value, str) and value in known and "type" not in known[value]:
        return value, {}
    return next((name for name, takes in known.items() if "type" in takes), ""), given


def _in_order(given: Mapping[str, object], takes: table.Definition) -> list[object]:
    """The arguments as the definition lists them, with those that always go along; else as they came."""
    names: Sequence[str] = takes.get("arguments", ())
    value = given.get("value")
    spread = value if names and isinstance(value, Mapping) else {}
    named = {**takes.get("fixed", {}), **given, **spread}
    if spread:
        del named["value"]
    if "value" in named or not names:
        return list(named.values())
    known = [named[name] for name in names if name in named]
    return [*known, *(value for name, value in named.items() if name not in names)]


def _typed(value: object, kind: str) -> object:
    """The value as JSON of that kind: 21.0 is 21, the number 3 of an enum is ``"3"``, red is a hue."""
    if kind == "color":
        told = hue_and_saturation(value) if isinstance(value, str) else None
        return {"hue": told[0], "saturation": told[1]} if told else value
    if kind in ("enum", "string"):
        return f"{value:g}" if type(value) in (int, float) else value
    if kind in ("integer", "number") and _NUMBER.fullmatch(str(value)):
        value = float(str(value))
    return _plain(value, whole=kind == "integer")


def _plain(value: object, *, whole: bool) -> object:
    """A number without a fraction that says nothing, or that the command does not take."""
    if not isinstance(value, float):
        return value
    return round(value) if whole or value.is_integer() else value
