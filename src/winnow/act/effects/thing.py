"""A device as commands see it: its attributes, its states now, and its own words for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from winnow.language.content_words import RESTING, STATE_WORDS
from winnow.language.tables import table
from winnow.types.home import Attribute, Command, Profile, Scalar
from winnow.types.verdict import Call

_LIMITS = ("supported", "available", "settable", "min", "max", "disabled")
"""Attributes that begin so say what may be, not what is."""


def effects() -> Mapping[str, Any]:
    """The table of what commands do."""
    return cast("Mapping[str, Any]", table("winnow.act.effects", "effects.yaml"))


def head_of(entry: str) -> str:
    """Component and capability of a SmartThings id (``main-switch`` of ``main-switch-on``); else empty."""
    return entry.rpartition("-")[0]


def names_of(command: Command) -> Iterator[str]:
    """What a table may know a command by, the most telling first: its native names, its trait, its end."""
    capability = head_of(command.id).rpartition("-")[2]
    end = command.id.rpartition("-")[2]
    if capability:
        yield f"{capability}-{end}"
        yield f"{capability.rpartition('.')[2]}-{end}"
    if "." in command.id:
        yield command.id
    yield command.trait
    if capability:
        yield end


@dataclass(frozen=True, slots=True)
class DeviceStates:
    """A device: what it can tell, and what it tells now."""

    profile: Profile
    states: Mapping[str, Scalar]

    def about(self, what: str, command: Command) -> Attribute | None:
        """The attribute of a quantity, nearest to the command; ``own.mode``: of its own capability."""
        if what.startswith("own"):
            return self.own(what.partition(".")[2], command)
        told = [a for a in self.profile.attributes if a.quantity == what and _reachable(a.id, command.id)]
        return max(told, key=lambda a: head_of(a.id) == head_of(command.id), default=None)

    def own(self, name: str, command: Command) -> Attribute | None:
        """The attribute of that name of the command's capability; without a name, its first one."""
        head = head_of(command.id)
        if not head:
            return None
        own = (a for a in self._all() if head_of(a.id) == head)
        ends = ((a, a.id.rpartition("-")[2]) for a in own)
        fits = (a for a, end in ends if end == name or (not name and not end.startswith(_LIMITS)))
        return next(fits, None)

    def attribute_by_id(self, name: str) -> Attribute | None:
        """The attribute of exactly that id, whether it is declared or only told."""
        return next((a for a in self._all() if a.id == name), None)

    def _all(self) -> Iterator[Attribute]:
        """What is declared, then what is told beside that."""
        yield from self.profile.attributes
        declared = {a.id for a in self.profile.attributes}
        yield from (Attribute(name) for name in self.states if name not in declared)

    def set_by(self, command: Command) -> Attribute | None:
        """The attribute that shows what a command sets: never that of another setting of the same sort."""
        end = command.id.rpartition("-")[2]
        if head_of(command.id):
            return self._of_setter(end, command)
        names = [p.name for p in command.parameters]
        if "." in command.id:
            return (
                next(map(self._argument_attribute, names), None)
                if names
                else self.about(quantity_of(command), command)
            )
        plain = [*names, end.removeprefix("set_")]
        return next(filter(None, map(self.attribute_by_id, plain)), None) or self.about(
            quantity_of(command), command
        )

    def _argument_attribute(self, parameter: str) -> Attribute | None:
        """The attribute that shows an argument of Home Assistant's."""
        return self.attribute_by_id(effects()["parameters"].get(parameter, parameter))

    def _of_setter(self, end: str, command: Command) -> Attribute | None:
        """``main-fanMode-setFanMode`` -> ``main-fanMode-fanMode``."""
        told = self.about(quantity_of(command), command)
        if not end.startswith("set") or not command.parameters:
            return told
        name = effects()["setters"].get(end) or end[3:4].lower() + end[4:]
        beside = told if told and head_of(told.id) == head_of(command.id) else None
        return self.own(name, command) or beside

    def spelt(self, state: str | float, attribute: Attribute, between: bool = False) -> Scalar:
        """A state in the device's own words."""
        if not isinstance(state, str):
            return self.device_scalar(state, attribute)
        if isinstance(self.states.get(attribute.id), bool):
            return state in effects()["true_when"]
        if between and (word := effects()["partly"].get(state)) in attribute.values:
            return str(word)
        if state == "awake":
            spellings = self._awake()
        else:
            spellings = STATE_WORDS.get(state) or effects()["spellings"].get(state) or [state]
        return next((word for word in spellings if word in attribute.values), spellings[0])

    def _awake(self) -> Sequence[str]:
        """What it may run at, the likeliest first."""
        modes = [str(c.value) for command in self.profile.commands for c in _modes(command)]
        likely = [word for word in effects()["awake"] if word in modes]
        return likely or [word for word in modes if word not in RESTING] or ["on"]

    def device_scalar(self, number: float, attribute: Attribute) -> Scalar:
        """A number as the device writes numbers: Home Assistant's are text where they are a state."""
        now = self.states.get(attribute.id)
        if not isinstance(now, str) or as_number(now) is None:
            return int(number) if isinstance(now, int) and not number % 1 else number
        return str(float(number)) if "." in now or number % 1 else str(int(number))


def quantity_of(command: Command) -> str:
    """The quantity that a command sets."""
    family = command.trait.partition(".")[0]
    return str(effects()["sets"].get(family, family.lower()))


def as_number(value: object) -> float | None:
    """A number, also one that is written as text; None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _modes(command: Command) -> Iterator[Any]:
    if command.trait == "Mode.Set" and not command.id.endswith("preset_mode"):
        yield from (choice for p in command.parameters for choice in p.choices)


def _reachable(attribute: str, command: str) -> bool:
    """Whether both are of one component, or neither is of any."""
    mine, its = head_of(command), head_of(attribute)
    return not (mine and its) or mine.rpartition("-")[0] == its.rpartition("-")[0]


# Which commands of a profile a call means (several may share a native id), and which may be sent twice.


def command_of(call: Call, profile: Profile) -> Command | None:
    """Of the commands that share a native id, the one whose arguments these are."""
    same = (c for c in profile.commands if c.id == call.command_id)
    return min(same, key=lambda c: _misfit(c, call), default=None)


def commands_of(call: Call, profile: Profile) -> tuple[Command, ...]:
    """The commands that a call gives at once: the one that its arguments fit, else all that want any of them.

    ``light.turn_on`` with a brightness and a colour is two.
    """
    one = command_of(call, profile)
    if one is None:
        return ()
    if _misfit(one, call):
        # The commands of that id whose arguments are all among the call's
        same = (c for c in profile.commands if c.id == call.command_id and _goal_attributes(c))
        several = tuple(c for c in same if _goal_attributes(c) <= call.arguments.keys() and _fits(c, call))
    else:
        several = ()
    return several if len(several) > 1 else (one,)


def _goal_attributes(command: Command) -> set[str]:
    return {p.name for p in command.parameters if p.required} | set(command.fixed)


def _fits(command: Command, call: Call) -> bool:
    """Whether what always goes with the command goes with the call."""
    return all(call.arguments.get(name, value) == value for name, value in command.fixed.items())


def _misfit(command: Command, call: Call) -> int:
    """How many arguments are missing, too many, or another's."""
    given = set(call.arguments)
    optional = {p.name for p in command.parameters if p.name in given}
    others = sum(call.arguments.get(name, value) != value for name, value in command.fixed.items())
    return len(given ^ (_goal_attributes(command) | optional)) + others


# A call is idempotent where the table of effects says so.


def repeatable(call: Call, profile: Profile) -> bool:
    """Whether sending it twice does the same as sending it once; no for what no table knows."""
    command = command_of(call, profile)
    if command is None or not command.trait or "step" in call.arguments:
        return False
    return not {command.trait, command.trait.partition(".")[2]} & set(effects()["once"])
