"""Winnow's own event loop, in a thread of its own: however long a turn takes, Home Assistant's goes on.

Whoever speaks waits in Home Assistant's loop for what runs in this one; what runs here waits in turn for what
only Home Assistant's loop may do. Context variables go along both ways.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class EngineThread:
    """A loop that runs from its making to ``stop``."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="winnow", daemon=True)
        self._thread.start()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work returns or raises, done in this loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def stop(self) -> None:
        """End the loop, once what it does at this moment is done."""
        self._loop.call_soon_threadsafe(self._loop.stop)


async def over(loop: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What the work returns or raises, done in that loop; without a detour where that is the running one."""
    if asyncio.get_running_loop() is loop:
        return await work()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), loop))
