"""A home whose devices do what they are told, in memory only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from winnow.language.families import STATE_WORDS
from winnow.types.catalog import Attribute, Command, Device, Home, Profile, Scalar
from winnow.types.verdict import Call

Words = tuple[str, ...]

ON, OFF = STATE_WORDS["on"], STATE_WORDS["off"]
OPEN, CLOSED = STATE_WORDS["open"], STATE_WORDS["closed"]
LOCKED, UNLOCKED = STATE_WORDS["locked"], STATE_WORDS["unlocked"]
RUNNING, PAUSED, STOPPED = STATE_WORDS["running"], STATE_WORDS["paused"], STATE_WORDS["stopped"]
EFFECTS: Mapping[str, Mapping[str, Words | float]] = {
    "Switch.On": {"switch": ON},
    "Switch.Off": {"switch": OFF},
    "Cover.Open": {"cover": OPEN, "position": 100.0},
    "Cover.Close": {"cover": CLOSED, "position": 0.0},
    "Door.Open": {"door": OPEN, "cover": OPEN},
    "Door.Close": {"door": CLOSED, "cover": CLOSED},
    "Valve.Open": {"valve": OPEN, "position": 100.0},
    "Valve.Close": {"valve": CLOSED, "position": 0.0},
    "Lock.Lock": {"lock": LOCKED},
    "Lock.Unlock": {"lock": UNLOCKED},
    "Lock.Open": {"lock": ("unlocked", "open")},
    "Mute.On": {"mute": ("muted",)},
    "Mute.Off": {"mute": ("unmuted",)},
    "Playback.Play": {"playback": ("playing", "play")},
    "Playback.Pause": {"playback": PAUSED},
    "Playback.Stop": {"playback": STOPPED},
    "Run.Start": {"running": RUNNING},
    "Run.Pause": {"running": PAUSED},
    "Run.Stop": {"running": STOPPED},
    "Vacuum.Start": {"running": RUNNING},
    "Vacuum.Pause": {"running": PAUSED},
    "Vacuum.Stop": {"running": STOPPED},
    "Vacuum.Dock": {"running": ("docked", "homing", "charging")},
}
"""What a command without a value does: quantity -> words for its new state (the first the attribute knows),
or a number."""
SETS: Mapping[str, Words] = {
    "Brightness": ("brightness",), "Cover": ("position",), "Valve": ("position",), "Temperature": ("setpoint",), "Volume": ("volume",),
    "FanSpeed": ("fan_speed",), "ColorTemperature": ("color_temperature",), "Color": ("color",), "Mode": ("mode",),
    "Humidity": ("setpoint",), "Level": ("level",), "Intensity": ("intensity",), "Interval": ("interval",), "Tilt": ("tilt",),
    "Source": ("source",), "Channel": ("channel",), "Swing": ("swing",),
}  # fmt: skip
"""Family of a trait -> the quantity its value becomes."""
FOLLOWS: Mapping[str, tuple[str, Words, Words]] = {
    "brightness": ("switch", ON, OFF),
    "fan_speed": ("switch", ON, OFF),
    "position": ("cover", OPEN, CLOSED),
}
"""A number above zero also means the first state of another quantity, zero the second."""
STEPS: Mapping[str, float] = {
    "Temperature": 1.0,
    "Volume": 5.0,
    "FanSpeed": 20.0,
    "Brightness": 10.0,
    "Channel": 1.0,
}
"""How far ``Up`` and ``Down`` go."""


class SimulatedHome:
    """A copy of a home whose states change with the calls it is given.

    The home it was made from stays as it was.
    """

    def __init__(self, home: Home) -> None:
        self.home = home

    def execute(self, calls: Iterable[Call]) -> Mapping[str, Mapping[str, Scalar]]:
        """Device id -> attribute id -> new value, of what the calls changed."""
        changes = changes_of(self.home, calls)
        self.home = _changed(self.home, changes)
        return changes


def apply(home: Home, calls: Iterable[Call]) -> Home:
    """The home after the calls. What has no state here (scenes, commands nobody knows) changes nothing."""
    return _changed(home, changes_of(home, calls))


def changes_of(home: Home, calls: Iterable[Call]) -> dict[str, dict[str, Scalar]]:
    """Device id -> attribute id -> value after the calls, in their order."""
    devices, profiles = {d.id: d for d in home.devices}, {p.id: p for p in home.profiles}
    changes: dict[str, dict[str, Scalar]] = {}
    for call in calls:
        device = devices.get(call.device_id)
        profile = profiles.get(device.profile_id) if device else None
        if device is None or profile is None:
            continue
        command = _command(call, profile.commands)
        found = _effect(call, command, device, profile) if command else {}
        changes.setdefault(device.id, {}).update(found)
        devices[device.id] = replace(device, states={**device.states, **found})
    return {device_id: found for device_id, found in changes.items() if found}


def _changed(home: Home, changes: Mapping[str, Mapping[str, Scalar]]) -> Home:
    devices = (
        replace(d, states={**d.states, **changes[d.id]}) if d.id in changes else d for d in home.devices
    )
    return replace(home, devices=tuple(devices))


def _command(call: Call, commands: Sequence[Command]) -> Command | None:
    """Of the commands that share a native id, the one whose arguments these are."""
    same = [c for c in commands if c.id == call.command_id]
    given = set(call.arguments)

    def misfit(command: Command) -> int:
        return len(
            given ^ {*command.fixed, *(p.name for p in command.parameters if p.required or p.name in given)}
        )

    return min(same, key=misfit, default=None)


def _effect(call: Call, command: Command, device: Device, profile: Profile) -> dict[str, Scalar]:
    family, _, action = command.trait.partition(".")
    if command.trait in EFFECTS:
        return _states(EFFECTS[command.trait], device, profile)
    if action == "Toggle":
        return _toggled(family, device, profile)
    if action in {"Up", "Down"}:
        return _stepped(
            SETS.get(family, ()), STEPS.get(family, 1.0) * (1 if action == "Up" else -1), device, profile
        )
    values = [v for name, v in call.arguments.items() if name not in command.fixed]
    value = (
        values[0]
        if values
        else next(iter(command.fixed.values()), action.lower() if family == "Mode" else None)
    )
    if not isinstance(value, str | int | float) or "step" in call.arguments:
        return {}
    if action == "Step":
        return _stepped(SETS.get(family, ()), value if isinstance(value, int | float) else 0, device, profile)
    return _set(SETS.get(family, (family.lower(),)), value, call, device, profile)


def _set(
    quantities: Words, value: str | int | float, call: Call, device: Device, profile: Profile
) -> dict[str, Scalar]:
    attribute = _attribute(quantities, profile)
    if attribute is None:
        return {}
    stored = (
        round(value * 255 / 100) if _of_255(attribute, call) and isinstance(value, int | float) else value
    )
    out: dict[str, Scalar] = {attribute.id: stored}
    also = FOLLOWS.get(attribute.quantity)
    if also and isinstance(value, int | float) and not isinstance(value, bool):
        out |= _states({also[0]: also[1] if value > 0 else also[2]}, device, profile)
    return out


def _of_255(attribute: Attribute, call: Call) -> bool:
    """Home Assistant sets a lamp in percent and reports it up to 255."""
    return attribute.id == "brightness" and call.command_id.startswith("light.")


def _stepped(quantities: Words, amount: float, device: Device, profile: Profile) -> dict[str, Scalar]:
    attribute = _attribute(quantities, profile)
    now = device.states.get(attribute.id) if attribute else None
    if attribute is None or isinstance(now, bool) or not isinstance(now, int | float):
        return {}
    return {attribute.id: now + amount}


def _toggled(family: str, device: Device, profile: Profile) -> dict[str, Scalar]:
    """The other one of the two states that the family's commands lead to."""
    ways = [
        EFFECTS[t]
        for t in (f"{family}.On", f"{family}.Off", f"{family}.Open", f"{family}.Close")
        if t in EFFECTS
    ]
    states = [_states(way, device, profile) for way in ways]
    return next((s for s in states if any(device.states.get(k) != v for k, v in s.items())), {})


def _states(wanted: Mapping[str, Words | float], device: Device, profile: Profile) -> dict[str, Scalar]:
    out: dict[str, Scalar] = {}
    for quantity, state in wanted.items():
        if attribute := _attribute((quantity,), profile):
            out[attribute.id] = (
                _worded(state, attribute, device.states.get(attribute.id))
                if isinstance(state, tuple)
                else state
            )
    return out


def _worded(words: Words, attribute: Attribute, before: Scalar) -> Scalar:
    """The state in the device's own words."""
    if isinstance(before, bool):
        return words[0] in {"on", "open", "locked", "muted", "playing", "running"}
    return next((w for w in words if w in attribute.values), words[0])


def _attribute(quantities: Words, profile: Profile) -> Attribute | None:
    return next((a for q in quantities for a in profile.attributes if a.quantity == q), None)
