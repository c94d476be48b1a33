"""A value as said -> the argument a command takes, or why it cannot be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from winnow.decide import choices
from winnow.decide.choices import ChoiceValue
from winnow.language.content_words import STOPPING, little
from winnow.language.kinds import rgb
from winnow.language.tables import table
from winnow.types.home import Attribute, Command, Device, Parameter, Profile, Scalar
from winnow.types.query import QueryIR, Value, of_kind
from winnow.types.verdict import Refusal

# The levels of what a command sets: a level is one of those the device has, never a share of its range.


MAX_LEVELS = 12
"""Steps of a range that people still call levels."""
FULL_PERCENT = 100.0
LEVEL_TOLERANCE = 0.01
"""How far a share may lie above its level: a third is written 33, and 33.34."""


def level_count(parameter: Parameter) -> int:
    """How many levels it has beside off; 0 where nothing tells, or where they are too many to be levels."""
    if parameter.kind != "number" or parameter.maximum is None:
        return 0
    apart = parameter.step or (0.0 if parameter.unit else 1.0)
    many = round(parameter.maximum / apart) if apart else 0
    return many if 1 < many <= MAX_LEVELS else 0


def level_value(parameter: Parameter, level: int) -> float:
    """The value of a level; of a share the whole percent that does not reach into the next level."""
    return float(int(_level_width(parameter) * level + LEVEL_TOLERANCE))


def level_of(parameter: Parameter, value: float) -> int:
    """The level a value lies in; 0 is off."""
    return min(level_count(parameter), max(0, ceil(value / _level_width(parameter) - LEVEL_TOLERANCE)))


def _level_width(parameter: Parameter) -> float:
    return (parameter.maximum or FULL_PERCENT) / level_count(parameter)


# Numbers as said, in the unit of what is set or read.


OF_UNITS = {"kelvin": ("K", ""), "ampere": ("A", ""), "centimetre": ("cm", "m", "")}
"""What is said in one of these can only be set in one of those."""


def in_unit(number: float, said: str, unit: str) -> float:
    """``number`` in ``unit`` (``°C``, ``F``, ``m`` ...); as it is where ``said`` names no other than that."""
    if said == "celsius" and unit.upper().endswith("F"):
        return number * 1.8 + 32
    if said == "fahrenheit" and unit.upper().endswith("C"):
        return (number - 32) / 1.8
    return number / 100 if (said, unit) == ("centimetre", "m") else number


def comparable(said: str, unit: str) -> bool:
    """Whether a number said in one unit can be one of the other: no percent is a temperature."""
    if said in OF_UNITS:
        return unit in OF_UNITS[said]
    return said != "%" or unit not in {"C", "F", "K"}


States = Mapping[str, Scalar]
"""Attribute id -> value of one device."""
FELT = "temperature"
"""What warmer and colder speak of: of light, warmer is a lower colour temperature."""
SPEED = "fan_speed"
"""A bare number of it counts the speeds."""
LEVEL = "level"
HEIGHT = "height"
SPEEDS = {"low": 1 / 3, "medium": 2 / 3, "high": 1.0}
"""What share of its range a speed is that a fan with a range has no list of."""
DARK_AT_ZERO = frozenset({"Brightness", "FanSpeed", "Volume"})
"""Families of which nothing at all is off, or silence: a step never goes there."""
OPENED = frozenset({"Cover", "Valve"})
"""Families that stand open or shut at their ends: a little never reaches either."""
STEP = 10.0
"""How far a step goes when nobody says, of a native step and of what ``values.yaml`` does not list."""


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
        return _of_a_verb(query.action, parameter, command)
    if value.unit in {"room", "media"}:
        return Setting(value.text) if parameter.kind == "text" else Refusal("value_misfit")
    if value.kind == "extreme":
        return _extreme(parameter, command, _as_felt(value, query, command).direction)
    if value.kind == "relative":
        return _relative(parameter, command, _as_felt(value, query, command), device, profile, states)
    if value.number is None:
        return _named_setting(parameter, command, value)
    counted = not value.unit and _counts_speeds(parameter, command, query, value.number)
    return _number(parameter, value.number, LEVEL if counted else value.unit, device)


def _counts_speeds(parameter: Parameter, command: Command, query: QueryIR, number: float) -> bool:
    """Whether a bare number is one of the speeds: of a list by its place, of a range where it has so many."""
    if parameter.kind == "choice":
        return query.property == SPEED
    return command.trait.startswith("FanSpeed") and 1 <= number <= level_count(parameter)


def _as_felt(value: Value, query: QueryIR, command: Command) -> Value:
    """The step as the light feels, warmer is down where cold is up, and of what swings as a height."""
    if query.property == FELT and command.trait.startswith("ColorTemperature."):
        return replace(value, direction=-value.direction)
    steps = of_kind(query.tokens, "step") if command.trait == "Swing.Set" else ()
    return replace(value, unit=HEIGHT) if steps and steps[-1].text in little("heights") else value


def no_ability(device: Device) -> Refusal:
    """The device cannot do it."""
    return Refusal("no_ability", {"name": device.name}, (device.id,))


# a verb alone, on a command that wants a value


def _of_a_verb(action: str, parameter: Parameter, command: Command) -> Setting | Refusal:
    if parameter.kind == "choice":
        return _chosen_setting(choices.choice_by_verb(action, parameter), "value_missing")
    stops = action in STOPPING
    if parameter.kind == "boolean":
        return Setting(not stops)
    if parameter.kind == "number":
        return _run(parameter, command.trait, stops)
    return Refusal("value_missing")


def _run(parameter: Parameter, trait: str, stops: bool) -> Setting | Refusal:
    """A cover goes all the way; a fan runs at half its speed. No other number can be guessed from a verb."""
    low, high = parameter.minimum or 0.0, parameter.maximum or 100.0
    if trait.startswith("Cover"):
        return _wire(parameter, low if stops else high)
    if not trait.startswith("FanSpeed"):
        return Refusal("value_missing")
    if not stops:
        return _wire(parameter, float(round((low + high) / 2)))
    return _wire(parameter, 0.0) if low <= 0 else Refusal("value_missing")


# a number


def _number(parameter: Parameter, number: float, unit: str, device: Device) -> Setting | Refusal:
    if parameter.kind == "choice":
        return _chosen_setting(choices.choice_by_number(parameter, number, unit))
    if parameter.kind == "text":
        return Setting(f"{number:g}")
    if parameter.kind != "number":
        return Refusal("value_misfit")
    return (_level if unit == LEVEL else _amount_of)(parameter, number, unit, device)


def _amount_of(parameter: Parameter, number: float, unit: str, device: Device) -> Setting | Refusal:
    if not comparable(unit, parameter.unit):
        return Refusal("value_misfit")
    number = in_unit(number, unit, parameter.unit)
    if 0 < number < 1 and not unit and (parameter.maximum or 0) >= FULL_PERCENT:
        return Refusal("value_misfit", {"name": device.name, "value": number}, (device.id,))
    if _kept_within(parameter, number) != number:
        return _out_of_range(parameter, number, device)
    return _wire(parameter, number)


def _level(parameter: Parameter, number: float, unit: str, device: Device) -> Setting | Refusal:
    """One of the levels the device has; which share one is of an unknown number of them, nobody knows."""
    many = level_count(parameter)
    if not many:
        unknown = Refusal("levels_unknown", {"name": device.name}, (device.id,))
        return unknown if parameter.unit == "%" else _amount_of(parameter, number, unit, device)
    if number != int(number) or not 1 <= number <= many:
        return _out_of_range(replace(parameter, minimum=1.0, maximum=float(many)), number, device)
    return _wire(parameter, level_value(parameter, int(number)))


def _out_of_range(parameter: Parameter, number: float, device: Device) -> Refusal:
    limits = {"minimum": parameter.minimum, "maximum": parameter.maximum}
    return Refusal("out_of_range", {"name": device.name, **limits, "value": number}, (device.id,))


def _kept_within(parameter: Parameter, number: float) -> float:
    """The number, or the limit it is beyond."""
    if parameter.minimum is not None and number < parameter.minimum:
        return parameter.minimum
    if parameter.maximum is not None and number > parameter.maximum:
        return parameter.maximum
    return number


def _wire(parameter: Parameter, number: float) -> Setting:
    scaled = number * parameter.scale
    whole = scaled == int(scaled) and parameter.scale == 1.0
    return Setting(int(scaled) if whole else round(scaled, 4))


# a word


def _named_setting(parameter: Parameter, command: Command, value: Value) -> Setting | Refusal:
    if parameter.kind == "number" and _family(command) == "FanSpeed" and value.text in SPEEDS:
        many = level_count(parameter)
        share = SPEEDS[value.text]
        top = parameter.maximum or FULL_PERCENT
        return _wire(
            parameter, level_value(parameter, ceil(many * share)) if many else float(int(top * share))
        )
    if parameter.kind == "choice":
        return _chosen_setting(choices.choice_by_mode(parameter, value))
    if parameter.kind == "color":
        parts = rgb(value.text)
        if parts is None:
            return Refusal("value_misfit")
        return Setting("({},{},{})".format(*parts) if parameter.unit == "rgb" else value.text)
    return Refusal("value_misfit")


def _chosen_setting(choice: ChoiceValue | None, otherwise: str = "value_misfit") -> Setting | Refusal:
    return Setting(choice) if choice is not None else Refusal(otherwise)


# the most, the least


def _extreme(parameter: Parameter, command: Command, direction: int) -> Setting | Refusal:
    if parameter.kind == "choice":
        return _chosen_setting(choices.extreme_choice(parameter, direction))
    if parameter.kind != "number" or parameter.maximum is None:
        return Refusal("value_misfit")
    if direction > 0:
        return _wire(parameter, parameter.maximum)
    # the least light is still light: none at all is what off is for; what is open the least is shut
    least = 1.0 if parameter.unit == "%" and _family(command) not in OPENED else parameter.minimum or 0.0
    return _wire(parameter, _least(parameter, command, least))


def _least(parameter: Parameter, command: Command, otherwise: float) -> float:
    """The lowest value that a step or ``the lowest`` may reach."""
    low = parameter.minimum or 0.0
    if _family(command) in DARK_AT_ZERO and low <= 0:
        return level_value(parameter, 1) if level_count(parameter) else 1.0
    return max(low, otherwise)


def _family(command: Command) -> str:
    return command.trait.partition(".")[0]


# more, less


def _is_off(profile: Profile, states: States) -> bool:
    """What is off has no present value to read later either; any other may be read before it is done."""
    main = (a.id for a in profile.attributes if a.id == "state" or a.quantity == "switch")
    return any(states.get(attribute) == "off" for attribute in main)


def _relative(
    parameter: Parameter, command: Command, value: Value, device: Device, profile: Profile, states: States
) -> Setting | Refusal:
    # a cover half closed is closed by half of its way, whatever it has gone so far
    if value.unit == "share" and not command.trait.startswith("Cover"):
        return _share(parameter, command, value, device, profile, states)
    now = current(command, device, profile, states)
    if command.trait.endswith(".Step"):
        return _native_step(parameter, command, value, device, now)
    if parameter.kind == "choice":
        return _chosen_setting(_next_choice(parameter, command, value, profile, states))
    if parameter.kind != "number":
        return Refusal("value_misfit")
    if now is None and _is_off(profile, states):
        return Refusal("unread_value", {"name": device.name}, (device.id,))
    if level_count(parameter) and value.unit in {"", LEVEL}:
        return _by_levels(parameter, value, device, now)
    change = value.direction * _amount(command, value)
    if now is None:
        return Setting({"step": change})
    return _stepped_setting(parameter, command, value, device, (now, now + change))


def _by_levels(parameter: Parameter, value: Value, device: Device, now: float | None) -> Setting | Refusal:
    """So many levels further, one where nobody says; the lowest is not left downwards, for that is off."""
    change = value.direction * int(value.number or 1)
    if now is None:
        return Setting({"step": change * level_value(parameter, 1)})
    many, level = level_count(parameter), level_of(parameter, now)
    goal = level + change
    if value.number is not None and not 1 <= goal <= many:
        return _out_of_range(replace(parameter, minimum=1.0, maximum=float(many)), goal, device)
    goal = min(max(goal, 1), many)
    return _onwards(parameter, value, device, now, level_value(parameter, goal) if goal != level else now)


def _stepped_setting(
    parameter: Parameter, command: Command, value: Value, device: Device, way: tuple[float, float]
) -> Setting | Refusal:
    """From the present value to the goal of a step.

    One that nobody gave a size stops before off, shut and the limit; one that was said is done as said, or
    refused.
    """
    now, goal = way
    if value.number is not None:
        return _number(parameter, goal, "", device)
    low, high = _inside(parameter, command)
    goal = _kept_within(replace(parameter, minimum=low, maximum=high), goal)
    return _onwards(parameter, value, device, now, goal)


def _inside(parameter: Parameter, command: Command) -> tuple[float | None, float | None]:
    """How far a step may go either way."""
    low, high = parameter.minimum, parameter.maximum
    if low is not None and high is not None and _family(command) in OPENED:
        return low + 1, high - 1
    return (None if low is None else _least(parameter, command, low)), high


def _onwards(
    parameter: Parameter, value: Value, device: Device, now: float, goal: float
) -> Setting | Refusal:
    """The goal, or what is so now where the goal lies the other way."""
    return _number(parameter, goal if (goal - now) * value.direction >= 0 else now, "", device)


def _share(
    parameter: Parameter, command: Command, value: Value, device: Device, profile: Profile, states: States
) -> Setting | Refusal:
    """So much of the present value less or more; unknown when nobody reports the present value."""
    now = current(command, device, profile, states)
    if command.trait.endswith(".Step") or parameter.kind != "number" or now is None or value.number is None:
        return Refusal("value_misfit")
    goal = float(round(now * (1 + value.direction * value.number / 100)))
    return _stepped_setting(parameter, command, replace(value, number=None), device, (now, goal))


def _native_step(
    parameter: Parameter, command: Command, value: Value, device: Device, now: float | None
) -> Setting | Refusal:
    """The step itself: the device knows what it is added to. It is shorter where it would reach an end."""
    if value.number is not None:
        return _said_step(parameter, value, value.number, device, now)
    size = value.direction * STEP
    if now is None or _family(command) not in DARK_AT_ZERO | OPENED:
        return Setting(size)
    low, high = _inside(replace(parameter, minimum=0.0), command)
    within = replace(parameter, minimum=low, maximum=high if _family(command) in OPENED else None)
    change = float(int(_kept_within(within, now + size) - now))
    return Setting(change if change * size > 0 else 0.0)


def _said_step(
    parameter: Parameter, value: Value, number: float, device: Device, now: float | None
) -> Setting | Refusal:
    """A step as large as was said; refused where it is more than the device takes or has left."""
    size = number * (STEP if value.unit == LEVEL else 1)
    if parameter.maximum is not None and size > parameter.maximum:
        facts: dict[str, Scalar] = {"name": device.name, "maximum": parameter.maximum, "value": size}
        return Refusal("out_of_range", facts, (device.id,))
    if now is not None and now + value.direction * size < 0:
        return _out_of_range(replace(parameter, minimum=0.0), now - size, device)
    return Setting(value.direction * size)


def _next_choice(
    parameter: Parameter, command: Command, value: Value, profile: Profile, states: States
) -> ChoiceValue | None:
    steps = value.direction * _levels(parameter, value)
    # of two positions up and down are the steps themselves
    counts_heights = command.trait == "Swing.Set" and value.number is not None
    if counts_heights and choices.choices_with_names(parameter, ("middle",)):
        # what is lowered goes down, however the device lists its positions; else its own order counts
        return choices.height_after_steps(parameter, steps, states.values(), listed=value.unit != HEIGHT)
    way = choices.step_choice(parameter, steps)
    if way is not None:
        return way
    told = [states.get(a.id, "") for a in profile.attributes if a.quantity == "fan_speed"]
    return choices.speed_after_steps(parameter, steps, told)


def _levels(parameter: Parameter, value: Value) -> int:
    """How many choices further: as many as were said, if there are so many; else one."""
    number = value.number
    if number is None or value.unit not in {LEVEL, HEIGHT, ""} or number > len(parameter.choices):
        return 1
    return int(number or 1)


def _amount(command: Command, value: Value) -> float:
    """How far a step goes, in spoken units."""
    step = float(_of_trait(command).get("step", STEP))
    if value.number is not None:
        return value.number * step if value.unit == "level" else value.number
    return step


def current(command: Command, device: Device, profile: Profile, states: States) -> float | None:
    """The present value of what the command sets, in spoken units."""
    for attribute in _showing(command, profile):
        state = states.get(attribute.id)
        if command.id.endswith(".set_value"):
            state = _as_number(state)
        if isinstance(state, int | float) and not isinstance(state, bool):
            # What Home Assistant reports on scales of its own, in percent; anything else as it is
            if attribute.id == "brightness" and "." in device.id and command.id.startswith("light."):
                return state / 255 * 100
            if attribute.id == "volume_level":
                return state * 100
            return float(state)
    return None


def _as_number(state: Scalar) -> Scalar:
    """The number a state is written as; anything else as it is."""
    if not isinstance(state, str):
        return state
    return float(state) if _NUMBER.fullmatch(state) else state


_NUMBER = re.compile(r"-?\d+(\.\d+)?", re.ASCII)


def _showing(command: Command, profile: Profile) -> Sequence[Attribute]:
    """The attributes that show how much is set, best first; a main state shows only whether."""
    if command.id.endswith(".set_value"):  # a number of the home is what its state tells
        return profile.attributes
    trait = command.trait.split(".")[0]
    wanted = _of_trait(command).get("shown_by", (trait.lower(),))
    found = [a for q in wanted for a in profile.attributes if a.quantity == q and a.id != "state"]
    # of what is asked for of temperature and of humidity, the one that is called like the argument
    arguments = {p.name for p in command.parameters}
    return sorted(found, key=lambda a: a.id not in arguments)


def takes_room_ids(source: str) -> bool:
    """Whether commands of that source name a room by its id, and not by what it is called."""
    return source in table("winnow.decide", "values.yaml")["rooms_by_id"]


def _of_trait(command: Command) -> Mapping[str, Any]:
    found: Mapping[str, Any] = table("winnow.decide", "values.yaml")
    row: Mapping[str, Any] = found["traits"].get(command.trait.split(".")[0], {})
    return row
