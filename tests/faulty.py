"""A home that does what it is told, or not, by a script of faults; and a loop that waits in no time."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from winnow.act.effects.expected import expected_changes
from winnow.act.execute import ExecutionContext, carried_out
from winnow.errors import WinnowError
from winnow.types.home import Attribute, Command, Device, Home, HomeView, Parameter, Profile, Scalar, Scene
from winnow.types.plan import ActingRules
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

R = TypeVar("R")
Fault = Literal["well", "refuses", "busy", "lies", "loses", "late", "slow", "breaks", "breaks after", "mute"]
"""``late``: it is done, and no answer comes. ``loses``: not done, and nobody knows. ``mute``: no outcome."""
FAULTS: tuple[Fault, ...] = (
    "well",
    "refuses",
    "busy",
    "lies",
    "loses",
    "late",
    "slow",
    "breaks",
    "breaks after",
    "mute",
)
LAMP = Profile(
    "lamp",
    (
        Command("on", "Switch.On"),
        Command("off", "Switch.Off"),
        Command("toggle", "Switch.Toggle"),
        Command("dim", "Brightness.Set", "", (Parameter("level", "number", 0, 100, "%"),)),
        Command("louder", "Volume.Up"),
    ),
    (Attribute("power", "switch"), Attribute("light", "brightness", "", "%"), Attribute("volume", "volume")),
)
IDS = ("a", "b", "c")
HOME = Home(
    "h",
    "h",
    "neutral",
    profiles=(LAMP,),
    devices=tuple(Device(i, f"Lamp {i}", "lamp", ("light",)) for i in IDS),
    scenes=(Scene("night", "Night", "run"),),
)
VIEW = HomeView.of(HOME)
WHERE = Scope(home="h", user="me")
RULES = ActingRules(call_seconds=5, seen_seconds=2, act_seconds=60)


class Faulty:
    """``Actuator`` of that home. ``faults``: of one call after the other; then all is well."""

    def __init__(self, faults: Sequence[Fault] = (), at: float = 0.0) -> None:
        self.values: dict[str, dict[str, Scalar]] = {
            i: {"power": "off", "light": 40, "volume": 20} for i in IDS
        }
        self.done: list[Call] = []
        """What was really done, in order."""
        self.asked: list[Call] = []
        self.looks: list[Collection[str]] = []
        self.at = at
        self.busy = 0
        self.most = 0
        """Calls under way at one time, at most."""
        self._faults: Iterator[Fault] = iter(faults)

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        self.looks.append(tuple(refs))
        now = Snapshot({i: dict(v) for i, v in self.values.items()}, self.at, "faulty")
        return now.about(refs) if refs else now

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        self.busy += 1
        self.most = max(self.most, self.busy)
        try:
            came = [await self._one(call) for call in calls]
            return tuple(outcome for outcome in came if outcome is not None)
        finally:
            self.busy -= 1

    async def _one(self, call: Call) -> Outcome | None:
        fault = next(self._faults, "well")
        self.asked.append(call)
        await asyncio.sleep(0.01)
        if fault in ("well", "late", "slow", "breaks after"):
            await asyncio.sleep(1.0 if fault == "slow" else 0.0)
            self._does(call)
        if fault == "late":
            await asyncio.sleep(3600)
        if fault == "breaks":
            raise WinnowError("The line is dead.")
        if fault == "breaks after":
            raise ConnectionResetError
        if fault == "mute":
            return None
        if fault == "refuses":
            return Outcome(call, "failed", "device_offline", {"name": call.device_id})
        if fault == "busy":
            return Outcome(call, "failed", "device_offline", {"name": call.device_id}, retry_after=0.5)
        return Outcome(
            call, "unknown" if fault == "loses" else "sent", "timed_out" if fault == "loses" else ""
        )

    def _does(self, call: Call) -> None:
        self.done.append(call)
        if call.device_id == "night":
            for states in self.values.values():
                states["power"] = "off"
            return
        states = self.values[call.device_id]
        states |= expected_changes(call, LAMP, states)


class Jumping(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next appointment."""

    def __init__(self) -> None:
        super().__init__()
        self._seconds = 0.0

    def time(self) -> float:
        return self._seconds

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self._seconds = max(self._seconds, self._scheduled[0]._when)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


def run(work: Coroutine[Any, Any, R]) -> R:
    """What the work returns, at once however long it waits."""
    with asyncio.Runner(loop_factory=Jumping) as runner:
        return runner.run(work)


class Told:
    """Remembers what was told."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    async def __call__(self, outcomes: Sequence[Outcome]) -> None:
        await asyncio.sleep(0)
        self.outcomes += outcomes


async def acted(
    home: Faulty, calls: Sequence[Call], told: Told, rules: ActingRules = RULES
) -> tuple[Outcome, ...]:
    before = await home.look(WHERE)
    return await carried_out(calls, before, ExecutionContext(WHERE, VIEW, home, rules, told))


def states(home: Faulty) -> Mapping[str, Mapping[str, Scalar]]:
    return {i: dict(v) for i, v in home.values.items()}
