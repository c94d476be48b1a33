"""Winnow's own event loop, in a thread of its own: however long a turn takes, Home Assistant's goes on.

Whoever speaks waits in Home Assistant's loop for what runs in this one; what runs here waits in turn for what
only Home Assistant's loop may do. Context variables go along both ways.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from threading import Thread
from typing import Any, TypeVar

from winnow.errors import WinnowError

T = TypeVar("T")
PATIENCE = 5.0
"""Seconds that what is under way may take when the thread is to end; then it is cancelled."""
LIMIT = 8.0
"""Seconds after which the end is waited for no longer: Home Assistant gives an unload ten."""


class EngineStopped(WinnowError):  # noqa: N818 - reads as the state it is
    """Winnow is being unloaded; what was asked for was not begun."""

    def __init__(self) -> None:
        super().__init__("Winnow was unloaded, or is loaded anew.", hint="Say it again in a moment.")


class TurnInterrupted(EngineStopped):
    """Winnow is being unloaded; what was under way did not end by itself."""


class EngineThread:
    """A loop that runs from its making to ``stop``; ``closing`` is its last work.

    ``run`` and ``stop`` are for one other loop: that of Home Assistant.
    """

    def __init__(self, closing: Callable[[], Awaitable[None]]) -> None:
        self._closing = closing
        self._loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._is_ending = False
        self._turns: set[asyncio.Task[Any]] = set()
        """What is under way in this loop."""
        self._thread = Thread(target=self._serve, name="winnow", daemon=True)
        self._thread.start()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work returns or raises, done in this loop. Raises EngineStopped, TurnInterrupted."""
        if self._is_ending:
            work.close()
            raise EngineStopped
        try:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._turn(work), self._loop))
        except asyncio.CancelledError:
            if self._is_ending and not _is_given_up():
                raise TurnInterrupted from None
            raise

    async def stop(self) -> None:
        """Take no more work, wait for what is under way or cancel it, and end the thread."""
        if not self._is_ending:
            self._is_ending = True
            self._loop.call_soon_threadsafe(self._end.set)
        await asyncio.to_thread(self._thread.join, LIMIT)

    def _serve(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:  # closes the loop
            runner.run(self._until_the_end())

    async def _until_the_end(self) -> None:
        await self._end.wait()
        if self._turns:
            _, late = await asyncio.wait(self._turns, timeout=PATIENCE)
            for turn in late:
                turn.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        await self._closing()

    async def _turn(self, work: Coroutine[Any, Any, T]) -> T:
        if turn := asyncio.current_task():  # always: a coroutine of a loop is in one
            self._turns.add(turn)
            turn.add_done_callback(self._turns.discard)
        return await work


def _is_given_up() -> bool:
    """Whether it is the caller that is cancelled, and not what it waits for."""
    caller = asyncio.current_task()
    return caller is not None and caller.cancelling() > 0


async def over(loop: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What the work returns or raises, done in that loop; without a detour where that is the running one."""
    if asyncio.get_running_loop() is loop:
        return await work()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), loop))
