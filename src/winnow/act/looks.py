"""Looks at a home: whoever wants to see something at about the same time shares one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from winnow.act.within import within
from winnow.ports import Actuator
from winnow.types.scope import Scope
from winnow.types.state import Snapshot

GATHER = 0.01
"""Seconds a look waits for others who want one."""
FIRST = 0.1
"""Seconds to the second look; every further one waits twice as long."""


class Looks:
    """One at a time; each began after everybody who shares it asked for it."""

    def __init__(self, scope: Scope, actuator: Actuator, seconds: float) -> None:
        self._scope, self._actuator, self._seconds = scope, actuator, seconds
        self._wanted: set[str] = set()
        self._whole = False
        self._coming: asyncio.Task[Snapshot | None] | None = None
        self._one = asyncio.Lock()
        self._under_way: set[asyncio.Task[Snapshot | None]] = set()

    async def at(self, ref: str = "") -> Snapshot | None:
        """The device of that id, or the whole home, as it is now; None where it cannot be seen now."""
        self._whole |= not ref
        self._wanted.add(ref)
        if self._coming is None:
            self._coming = asyncio.get_running_loop().create_task(self._look())
            self._under_way.add(self._coming)
            self._coming.add_done_callback(self._under_way.discard)
        return await asyncio.shield(self._coming)

    async def over(self, seconds: float, ref: str = "") -> AsyncIterator[Snapshot | None]:
        """Look after look, after growing pauses, until that many seconds have gone by; one at least."""
        time = asyncio.get_running_loop().time
        ends, pause = time() + seconds, FIRST
        yield await self.at(ref)
        while (left := ends - time()) > 0:
            await asyncio.sleep(min(pause, left))
            pause *= 2
            yield await self.at(ref)

    def close(self) -> None:
        """Nobody wants to see anything any more."""
        for look in self._under_way:
            look.cancel()

    async def _look(self) -> Snapshot | None:
        async with self._one:
            await asyncio.sleep(GATHER)
            refs = () if self._whole else sorted(self._wanted)
            self._wanted, self._whole, self._coming = set(), False, None
            seen = await within(self._seconds, self._actuator.look(self._scope, refs))
            return seen if isinstance(seen, Snapshot) else None
