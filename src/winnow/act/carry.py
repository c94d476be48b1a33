"""Calls carried out: few at a time, tried again only where that is safe, and looked at afterwards."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence

from winnow.act.hands import Hands
from winnow.act.lanes import Lane, stages
from winnow.act.seen import scene_seen
from winnow.act.tries import sent, tried
from winnow.errors import StoreError
from winnow.types.catalog import Scalar
from winnow.types.receipt import Outcome, Status
from winnow.types.state import Snapshot
from winnow.types.verdict import Call


async def carried_out(calls: Sequence[Call], before: Snapshot, by: Hands) -> tuple[Outcome, ...]:
    """What came of each call, in their order; every outcome was told before.

    ``before``: the home as it was just now. Cancelled, it tells what came of the calls so far and of the
    others that nobody knows or that they were not tried, and then is cancelled.
    """
    work = _Work(before, by)
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


class _Work:
    """One act under way: what came of it so far."""

    def __init__(self, before: Snapshot, by: Hands) -> None:
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
            outcome = await self._one(call, states, well=well)
            well = well and outcome.ok
            states |= outcome.changed
            await self._told(outcome)
        self._by.leave(lane[0].device_id)

    async def _one(self, call: Call, states: Mapping[str, Scalar], *, well: bool) -> Outcome:
        named = {"name": self._by.name(call)}
        if self._stopped:
            return Outcome(call, "skipped", "not_on_record", named)
        if not well:
            return Outcome(call, "skipped", "after_failure", named)
        if call.device_id in self._by.view.scenes:
            return await scene_seen(await sent(call, self._by), self._so_far(), self._by)
        return await tried(call, states, self._by)

    def _so_far(self) -> Snapshot:
        """The home as this act has left it."""
        changes = {i: dict(o.changed) for i, came in self._came.items() for o in came}
        return self._before.updated(changes, self._before.read_at or 0.0)

    async def _told(self, outcome: Outcome) -> None:
        """Put on record together with what came meanwhile."""
        self._came[outcome.call.device_id].append(outcome)
        self._untold.append(outcome)
        async with self._telling:
            now, self._untold = self._untold, []
            if now:
                await self._recorded(asyncio.create_task(self._record(now)))

    async def _recorded(self, record: asyncio.Task[None]) -> None:
        """Put on record to the end, even by whoever is cancelled meanwhile."""
        try:
            await asyncio.shield(record)
        except asyncio.CancelledError:
            await record
            raise

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
                status: Status = "unknown" if id(call) in self._by.sent else "skipped"
                named = {"name": self._by.name(call)}
                self._came[call.device_id].append(Outcome(call, status, "interrupted", named))
                self._untold.append(self._came[call.device_id][-1])
        if self._untold:
            await self._record(self._untold)

    def in_order(self, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """What came of each call, in their order."""
        return tuple(self._came[call.device_id].popleft() for call in calls)
