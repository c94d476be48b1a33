"""A simulated home: its devices execute calls in memory (``act.effects``), and fail by seeded faults."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal, get_args

from winnow.act.effects.expected import consequences
from winnow.act.effects.thing import commands_of
from winnow.errors import HomeNotFound
from winnow.ports.stores import Clock
from winnow.types.home import Command, Home, HomeView, Parameter, ParameterKind, Profile, Scalar
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

# What a device does not take: commands that it has not, arguments that do not fit them.

SLACK = 1e-6
"""How far beyond a limit rounding may bring a number."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a device does not take a call: a key of the message table, and what fills its sentence."""

    code: str
    facts: Mapping[str, Scalar] = field(default_factory=dict)


def objection_to(call: Call, profile: Profile, name: str) -> Objection | None:
    """Why a device of that profile and name does not take the call; None where it does."""
    commands = commands_of(call, profile)
    if not commands:
        return Objection("no_such_command", {"name": name, "what": call.command_id})
    # What is described as an object alone may be left out: an oven starts with the programme it has.
    wanted = {p.name for c in commands for p in c.parameters if p.required and p.kind != "object"}
    missing = Objection("missing_value") if wanted - set(call.arguments) else None
    found = missing or _unknown_argument(call, commands) or _unfit_argument(call, commands)
    return None if found is None else Objection(found.code, {"name": name, **found.facts})


def _unknown_argument(call: Call, commands: Sequence[Command]) -> Objection | None:
    """An argument that no command has."""
    names = {p.name for c in commands for p in c.parameters} | {n for c in commands for n in c.fixed}
    odd = sorted(set(call.arguments) - names)
    return Objection("value_misfit", {"value": odd[0]}) if odd else None


def _unfit_argument(call: Call, commands: Sequence[Command]) -> Objection | None:
    """An argument that is not what its parameter takes, or not what always goes with the command."""
    for command in commands:
        for name, value in command.fixed.items():
            if call.arguments.get(name, value) != value:
                return Objection("value_misfit", {"value": _as_scalar(call.arguments[name])})
        for parameter in (p for p in command.parameters if p.name in call.arguments):
            if found := _unfit_value(parameter, call.arguments[parameter.name]):
                return found
    return None


def _unfit_value(parameter: Parameter, value: object) -> Objection | None:
    if parameter.choices:
        listed = [choice.value for choice in parameter.choices]
        if value in listed or str(value) in map(str, listed):
            return None
        return Objection(
            "unknown_value", {"value": _as_scalar(value), "choices": ", ".join(map(str, listed))}
        )
    if not _TAKES[parameter.kind](value):
        return Objection("value_misfit", {"value": _as_scalar(value)})
    if parameter.kind == "number" and isinstance(value, int | float):
        return _out_of_range(parameter, value / parameter.scale)
    return None


def _out_of_range(parameter: Parameter, number: float) -> Objection | None:
    """``number`` is in the units of the limits."""
    low, high = parameter.minimum, parameter.maximum
    if (low is None or number >= low - SLACK) and (high is None or number <= high + SLACK):
        return None
    limits = {n: v for n, v in (("minimum", low), ("maximum", high)) if v is not None}
    return Objection("out_of_range", {**limits, "value": number})


def _as_scalar(value: object) -> Scalar:
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


# How devices of a simulated home fail: which of them, and in what way, follows from a seed.

Fault = Literal["offline", "slow", "refusing", "once", "silent", "lying", "late"]
"""``offline``: cannot be reached. ``slow``: answers after a long while. ``refusing``: will not.
``once``: fails the first time each thing is asked of it, then does it. ``silent``: does it, and the answer is
lost. ``lying``: says that it did it and does nothing. ``late``: takes it at once, does it a while later."""
FAULT_KINDS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True, slots=True)
class Faults:
    """The same devices fail in the same way for the same seed."""

    share: float = 0.0
    """Of the devices that fail, 0..1."""
    seed: int = 0
    kinds: tuple[Fault, ...] = FAULT_KINDS
    """Ways to fail, each as often."""
    latency: float = 0.0
    """Seconds that every device takes to answer."""
    longest: float = 20.0
    """Seconds that slow and late devices take at most; at least a tenth of it."""

    def of(self, device_id: str) -> Fault | None:
        """How the device fails; None where it does not."""
        if self._chance(device_id, "whether") >= self.share:
            return None
        return self.kinds[int(self._chance(device_id, "how") * len(self.kinds))]

    def seconds(self, device_id: str) -> float:
        """How long a slow or late device takes."""
        return self.longest * (0.1 + 0.9 * self._chance(device_id, "long"))

    def _chance(self, device_id: str, what: str) -> float:
        """0..1, without 1: the same for the same device and seed."""
        digest = hashlib.sha256(f"{self.seed}\0{device_id}\0{what}".encode()).digest()
        return int.from_bytes(digest[:6]) / 256**6


NO_FAULTS = Faults()


RETRY_SECONDS = 0.5
"""Seconds after which a device that failed once may be asked again."""
_STAMPED = ("button.press", "input_button.press")
"""What tells when it was last done, and nothing else."""


class SimulatedHome:
    """``States`` and ``Actuator`` of a copy of a home, which begins with ``states``."""

    def __init__(self, home: Home, states: Snapshot, clock: Clock, faults: Faults = NO_FAULTS) -> None:
        self.home, self.faults = home, faults
        self._view, self._clock = HomeView.of(home), clock
        self._values, self._offline = dict(states.values), states.offline
        self.executed: list[Call] = []
        """What was really done, in its order."""
        self.run: dict[str, float] = {}
        """Scene id -> when it was last run, in seconds since the epoch; what it does, nobody has told."""
        self._postponed: list[tuple[float, Call]] = []
        self._failed: set[str] = set()

    def let_fail(self, share: float, *, seed: int | None = None, latency: float | None = None) -> int:
        """Let that share of the devices (0..1) fail from now on; how many do.

        ``seed`` and ``latency`` (see ``Faults``): None leaves them as they are.
        """
        given = {"seed": seed, "latency": latency}
        changed = {name: value for name, value in given.items() if value is not None}
        self.faults = replace(self.faults, share=share, **changed)  # type: ignore[arg-type]
        return sum(self.faults.of(device.id) is not None for device in self.home.devices)

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        self._expect(scope)
        self._catch_up()
        now = Snapshot(dict(self._values), self._clock.now(), "simulated", self._offline)
        return now.about(refs) if refs else now

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        await _pause(self.faults.latency)
        return await self.read(scope, refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """What came of each call, in their order; each finds the home as the one before left it."""
        self._expect(scope)
        return tuple([await self._execute(call) for call in calls])

    def _expect(self, scope: Scope) -> None:
        if scope.home != self.home.id:
            raise HomeNotFound(scope.home, [self.home.id])

    async def _execute(self, call: Call) -> Outcome:
        await _pause(self.faults.latency)
        self._catch_up()
        if call.device_id in self._view.scenes:
            self.run[call.device_id] = self._clock.now()
            self.executed.append(call)
            return Outcome(call, "sent")
        refusal = None
        if call.device_id not in self._view.devices:
            refusal = Outcome(call, "failed", "no_such_device", {"name": call.device_id})
        elif call.device_id in self._offline:
            refusal = Outcome(call, "failed", "device_offline", {"name": self._name(call)})
        elif against := objection_to(call, self._view.profile(call.device_id), self._name(call)):
            refusal = Outcome(call, "failed", against.code, against.facts)
        if refusal is not None:
            return refusal
        fault = self.faults.of(call.device_id)
        return await self._fail(call, fault) if fault else self._apply(call)

    async def _fail(self, call: Call, fault: Fault) -> Outcome:
        name: dict[str, Scalar] = {"name": self._name(call)}
        ways: Mapping[Fault, Callable[[], Outcome]] = {
            "offline": lambda: Outcome(call, "failed", "device_offline", name),
            "refusing": lambda: Outcome(call, "failed", "home_refused", {**name, "why": "refused"}),
            "once": lambda: self._second_time(call),
            "silent": lambda: replace(self._apply(call), status="unknown", code="timed_out", facts=name),
            "lying": lambda: Outcome(call, "sent", changed=self._changes(call)),
            "late": lambda: self._postpone(call),
        }
        if fault == "slow":
            # It is done whether or not anybody waits for the answer.
            self._postpone(call)
            await _pause(self.faults.seconds(call.device_id))
            self._catch_up()
            return Outcome(call, "sent")
        return ways[fault]()

    def _second_time(self, call: Call) -> Outcome:
        """It fails, and works when it is tried again."""
        if repr(call) in self._failed:
            self._failed.discard(repr(call))
            return self._apply(call)
        self._failed.add(repr(call))
        return Outcome(
            call, "failed", "device_offline", {"name": self._name(call)}, retry_after=RETRY_SECONDS
        )

    def _postpone(self, call: Call) -> Outcome:
        """It is taken now and done later."""
        changes = self._changes(call)
        self._postponed.append((_now() + self.faults.seconds(call.device_id), call))
        return Outcome(call, "sent", changed=changes)

    def _catch_up(self) -> None:
        """Do what has been put off till now."""
        due = [call for at, call in self._postponed if at <= _now()]
        self._postponed = [(at, call) for at, call in self._postponed if at > _now()]
        for call in due:
            self._apply(call)

    def _apply(self, call: Call) -> Outcome:
        changed = self._changes(call)
        self._values[call.device_id] = {**self._values.get(call.device_id, {}), **changed}
        self.executed.append(call)
        return Outcome(call, "sent", changed=changed)

    def _changes(self, call: Call) -> dict[str, Scalar]:
        if call.command_id in _STAMPED:
            return {"state": datetime.fromtimestamp(self._clock.now(), UTC).isoformat()}
        profile = self._view.profile(call.device_id)
        return consequences(call, profile, self._values.get(call.device_id, {}))

    def _name(self, call: Call) -> str:
        return self._view.devices[call.device_id].name


async def _pause(seconds: float) -> None:
    """Wait, and not even for a moment where there is nothing to wait for."""
    if seconds > 0:
        await asyncio.sleep(seconds)


def _now() -> float:
    """Seconds by the clock of the event loop, or by the one that it goes by where none runs."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()
