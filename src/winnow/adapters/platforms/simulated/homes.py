"""Copies of many homes in memory, each made when it is first read or acted on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.ports.stores import Clock, States
from winnow.types.home import Home
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call


class SimulatedHomes:
    """``States`` and ``Actuator`` of copies of homes.

    ``load``: the home of a scope as it is now. ``states``: what a copy of it begins with. A home that was
    imported anew is copied anew.
    """

    def __init__(self, load: Callable[[Scope], Awaitable[Home]], states: States, clock: Clock) -> None:
        self._load, self._states, self._clock = load, states, clock
        self._copies: dict[tuple[str, str], SimulatedHome] = {}
        """By tenant and home."""

    async def copy_of(self, scope: Scope) -> SimulatedHome:
        """The copy of the scope's home. Raises HomeNotFound, StoreError."""
        home, key = await self._load(scope), (scope.tenant, scope.home)
        known = self._copies.get(key)
        if known is None or known.home.version != home.version:
            states = await self._states.read(scope)
            known = self._copies[key] = SimulatedHome(home, states, self._clock)
        return known

    async def read(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        return await (await self.copy_of(scope)).read(scope, refs)

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are now."""
        return await (await self.copy_of(scope)).look(scope, refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """What came of each call, in their order."""
        return await (await self.copy_of(scope)).do(scope, calls)
