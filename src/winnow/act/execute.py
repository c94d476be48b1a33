"""Execute calls: in lanes, few at a time, sent again only where that is safe, and observed afterwards."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from winnow.act.checks import Looks, within
from winnow.act.effects.expected import Shown, expected_changes, observed_effect
from winnow.act.effects.thing import repeatable
from winnow.act.refresh import MEASURED
from winnow.errors import StoreError, WinnowError
from winnow.language.naming import thing_name
from winnow.ports.services import Actuator
from winnow.types.home import HomeView, Profile, Scalar
from winnow.types.plan import ActingRules
from winnow.types.receipt import Outcome, OutcomeStatus
from winnow.types.scope import Scope
from winnow.types.state import Snapshot, Values
from winnow.types.verdict import Call

# Lanes keep the order that matters: one for each device; a scene stands alone, for it may move anything.


Lane = tuple[Call, ...]
"""Calls for one device, or of one scene, one after the other."""


def stages(calls: Sequence[Call], scenes: Collection[str]) -> list[list[Lane]]:
    """Stages one after the other; the lanes of one stage may run at one time.

    A scene moves nobody knows what, so nothing runs beside it.
    """
    found: list[list[Lane]] = []
    lanes: dict[str, list[Call]] = {}
    for call in calls:
        if call.device_id in scenes:
            found += _merge_lanes(lanes)
            found.append([(call,)])
            lanes = {}
        else:
            lanes.setdefault(call.device_id, []).append(call)
    return [*found, *_merge_lanes(lanes)]


def _merge_lanes(lanes: dict[str, list[Call]]) -> list[list[Lane]]:
    return [[tuple(lane) for lane in lanes.values()]] if lanes else []


# Retries: a call is sent again only if it certainly failed, or does no harm twice.


FIRST = 0.25
"""Seconds before the second try; every further one waits twice as long, or as long as the home asks."""


async def try_call(call: Call, states: Mapping[str, Scalar], by: ExecutionContext) -> Outcome:
    """What came of it, for a device that told ``states`` before."""
    tries, pause = 1, FIRST
    taken = await send_call(call, by)
    outcome, doubt = await observe_outcome(taken, states, by), taken.status == "unknown"
    while (
        tries < by.rules.tries and _may_again(taken, outcome, by) and await _wait_for_retry(taken, pause, by)
    ):
        tries, pause = tries + 1, pause * 2
        taken = await send_call(call, by, outcome)
        outcome, doubt = await observe_outcome(taken, states, by), doubt or taken.status == "unknown"
    # what one try may have done has not failed for certain, whatever came of the next
    status = "unknown" if doubt and outcome.status == "failed" else outcome.status
    return replace(outcome, status=status, tries=tries)


async def _wait_for_retry(taken: Outcome, pause: float, by: ExecutionContext) -> bool:
    """Wait before the next try; False, at once, where time is up before."""
    wait = max(pause, taken.retry_after or 0.0)
    if wait >= by.remaining_seconds:
        return False
    await asyncio.sleep(wait)
    return True


def _may_again(taken: Outcome, outcome: Outcome, by: ExecutionContext) -> bool:
    """Whether it may be sent once more: it was not done and that may pass, or twice is as good as once."""
    if outcome.ok:
        return False
    if taken.status == "failed":
        return taken.retry_after is not None
    if taken.status != "unknown" or taken.call.device_id not in by.view.devices:
        return False
    return repeatable(taken.call, by.view.profile(taken.call.device_id))


async def send_call(call: Call, by: ExecutionContext, before: Outcome | None = None) -> Outcome:
    """What the home says of it. What cannot be sent in time is skipped, or as it was ``before``."""
    async with by.places:
        if by.remaining_seconds <= 0:
            return before or Outcome(call, "skipped", "out_of_time", {"name": by.name(call)})
        by.sent.add(id(call))
        told = await within(
            min(by.rules.call_seconds, by.remaining_seconds), by.actuator.do(by.scope, (call,))
        )
    if isinstance(told, BaseException):
        if isinstance(told, TimeoutError):
            return _unknown_outcome(call, "timed_out", by)
        why = str(told) if isinstance(told, WinnowError) else type(told).__name__
        return _unknown_outcome(call, "link_failed", by, why)
    if len(told) != 1:
        return _unknown_outcome(call, "link_failed", by, f"{len(told)}")
    return replace(told[0], call=call)


def _unknown_outcome(call: Call, code: str, by: ExecutionContext, why: str = "") -> Outcome:
    """Nobody knows whether it was done."""
    facts = {"name": by.name(call), "why": why} if why else {"name": by.name(call)}
    return Outcome(call, "unknown", code, facts)


async def carried_out(calls: Sequence[Call], before: Snapshot, by: ExecutionContext) -> tuple[Outcome, ...]:
    """What came of each call, in their order; every outcome was told before.

    ``before``: the home as it was just now. Cancelled, it tells what came of the calls so far and of the
    others that nobody knows or that they were not tried, and then is cancelled.
    """
    work = _LaneRun(before, by)
    try:
        for stage in stages(calls, by.view.scenes):
            async with asyncio.TaskGroup() as group:
                for lane in stage:
                    group.create_task(work.lane(lane))
    except asyncio.CancelledError:
        await work.rest(calls)
        raise
    finally:
        by.looks.close()
    return work.in_order(calls)


class _LaneRun:
    """One act under way: what came of it so far."""

    def __init__(self, before: Snapshot, by: ExecutionContext) -> None:
        self._before, self._by = before, by
        self._came: defaultdict[str, deque[Outcome]] = defaultdict(deque)
        """By device, in the order of its calls."""
        self._untold: list[Outcome] = []
        self._telling = asyncio.Lock()
        self._stopped = False
        """Whether nothing can be put on record any more: then nothing more is done."""

    async def lane(self, lane: Lane) -> None:
        """One after the other; what follows on what was not done is not tried."""
        states = dict(self._before.of(lane[0].device_id))
        well = True
        for call in lane:
            named = {"name": self._by.name(call)}
            if self._stopped:
                outcome = Outcome(call, "skipped", "not_on_record", named)
            elif not well:
                outcome = Outcome(call, "skipped", "after_failure", named)
            elif call.device_id in self._by.view.scenes:
                outcome = await scene_seen(await send_call(call, self._by), self._so_far(), self._by)
            else:
                outcome = await try_call(call, states, self._by)
            well = well and outcome.ok
            states |= outcome.changed
            self._came[outcome.call.device_id].append(outcome)
            self._untold.append(outcome)
            async with self._telling:
                now, self._untold = self._untold, []
                if now:
                    # Put on record to the end, even by whoever is cancelled meanwhile
                    record = asyncio.create_task(self._record(now))
                    try:
                        await asyncio.shield(record)
                    except asyncio.CancelledError:
                        await record
                        raise
        self._by.leave(lane[0].device_id)

    def _so_far(self) -> Snapshot:
        """The home as this act has left it."""
        changes = {i: dict(o.changed) for i, came in self._came.items() for o in came}
        return self._before.with_changes(changes, self._before.read_at or 0.0)

    async def _record(self, outcomes: Sequence[Outcome]) -> None:
        try:
            await self._by.tell(outcomes)
        except StoreError:
            self._stopped = True

    async def rest(self, calls: Sequence[Call]) -> None:
        """Tell what came of those that were interrupted."""
        known = {id(o.call) for came in self._came.values() for o in came}
        for call in calls:
            if id(call) not in known:
                status: OutcomeStatus = "unknown" if id(call) in self._by.sent else "skipped"
                named = {"name": self._by.name(call)}
                self._came[call.device_id].append(Outcome(call, status, "interrupted", named))
                self._untold.append(self._came[call.device_id][-1])
        if self._untold:
            await self._record(self._untold)

    def in_order(self, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """What came of each call, in their order."""
        return tuple(self._came[call.device_id].popleft() for call in calls)


# Observe what a home shows of what was sent, and the context one act is executed with.

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
UNTOUCHED = MEASURED | {"energy", "battery", "progress", "completion_time", "weather"}
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
        settable = [a.id for a in by.view.profile(device_id).attributes if a.quantity not in UNTOUCHED]
        changes = {a: told[a] for a in settable if a in told and a in states and told[a] != states[a]}
        if changes:
            found[device_id] = changes
    return found
