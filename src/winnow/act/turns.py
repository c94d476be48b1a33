"""Acts that share a device take turns, whichever event loop of the process they run in."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection
from threading import Lock

Key = tuple[str, str, str]
"""Tenant, home, device."""
Waiting = deque[tuple[asyncio.AbstractEventLoop, "asyncio.Future[None]"]]


class Turns:
    """Who acts on what. One for all acts of a process: each device belongs to one of them at a time."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._taken: dict[Key, Waiting] = {}

    async def taken(self, keys: Collection[Key]) -> Held:
        """These, as soon as nobody else has any of them; taken in one order, so that all get their turn."""
        held = Held(self)
        try:
            for key in sorted(set(keys)):
                await self._take(key)
                held.keys.add(key)
        except BaseException:  # given up while waiting: what it had is free again
            held.leave()
            raise
        return held

    async def _take(self, key: Key) -> None:
        loop = asyncio.get_running_loop()
        with self._guard:
            if key not in self._taken:
                self._taken[key] = deque()
                return
            free: asyncio.Future[None] = loop.create_future()
            self._taken[key].append((loop, free))
        try:
            await free
        except asyncio.CancelledError:
            self._given_up(key, (loop, free))
            raise

    def _given_up(self, key: Key, waiter: tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]) -> None:
        with self._guard:
            if waiter in self._taken.get(key, ()):
                self._taken[key].remove(waiter)
                return
        self.leave(key)  # it was its turn already

    def leave(self, key: Key) -> None:
        """Let the next one have it."""
        with self._guard:
            while self._taken[key]:
                loop, free = self._taken[key].popleft()
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_let, free)
                    return
            del self._taken[key]


class Held:
    """What one act has."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.keys: set[Key] = set()

    def leave(self, device_id: str = "") -> None:
        """Let go of one device, or of all."""
        for key in [k for k in self.keys if k[2] == device_id or not device_id]:
            self.keys.remove(key)
            self._turns.leave(key)


def _let(free: asyncio.Future[None]) -> None:
    if not free.done():
        free.set_result(None)
