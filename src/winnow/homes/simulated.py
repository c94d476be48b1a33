"""A home whose devices do what they are told, in memory only. What commands do tells ``effects``."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from winnow.effects import command_of, expected
from winnow.errors import HomeNotFound
from winnow.ports import Clock
from winnow.types.catalog import Home
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call
from winnow.types.view import HomeView


class SimulatedHome:
    """``States`` and ``Actuator`` of a copy of a home, which begins with ``states``."""

    def __init__(self, home: Home, states: Snapshot, clock: Clock) -> None:
        self.home, self._view, self._clock = home, HomeView.of(home), clock
        self._values, self._offline = dict(states.values), states.offline

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        self._expect(scope)
        now = Snapshot(dict(self._values), self._clock.now(), "simulated", self._offline)
        return now.about(refs) if refs else now

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        return await self.read(scope, refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """What came of each call, in their order; each finds the home as the one before left it."""
        self._expect(scope)
        return tuple(self._done(call) for call in calls)

    def _expect(self, scope: Scope) -> None:
        if scope.home != self.home.id:
            raise HomeNotFound(scope.home, [self.home.id])

    def _done(self, call: Call) -> Outcome:
        if call.device_id in self._view.scenes:
            return Outcome(call, "sent")  # what a scene does to whom, nobody has told
        if call.device_id not in self._view.devices:
            return Outcome(call, "failed", "no_such_device", {"name": call.device_id})
        if call.device_id in self._offline:
            return Outcome(call, "failed", "device_offline", {"name": self._name(call)})
        profile, states = self._view.profile(call.device_id), self._values.get(call.device_id, {})
        if command_of(call, profile) is None:
            return Outcome(
                call, "failed", "no_such_command", {"name": self._name(call), "what": call.command_id}
            )
        changed = expected(call, profile, states)
        self._values[call.device_id] = {**states, **changed}
        return Outcome(call, "sent", changed=changed)

    def _name(self, call: Call) -> str:
        return self._view.devices[call.device_id].name
