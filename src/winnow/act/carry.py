"""Calls carried out: few at a time, tried again only where that is safe, and looked at afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.act.lanes import Lane, stages
from winnow.effects import expected
from winnow.ports import Actuator, Clock
from winnow.types.acting import ActingRules
from winnow.types.catalog import Scalar
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call
from winnow.types.view import HomeView

Tell = Callable[[Sequence[Outcome]], Awaitable[None]]
"""Told of outcomes as they come, so that they are on record before the next."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What carries out: whose home, by what, how patiently."""

    scope: Scope
    view: HomeView
    actuator: Actuator
    rules: ActingRules
    clock: Clock


async def carried_out(calls: Sequence[Call], before: Snapshot, by: Hands, tell: Tell) -> tuple[Outcome, ...]:
    """What came of each call, in their order."""
    came: dict[int, Outcome] = {}
    for stage in stages(calls, by.view.scenes):
        turns = asyncio.Semaphore(by.rules.at_once)
        for outcomes in await asyncio.gather(*(_lane(lane, before, by, turns) for lane in stage)):
            await tell(outcomes)
            came |= {id(outcome.call): outcome for outcome in outcomes}
    return tuple(came[id(call)] for call in calls)


async def _lane(lane: Lane, before: Snapshot, by: Hands, turns: asyncio.Semaphore) -> tuple[Outcome, ...]:
    async with turns:
        tried = await by.actuator.do(by.scope, lane)
        after = await by.actuator.look(by.scope, [lane[0].device_id])
    return tuple(_seen(outcome, before.of(outcome.call.device_id), after, by.view) for outcome in tried)


def _seen(outcome: Outcome, before: Mapping[str, Scalar], after: Snapshot, view: HomeView) -> Outcome:
    """The outcome as the home shows it."""
    call = outcome.call
    if not outcome.ok or call.device_id not in view.devices:
        return outcome
    wanted = expected(call, view.profile(call.device_id), before)
    now = {name: after.value(call.device_id, name) for name in wanted}
    told = replace(outcome, before={name: before.get(name) for name in wanted}, changed=now)
    if not wanted:
        return told
    return replace(told, status="done") if now == wanted else replace(told, status="unknown", code="not_seen")
