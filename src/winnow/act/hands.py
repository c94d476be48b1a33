"""What carries out one act: whose home, by what, how patiently, and what of it has begun."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from winnow.act.looks import Looks
from winnow.ports import Actuator
from winnow.types.acting import ActingRules
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.verdict import Call
from winnow.types.view import HomeView

Tell = Callable[[Sequence[Outcome]], Awaitable[None]]
"""Told of outcomes as they come, so that they are on record before the next. Raises StoreError."""


def _nobody(device_id: str) -> None:
    """Nobody waits for the device."""


@dataclass(frozen=True)
class Hands:
    """One act is carried out by each; made inside the event loop that it runs in."""

    scope: Scope
    view: HomeView
    actuator: Actuator
    rules: ActingRules
    tell: Tell
    leave: Callable[[str], None] = _nobody
    """Told of every device that nothing more is done with."""
    sent: set[int] = field(default_factory=set)
    """``id`` of every call that was begun to be sent."""

    @cached_property
    def places(self) -> asyncio.Semaphore:
        """As many as may send at one time."""
        return asyncio.Semaphore(self.rules.at_once)

    @cached_property
    def looks(self) -> Looks:
        """How the home is looked at."""
        return Looks(self.scope, self.actuator, self.rules.call_seconds)

    @cached_property
    def ends(self) -> float:
        """When time is up, by the clock of the loop."""
        return asyncio.get_running_loop().time() + self.rules.act_seconds

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.ends - asyncio.get_running_loop().time()

    def name(self, call: Call) -> str:
        """What the device or scene of a call is called."""
        thing = self.view.devices.get(call.device_id) or self.view.scenes.get(call.device_id)
        return thing.name if thing else call.device_id
