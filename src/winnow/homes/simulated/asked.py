"""What a device does not take: commands that it has not, arguments that do not fit them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from winnow.effects import commands_of
from winnow.types.catalog import Command, Parameter, ParameterKind, Profile, Scalar
from winnow.types.verdict import Call

SLACK = 1e-6
"""How far beyond a limit rounding may bring a number."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a device does not take a call: a key of the message table, and what fills its sentence."""

    code: str
    facts: Mapping[str, Scalar] = field(default_factory=dict)


def objection(call: Call, profile: Profile, name: str) -> Objection | None:
    """Why a device of that profile and name does not take the call; None where it does."""
    commands = commands_of(call, profile)
    if not commands:
        return Objection("no_such_command", {"name": name, "what": call.command_id})
    # What is described as an object alone may be left out: an oven starts with the programme it has.
    wanted = {p.name for c in commands for p in c.parameters if p.required and p.kind != "object"}
    missing = Objection("missing_value") if wanted - set(call.arguments) else None
    found = missing or _unknown(call, commands) or _unlike(call, commands)
    return None if found is None else Objection(found.code, {"name": name, **found.facts})


def _unknown(call: Call, commands: Sequence[Command]) -> Objection | None:
    """An argument that no command has."""
    names = {p.name for c in commands for p in c.parameters} | {n for c in commands for n in c.fixed}
    odd = sorted(set(call.arguments) - names)
    return Objection("value_misfit", {"value": odd[0]}) if odd else None


def _unlike(call: Call, commands: Sequence[Command]) -> Objection | None:
    """An argument that is not what its parameter takes, or not what always goes with the command."""
    for command in commands:
        for name, value in command.fixed.items():
            if call.arguments.get(name, value) != value:
                return Objection("value_misfit", {"value": _told(call.arguments[name])})
        for parameter in (p for p in command.parameters if p.name in call.arguments):
            if found := _misfit(parameter, call.arguments[parameter.name]):
                return found
    return None


def _misfit(parameter: Parameter, value: object) -> Objection | None:
    if parameter.choices:
        listed = [choice.value for choice in parameter.choices]
        if value in listed or str(value) in map(str, listed):
            return None
        return Objection("unknown_value", {"value": _told(value), "choices": ", ".join(map(str, listed))})
    if not _TAKES[parameter.kind](value):
        return Objection("value_misfit", {"value": _told(value)})
    if parameter.kind == "number" and isinstance(value, int | float):
        return _beyond(parameter, value / parameter.scale)
    return None


def _beyond(parameter: Parameter, number: float) -> Objection | None:
    """``number`` is in the units of the limits."""
    low, high = parameter.minimum, parameter.maximum
    if (low is None or number >= low - SLACK) and (high is None or number <= high + SLACK):
        return None
    limits = {n: v for n, v in (("minimum", low), ("maximum", high)) if v is not None}
    return Objection("out_of_range", {**limits, "value": number})


def _told(value: object) -> Scalar:
    return value if isinstance(value, str | int | float | bool) else str(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TAKES: Mapping[ParameterKind, Callable[[object], bool]] = {
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "text": lambda value: isinstance(value, str) or _is_number(value),
    "choice": lambda value: isinstance(value, str) or _is_number(value),
    "color": lambda value: bool(value) and isinstance(value, str | list | tuple | Mapping),
    "object": lambda value: value is not None,
}
