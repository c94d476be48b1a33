"""A value as said -> the argument a command takes, or why it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from winnow.language.families import RESTING, STARTING, STOPPING
from winnow.language.lexicon import surfaces
from winnow.language.normalise import fold, normalise
from winnow.types.catalog import Command, Device, Parameter, Profile, Scalar
from winnow.types.query import QueryIR, Value
from winnow.types.verdict import Refusal

States = Mapping[str, Scalar]
"""Attribute id -> value of one device."""

SPEEDS = ("off", "quiet", "sleep", "low", "medium", "mid", "high", "strong", "turbo", "max")
"""Named fan speeds in order."""
DEFAULT_STEP = {
    "Brightness": 10.0,
    "Volume": 10.0,
    "Temperature": 1.0,
    "ColorTemperature": 500.0,
    "FanSpeed": 20.0,
    "Cover": 10.0,
}
"""How far a step goes when nobody says: percent, degrees, kelvin."""
PERCENT_STEP = 10.0
"""How far a native step goes when nobody says."""
QUANTITY = {
    "Brightness": ("brightness",), "Volume": ("volume",), "Temperature": ("setpoint",), "ColorTemperature": ("color_temperature",),
    "FanSpeed": ("fan_speed",), "Cover": ("position",), "Valve": ("position",), "Humidity": ("setpoint", "humidity"),
    "Intensity": ("intensity",), "Interval": ("interval",), "Level": ("level",),
}  # fmt: skip
RGB = {
    "red": (255, 0, 0), "orange": (255, 165, 0), "yellow": (255, 255, 0), "green": (0, 128, 0), "cyan": (0, 255, 255), "blue": (0, 0, 255),
    "purple": (128, 0, 128), "pink": (255, 192, 203), "white": (255, 255, 255), "magenta": (255, 0, 255),
}  # fmt: skip
RUNNING = ("auto", "on", "run", "heat", "medium", "mid", "low", "cool", "normal", "standard")
STOPPED = (*RESTING, "0", "none")
SETTING_GOING = STARTING - {"open"}
"""Verbs that any value of a choice fulfils but one of rest; what is opened has no such value."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The argument to send, in wire units; None when the command takes none."""

    argument: object = None


def setting(
    parameter: Parameter, command: Command, query: QueryIR, device: Device, profile: Profile, states: States
) -> Setting | Refusal:
    """What ``parameter`` should be for the query's value on this device, which reports ``states``."""
    value = query.value
    if value is None:
        return _verb_setting(parameter, command, query)
    if value.unit in {"room", "media"}:
        return Setting(value.text) if parameter.kind == "text" else Refusal("value_misfit")
    if value.kind == "extreme":
        return _extreme(parameter, value)
    if value.kind == "relative":
        return _relative(parameter, command, value, device, profile, states)
    if value.number is None:
        return _named(parameter, value)
    return _number(parameter, value.number, value.unit, device)


def no_ability(device: Device) -> Refusal:
    """The device cannot do it."""
    return Refusal("no_ability", {"name": device.name}, (device.id,))


def _wire(parameter: Parameter, number: float) -> Setting:
    scaled = number * parameter.scale
    return Setting(int(scaled) if scaled == int(scaled) and parameter.scale == 1.0 else round(scaled, 4))


def _verb_setting(parameter: Parameter, command: Command, query: QueryIR) -> Setting | Refusal:
    """A verb alone on a command that wants a value: any running value for on, the stopped one for off."""
    stops = query.action in STOPPING
    wanted = {"pause": ("pause", "paused"), "dock": ("homing", "home", "return")}.get(
        query.action, STOPPED if stops else RUNNING
    )
    if parameter.kind == "choice":
        by_value = {fold(str(c.value)): c.value for c in parameter.choices}
        hit = next((by_value[w] for w in wanted if w in by_value), None)
        if hit is None and not stops and query.action in SETTING_GOING:
            hit = next((c.value for c in parameter.choices if fold(str(c.value)) not in STOPPED), None)
        return Setting(hit) if hit is not None else Refusal("value_missing")
    if parameter.kind == "boolean":
        return Setting(not stops)
    if parameter.kind != "number" or not command.trait.startswith(("FanSpeed", "Cover")):
        return Refusal("value_missing")
    low, high = parameter.minimum or 0.0, parameter.maximum or 100.0
    if command.trait.startswith("Cover"):
        return _wire(parameter, low if stops else high)
    if stops:
        return _wire(parameter, 0.0) if low <= 0 else Refusal("value_missing")
    return _wire(parameter, float(round((low + high) / 2)))


def _number(parameter: Parameter, number: float, unit: str, device: Device) -> Setting | Refusal:
    if parameter.kind == "choice":
        return _numbered_choice(parameter, number, unit)
    if parameter.kind not in {"number", "text"}:
        return Refusal("value_misfit")
    if parameter.kind == "text":
        return Setting(f"{number:g}")
    if unit == "fahrenheit" and parameter.unit.upper().endswith("C"):
        number = (number - 32) / 1.8
    if unit == "celsius" and parameter.unit.upper().endswith("F"):
        number = number * 1.8 + 32
    if (unit == "kelvin" and parameter.unit not in {"K", ""}) or (
        unit == "%" and parameter.unit in {"C", "F", "K"}
    ):
        return Refusal("value_misfit")
    if (parameter.minimum is not None and number < parameter.minimum) or (
        parameter.maximum is not None and number > parameter.maximum
    ):
        facts: dict[str, Scalar] = {
            "name": device.name,
            "minimum": parameter.minimum,
            "maximum": parameter.maximum,
            "value": number,
        }
        return Refusal("out_of_range", facts, (device.id,))
    return _wire(parameter, number)


def _numbered_choice(parameter: Parameter, number: float, unit: str) -> Setting | Refusal:
    text = f"{number:g}"
    for choice in parameter.choices:
        if fold(str(choice.value)) == text:
            return Setting(choice.value)
    ordered = [c.value for c in parameter.choices if fold(str(c.value)) in SPEEDS[2:]]
    if unit == "level" and 1 <= number <= len(ordered):
        return Setting(ordered[int(number) - 1])
    return Refusal("value_misfit")


def _named(parameter: Parameter, value: Value) -> Setting | Refusal:
    if parameter.kind == "color":
        rgb = RGB.get(value.text)
        if rgb is None:
            return Refusal("value_misfit")
        return Setting(f"({rgb[0]},{rgb[1]},{rgb[2]})" if parameter.unit == "rgb" else value.text)
    if parameter.kind != "choice":
        return Refusal("value_misfit")
    found = chosen(parameter, value)
    return Setting(found) if found is not None else Refusal("value_misfit")


def chosen(parameter: Parameter, value: Value) -> str | int | float | bool | None:
    """The choice that a mode word names.

    By its wire value, by a word of its text, then by a part of either.
    """
    surface = fold(value.unit)
    words = {fold(value.text), surface, *_ways_of_saying(value.text)} - {""}
    rows = [
        (c.value, fold(str(c.value)), tuple(fold(t) for t in c.text.split(" / "))) for c in parameter.choices
    ]
    whole = [v for v, wire, texts in rows if wire in words or words.intersection(texts)]
    spoken = [v for v, _, texts in rows if surface and any(surface in t for t in texts)]
    parts = [
        v
        for v, wire, texts in rows
        if any(len(w) > 1 and (w in wire or any(w in t for t in texts)) for w in words)
    ]
    return next(iter([*whole, *spoken, *parts]), None)


@lru_cache(maxsize=256)
def _ways_of_saying(mode: str) -> tuple[str, ...]:
    """Every folded word of the lexicon for a canonical mode."""
    return tuple(fold(word) for word, canonical in surfaces("mode").items() if canonical == mode)


def _extreme(parameter: Parameter, value: Value) -> Setting | Refusal:
    top = value.direction > 0
    if parameter.kind == "number" and parameter.maximum is not None:
        low = parameter.minimum or 0.0
        return _wire(parameter, parameter.maximum if top else max(low, 1.0) if parameter.unit == "%" else low)
    if parameter.kind == "choice":
        ordered = [c.value for s in SPEEDS[1:] for c in parameter.choices if fold(str(c.value)) == s]
        if ordered:
            return Setting(ordered[-1] if top else ordered[0])
    return Refusal("value_misfit")


def current(command: Command, device: Device, profile: Profile, states: States) -> float | None:
    """The present value of what the command sets, in spoken units."""
    trait = command.trait.split(".")[0]
    wanted = QUANTITY.get(trait, (trait.lower(),))
    for quantity in wanted:
        for attribute in profile.attributes:
            if attribute.quantity != quantity or attribute.id == "state":
                continue
            state = states.get(attribute.id)
            if isinstance(state, int | float) and not isinstance(state, bool):
                if attribute.id == "brightness" and "." in device.id and command.id.startswith("light."):
                    return state / 255 * 100
                if attribute.id == "volume_level":
                    return state * 100
                return float(state)
    return None


def _relative(
    parameter: Parameter, command: Command, value: Value, device: Device, profile: Profile, states: States
) -> Setting | Refusal:
    trait, action = command.trait.split(".")[0], command.trait.split(".")[-1]
    amount = value.number if value.number is not None else DEFAULT_STEP.get(trait, 10.0)
    if action == "Step":
        if value.number is not None and parameter.maximum is not None and value.number > parameter.maximum:
            return Refusal(
                "out_of_range",
                {"name": device.name, "maximum": parameter.maximum, "value": value.number},
                (device.id,),
            )
        return Setting(value.direction * (value.number if value.number is not None else PERCENT_STEP))
    now = current(command, device, profile, states)
    if parameter.kind == "choice":
        counted = (
            value.number is not None
            and value.unit in {"level", ""}
            and value.number <= len(parameter.choices)
        )
        steps = int(value.number or 1) if counted else 1
        return _next_speed(
            parameter, value.direction * steps, command, profile, states, stepped=value.number is not None
        )
    if parameter.kind != "number":
        return Refusal("value_misfit")
    if now is None:
        return Setting({"step": value.direction * amount})
    goal = now + value.direction * amount
    if value.number is None:
        goal = _kept_within(parameter, goal)
    return _number(parameter, goal, "", device)


def _kept_within(parameter: Parameter, number: float) -> float:
    """The number, or the limit it is beyond."""
    if parameter.minimum is not None and number < parameter.minimum:
        return parameter.minimum
    if parameter.maximum is not None and number > parameter.maximum:
        return parameter.maximum
    return number


def _next_swing(parameter: Parameter, direction: int, states: States) -> Setting:
    """The swing position so many levels from the present one, in the order the device lists them."""
    ordered = [c.value for c in parameter.choices if fold(str(c.value)) in {"down", "middle", "up"}]
    told = {normalise(str(v)) for v in states.values()}
    at = next((i for i, v in enumerate(ordered) if normalise(str(v)) in told), len(ordered) // 2)
    return Setting(ordered[min(max(at + direction, 0), len(ordered) - 1)])


def _next_speed(
    parameter: Parameter,
    direction: int,
    command: Command,
    profile: Profile,
    states: States,
    *,
    stepped: bool = False,
) -> Setting | Refusal:
    if (
        command.trait == "Swing.Set"
        and abs(direction) >= 1
        and any(fold(str(c.value)) == "middle" for c in parameter.choices)
        and stepped
    ):
        return _next_swing(parameter, direction, states)
    way = next(
        (c.value for c in parameter.choices if fold(str(c.value)) == ("up" if direction > 0 else "down")),
        None,
    )
    if way is not None:
        return Setting(way)
    ordered = [c.value for s in SPEEDS[2:] for c in parameter.choices if fold(str(c.value)) == s]
    if not ordered:
        return Refusal("value_misfit")
    told = [normalise(str(states.get(a.id, ""))) for a in profile.attributes if a.quantity == "fan_speed"]
    at = next((i for i, v in enumerate(ordered) if normalise(str(v)) in told), len(ordered) // 2)
    return Setting(ordered[min(max(at + direction, 0), len(ordered) - 1)])
