"""Arguments as a model wrote them, converted to a command's types, or the refusal that says why not."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from winnow.act.effects.commands import command_of
from winnow.language.encode import INVISIBLE
from winnow.types.home import Command, HomeView, Parameter, ParameterKind, Scalar
from winnow.types.verdict import Call, Refusal

MAX_ARGUMENT_CHARS = 256
"""Characters of a text that is sent to a device."""
_NUMBER = re.compile(r"\s*([-+]?\d{1,12}(?:\.\d{1,6})?)\s*%?\s*", re.ASCII)
_RGB = re.compile(r"\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)", re.ASCII)
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}|[A-Za-z_ ]{3,32}", re.ASCII)
BIGGEST, FULL = 1e9, 255
TRUTHS = {"true": True, "false": False}


class _UnfitArgument(Exception):  # noqa: N818 - never leaves this module
    """The value is none that the parameter takes."""


def fit_arguments(call: Call, view: HomeView) -> Call | Refusal:
    """The call with its arguments in the types of the command; a refusal names the first that is wrong."""
    device = view.devices[call.device_id]
    command = command_of(call, view.profile(device.id))
    if command is None:
        return Refusal("no_such_command", {"name": device.name, "what": call.command_id}, (device.id,))
    if found := _unknown(call.arguments, command) or _missing(call.arguments, command):
        code, what = found
        return Refusal(code, {"name": device.name, "what": what[:64]}, (device.id,))
    # The call with each argument in its type, and those that always go with it
    values: dict[str, object] = dict(command.fixed)
    parameters = [p for p in command.parameters if p.name in call.arguments and p.name not in command.fixed]
    for parameter in parameters:
        try:
            values[parameter.name] = _FIT[parameter.kind](call.arguments[parameter.name], parameter)
        except _UnfitArgument:
            return _misfit(call, device.name, parameter)
    return Call(device.id, call.command_id, values)


def _unknown(given: Mapping[str, object], command: Command) -> tuple[str, str] | None:
    """The first argument that the command does not take.

    What always goes with it may be said again, and not otherwise.
    """
    known = {p.name for p in command.parameters if p.name not in command.fixed}
    again = {name for name, value in command.fixed.items() if name in given and given[name] == value}
    return next((("argument_unknown", name) for name in given if name not in known | again), None)


def _missing(given: Mapping[str, object], command: Command) -> tuple[str, str] | None:
    there = {*given, *command.fixed}
    wanted = (p.name for p in command.parameters if p.required and p.name not in there)
    return next((("argument_missing", name) for name in wanted), None)


def _misfit(call: Call, name: str, parameter: Parameter) -> Refusal:
    """Beyond the limits, or of another kind."""
    value = call.arguments[parameter.name]
    number = _as_number(value)
    if parameter.kind == "number" and number is not None:
        limits = {
            "minimum": _wire(parameter.minimum, parameter),
            "maximum": _wire(parameter.maximum, parameter),
        }
        return Refusal("out_of_range", {"name": name, **limits, "value": number}, (call.device_id,))
    told = value if isinstance(value, str | int | float) else type(value).__name__
    facts: dict[str, Scalar] = {"name": name, "what": parameter.name, "value": str(told)[:64]}
    return Refusal("argument_wrong", facts, (call.device_id,))


def _wire(limit: float | None, parameter: Parameter) -> float | None:
    """The limit as it is sent."""
    return None if limit is None else round(limit * parameter.scale, 6)


def _as_number(value: object) -> int | float | None:
    """The number it is or says."""
    if isinstance(value, str) and (said := _NUMBER.fullmatch(value)):
        number = float(said[1])
        return int(number) if number.is_integer() and "." not in said[1] else number
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def _number(value: object, parameter: Parameter) -> object:
    number = _as_number(value)
    low, high = _wire(parameter.minimum, parameter), _wire(parameter.maximum, parameter)
    if number is None or abs(number) > BIGGEST or (low is not None and number < low):
        raise _UnfitArgument
    if high is not None and number > high:
        raise _UnfitArgument
    return number


def _choice(value: object, parameter: Parameter) -> object:
    """The choice it is, whatever its case; a number also as text."""
    if not isinstance(value, str | int | float):
        raise _UnfitArgument
    wanted = str(value).strip().casefold()
    for choice in parameter.choices:
        alike = isinstance(choice.value, bool) == isinstance(value, bool)
        if str(choice.value).casefold() == wanted and (alike or isinstance(value, str)):
            return choice.value
    raise _UnfitArgument


def _text(value: object, parameter: Parameter) -> object:
    """One line of a sensible length."""
    if (
        not isinstance(value, str)
        or not value.strip()
        or len(value) > MAX_ARGUMENT_CHARS
        or INVISIBLE.search(value)
    ):
        raise _UnfitArgument
    return value


def _colour(value: object, parameter: Parameter) -> object:
    """Three parts of red, green and blue, or a name."""
    if not isinstance(value, str):
        raise _UnfitArgument
    if parameter.unit != "rgb":
        if not _COLOUR.fullmatch(value):
            raise _UnfitArgument
        return value
    parts = _RGB.fullmatch(value)
    if parts is None or any(int(part) > FULL for part in parts.groups()):
        raise _UnfitArgument
    return "({},{},{})".format(*map(int, parts.groups()))


def _boolean(value: object, parameter: Parameter) -> object:
    said = TRUTHS.get(value.strip().casefold()) if isinstance(value, str) else value
    if not isinstance(said, bool):
        raise _UnfitArgument
    return said


def _object(value: object, parameter: Parameter) -> object:
    """What only the engine itself puts together."""
    raise _UnfitArgument


_FIT: Mapping[ParameterKind, Callable[[object, Parameter], object]] = {
    "number": _number,
    "choice": _choice,
    "text": _text,
    "color": _colour,
    "boolean": _boolean,
    "object": _object,
}
