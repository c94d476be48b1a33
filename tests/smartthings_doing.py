"""What commands make of the devices of the stand-in, by a table of its own, so that it can disagree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

Status = dict[str, Any]
Changes = dict[tuple[str, str], Any]
"""(capability, attribute) -> value."""
MOST = 10
WHOLE: Callable[[Any], bool] = lambda v: type(v) is int  # noqa: E731
NUMBER: Callable[[Any], bool] = lambda v: type(v) in (int, float)  # noqa: E731
WORD: Callable[[Any], bool] = lambda v: isinstance(v, str)  # noqa: E731
COLOUR: Callable[[Any], bool] = lambda v: isinstance(v, dict) and {"hue", "saturation"} <= v.keys()  # noqa: E731
TRUTH: Callable[[Any], bool] = lambda v: isinstance(v, bool)  # noqa: E731

PUTS: Mapping[tuple[str, str], Changes] = {
    ("switch", "on"): {("switch", "switch"): "on"},
    ("switch", "off"): {("switch", "switch"): "off"},
    ("lock", "lock"): {("lock", "lock"): "locked"},
    ("lock", "unlock"): {("lock", "lock"): "unlocked"},
    ("windowShade", "open"): {
        ("windowShade", "windowShade"): "open",
        ("windowShadeLevel", "shadeLevel"): 100,
    },
    ("windowShade", "close"): {
        ("windowShade", "windowShade"): "closed",
        ("windowShadeLevel", "shadeLevel"): 0,
    },
    ("audioMute", "mute"): {("audioMute", "mute"): "muted"},
    ("audioMute", "unmute"): {("audioMute", "mute"): "unmuted"},
}
"""What commands without arguments change."""
TAKES: Mapping[tuple[str, str], tuple[Callable[[Any], bool], ...]] = {
    ("switchLevel", "setLevel"): (WHOLE,),
    ("statelessSwitchLevelStep", "stepLevel"): (WHOLE,),
    ("colorControl", "setColor"): (COLOUR,),
    ("colorTemperature", "setColorTemperature"): (WHOLE,),
    ("windowShadeLevel", "setShadeLevel"): (WHOLE,),
    ("audioVolume", "setVolume"): (WHOLE,),
    ("thermostatCoolingSetpoint", "setCoolingSetpoint"): (NUMBER,),
    ("thermostatHeatingSetpoint", "setHeatingSetpoint"): (NUMBER,),
    ("thermostatMode", "setThermostatMode"): (WORD,),
    ("airConditionerMode", "setAirConditionerMode"): (WORD,),
    ("airConditionerFanMode", "setFanMode"): (WORD,),
    ("robotCleanerMovement", "setRobotCleanerMovement"): (WORD,),
    ("securitySystem", "armAway"): (TRUTH,),
    ("securitySystem", "armStay"): (TRUTH,),
}
"""What the arguments have to be, one after the other; anything else is refused."""
SETS: Mapping[tuple[str, str], str] = {
    ("switchLevel", "setLevel"): "level",
    ("colorTemperature", "setColorTemperature"): "colorTemperature",
    ("windowShadeLevel", "setShadeLevel"): "shadeLevel",
    ("audioVolume", "setVolume"): "volume",
    ("thermostatCoolingSetpoint", "setCoolingSetpoint"): "coolingSetpoint",
    ("thermostatHeatingSetpoint", "setHeatingSetpoint"): "heatingSetpoint",
    ("thermostatMode", "setThermostatMode"): "thermostatMode",
    ("airConditionerMode", "setAirConditionerMode"): "airConditionerMode",
    ("airConditionerFanMode", "setFanMode"): "fanMode",
    ("robotCleanerMovement", "setRobotCleanerMovement"): "robotCleanerMovement",
}
"""The attribute that gets the argument."""
STEPS: Mapping[tuple[str, str], tuple[str, int]] = {
    ("audioVolume", "volumeUp"): ("volume", 5),
    ("audioVolume", "volumeDown"): ("volume", -5),
}


@dataclass(frozen=True, slots=True)
class Did:
    """One command that reached a device."""

    device: str
    component: str
    capability: str
    command: str
    arguments: tuple[Any, ...] = ()


@dataclass
class Doing:
    """Everything that reached the devices, and what of it shows after ``lag`` seconds."""

    lag: float = 0.0
    deaf: set[str] = field(default_factory=set)
    """Devices that fail at everything the cloud takes for them."""
    lying: set[str] = field(default_factory=set)
    """Devices that take everything and do nothing."""
    did: list[Did] = field(default_factory=list)
    scenes: list[str] = field(default_factory=list)
    _coming: list[tuple[float, str, str, Changes]] = field(default_factory=list)

    def wrong(self, device: Mapping[str, Any], body: object) -> str:
        """What is wrong with a request; empty where it can be carried out."""
        commands = body.get("commands") if isinstance(body, dict) else None
        if not isinstance(body, dict) or not isinstance(commands, list) or not commands or len(body) > 1:
            return "malformed"
        if len(commands) > MOST:
            return f"more than {MOST} commands"
        return next((why for command in commands if (why := _wrong(device, command))), "")

    def do(self, device_id: str, status: Status, commands: list[Any]) -> list[str]:
        """Carry them out; what is said of each."""
        return [self._do(device_id, status, command) for command in commands]

    def _do(self, device_id: str, status: Status, command: Mapping[str, Any]) -> str:
        if device_id in self.deaf:
            return "FAILED"
        about = command["component"], command["capability"], command["command"]
        arguments = tuple(command.get("arguments", ()))
        self.did.append(Did(device_id, *about, arguments))
        if device_id not in self.lying:
            changes = _changes(status, *about, arguments)
            self._coming.append((monotonic() + self.lag, device_id, about[0], changes))
        return "ACCEPTED"

    def settle(self, statuses: Mapping[str, Status]) -> None:
        """Show what is due."""
        due = [row for row in self._coming if row[0] <= monotonic()]
        self._coming = [row for row in self._coming if row not in due]
        for _, device_id, component, changes in due:
            told = statuses[device_id]["components"].setdefault(component, {})
            for (capability, attribute), value in changes.items():
                moment = "2026-03-09T12:00:00.000Z"
                told.setdefault(capability, {})[attribute] = {"value": value, "timestamp": moment}


def _wrong(device: Mapping[str, Any], command: Any) -> str:
    if not isinstance(command, dict) or set(command) - {"component", "capability", "command", "arguments"}:
        return "malformed command"
    parts = {part["id"]: {c["id"] for c in part["capabilities"]} for part in device["components"]}
    capability = str(command.get("capability"))
    if capability not in parts.get(str(command.get("component")), ()):
        return f"{capability} is not a valid value."
    arguments, about = command.get("arguments", []), (capability, str(command.get("command")))
    takes = () if about in PUTS or about in STEPS else TAKES.get(about)
    if takes is None:
        return ""
    fits = len(takes) == len(arguments) and all(t(a) for t, a in zip(takes, arguments, strict=True))
    return "" if fits else f"{about[1]} does not take {arguments}"


def _changes(
    status: Status, component: str, capability: str, command: str, arguments: tuple[Any, ...]
) -> Changes:
    about = capability, command
    if about in PUTS:
        return PUTS[about]
    if about in STEPS:
        attribute, by = STEPS[about]
        told = status["components"].get(component, {}).get(capability, {}).get(attribute, {})
        return {(capability, attribute): (told.get("value") or 0) + by}
    if about == ("colorControl", "setColor"):
        return {(capability, name): arguments[0][name] for name in ("hue", "saturation")}
    changes: Changes = {(capability, SETS[about]): arguments[0]} if about in SETS else {}
    if about == ("switchLevel", "setLevel"):
        changes[("switch", "switch")] = "on" if arguments[0] else "off"
    return changes
