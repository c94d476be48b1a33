"""A home whose devices do what they are told, in memory only. What commands do tells ``effects``."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from winnow.effects import consequences
from winnow.errors import HomeNotFound
from winnow.homes.simulated.asked import objection
from winnow.homes.simulated.faults import NO_FAULTS, Fault, Faults
from winnow.ports import Clock
from winnow.types.catalog import Home, Scalar
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call
from winnow.types.view import HomeView

AGAIN = 0.5
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
        self._coming: list[tuple[float, Call]] = []
        self._failed: set[str] = set()

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
        return tuple([await self._done(call) for call in calls])

    def _expect(self, scope: Scope) -> None:
        if scope.home != self.home.id:
            raise HomeNotFound(scope.home, [self.home.id])

    async def _done(self, call: Call) -> Outcome:
        await _pause(self.faults.latency)
        self._catch_up()
        if call.device_id in self._view.scenes:
            self.run[call.device_id] = self._clock.now()
            self.executed.append(call)
            return Outcome(call, "sent")
        if refused := self._refused(call):
            return refused
        fault = self.faults.of(call.device_id)
        return await self._failing(call, fault) if fault else self._carried_out(call)

    def _refused(self, call: Call) -> Outcome | None:
        """What no device does: it is not there, not to be reached, or not made for it."""
        if call.device_id not in self._view.devices:
            return Outcome(call, "failed", "no_such_device", {"name": call.device_id})
        if call.device_id in self._offline:
            return Outcome(call, "failed", "device_offline", {"name": self._name(call)})
        against = objection(call, self._view.profile(call.device_id), self._name(call))
        return Outcome(call, "failed", against.code, against.facts) if against else None

    async def _failing(self, call: Call, fault: Fault) -> Outcome:
        name: dict[str, Scalar] = {"name": self._name(call)}
        ways: Mapping[Fault, Callable[[], Outcome]] = {
            "offline": lambda: Outcome(call, "failed", "device_offline", name),
            "refusing": lambda: Outcome(call, "failed", "home_refused", {**name, "why": "refused"}),
            "once": lambda: self._second_time(call),
            "silent": lambda: replace(
                self._carried_out(call), status="unknown", code="timed_out", facts=name
            ),
            "lying": lambda: Outcome(call, "sent", changed=self._changes(call)),
            "late": lambda: self._put_off(call),
        }
        if fault == "slow":
            # It is done whether or not anybody waits for the answer.
            self._put_off(call)
            await _pause(self.faults.seconds(call.device_id))
            self._catch_up()
            return Outcome(call, "sent")
        return ways[fault]()

    def _second_time(self, call: Call) -> Outcome:
        """It fails, and works when it is tried again."""
        if repr(call) in self._failed:
            self._failed.discard(repr(call))
            return self._carried_out(call)
        self._failed.add(repr(call))
        return Outcome(call, "failed", "device_offline", {"name": self._name(call)}, retry_after=AGAIN)

    def _put_off(self, call: Call) -> Outcome:
        """It is taken now and done later."""
        changes = self._changes(call)
        self._coming.append((_now() + self.faults.seconds(call.device_id), call))
        return Outcome(call, "sent", changed=changes)

    def _catch_up(self) -> None:
        """Do what has been put off till now."""
        due = [call for at, call in self._coming if at <= _now()]
        self._coming = [(at, call) for at, call in self._coming if at > _now()]
        for call in due:
            self._carried_out(call)

    def _carried_out(self, call: Call) -> Outcome:
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
