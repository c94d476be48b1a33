"""Observe what a home shows of what was sent, and the context one act is executed with."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from winnow.act.checks import Looks
from winnow.act.effects.expected import Shown, expected_changes, observed_effect
from winnow.language.naming import thing_name
from winnow.ports.services import Actuator
from winnow.types.home import HomeView, Profile, Scalar
from winnow.types.plan import ActingRules
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot, Values
from winnow.types.verdict import Call

# The context of one act: whose home, by which actuator, with which limits, and what was begun.


Tell = Callable[[Sequence[Outcome]], Awaitable[None]]
"""Told of outcomes as they come, so that they are on record before the next. Raises StoreError."""


def _nobody(device_id: str) -> None:
    """Nobody waits for the device."""


@dataclass(frozen=True)
class ExecutionContext:
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
    def remaining_seconds(self) -> float:
        """Seconds that are left."""
        return self.ends - asyncio.get_running_loop().time()

    def name(self, call: Call) -> str:
        """What the device or scene of a call is called."""
        return thing_name(call.device_id, self.view)


QUIET = 8
"""A home that shows nothing of a scene is looked at for this part of the usual time."""
MEASURED = frozenset(
    [
        "temperature",
        "humidity",
        "illuminance",
        "co2",
        "co",
        "pm10",
        "pm25",
        "voc",
        "pressure",
        "power",
        "energy",
        "voltage",
        "air_quality",
        "sound",
        "gas",
        "battery",
        "progress",
        "completion_time",
        "weather",
    ]
)
"""What changes without anybody doing anything."""


async def observe_outcome(taken: Outcome, states: Mapping[str, Scalar], by: ExecutionContext) -> Outcome:
    """The outcome as the home shows it, of a device that told ``states`` before.

    What failed for certain is not looked for.
    """
    call = taken.call
    if not taken.ok and taken.status != "unknown":
        return taken
    if call.device_id not in by.view.devices:
        return taken
    profile = by.view.profile(call.device_id)
    wanted = expected_changes(call, profile, states)
    if not wanted:
        return _untold(taken, states)
    way, now = await _watch_device(taken, profile, states, by)
    told = replace(
        taken,
        before={name: states.get(name) for name in wanted},
        changed={name: now[name] for name in wanted if name in now},
    )
    return _as_shown(told, way, by.name(call))


def _as_shown(taken: Outcome, way: Shown, name: str) -> Outcome:
    if way == "yes":
        return replace(taken, status="done", code="", facts={}, retry_after=None)
    if way == "silent":
        return _untold(taken, {})
    if way == "coming":
        return replace(taken, status="sent", code="under_way", facts={"name": name}, retry_after=None)
    if not taken.ok:
        return taken
    return replace(taken, status="unknown", code="not_seen", facts={"name": name})


def _untold(taken: Outcome, states: Mapping[str, Scalar]) -> Outcome:
    """Taken by the home, and nothing tells whether it was done."""
    before = {name: states.get(name) for name in taken.changed}
    return replace(taken, status="sent" if taken.ok else taken.status, before=taken.before or before)


async def _watch_device(
    taken: Outcome, profile: Profile, states: Mapping[str, Scalar], by: ExecutionContext
) -> tuple[Shown, Mapping[str, Scalar]]:
    """What the home shows in the end, and what the device tells then."""
    ref, now = taken.call.device_id, dict[str, Scalar]()
    way: Shown = "no"
    async for look in by.looks.over(min(by.rules.seen_seconds, by.remaining_seconds), ref):
        if look is None:
            continue
        now = dict(look.of(ref))
        way = observed_effect(taken.call, profile, states, now) if look.online(ref) else "no"
        if way in ("yes", "silent"):
            break
    return way, now


async def scene_seen(taken: Outcome, before: Snapshot, by: ExecutionContext) -> Outcome:
    """The outcome of a scene with what it moved, where the home tells."""
    if not taken.ok and taken.status != "unknown":
        return taken
    limit = min(by.rules.seen_seconds, by.remaining_seconds)
    moved: Values = {}
    async for look in by.looks.over(limit / QUIET):
        moved = _changed_values(before, look, by) if look else moved
        if moved:
            moved = await _settled_changes(moved, before, limit, by)
            break
    status = "done" if moved and taken.ok else "sent" if taken.ok else taken.status
    return replace(taken, status=status, moved=moved)


async def _settled_changes(moved: Values, before: Snapshot, limit: float, by: ExecutionContext) -> Values:
    """What has moved once nothing moves any more, or time is over."""
    async for look in by.looks.over(limit):
        now = _changed_values(before, look, by) if look else moved
        if now == moved:
            break
        moved = now
    return moved


def _changed_values(before: Snapshot, now: Snapshot, by: ExecutionContext) -> Values:
    """Device id -> attribute id -> value of what is otherwise than before, but for what is only measured."""
    found: dict[str, Mapping[str, Scalar]] = {}
    for device_id in by.view.devices:
        told, states = now.of(device_id), before.of(device_id)
        settable = [a.id for a in by.view.profile(device_id).attributes if a.quantity not in MEASURED]
        changes = {a: told[a] for a in settable if a in told and a in states and told[a] != states[a]}
        if changes:
            found[device_id] = changes
    return found
