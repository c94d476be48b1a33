"""A home that is followed beside everything else, in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event, Thread

from winnow.errors import LinkError
from winnow.ports.stores import LiveHome
from winnow.types.state import Connected, HomeEvent


class Following:
    """Listens to a home until it is closed, so that its states are at hand when they are read.

    ``told`` gets the news, in that thread.
    """

    def __init__(self, home: LiveHome, told: Callable[[HomeEvent], None] = lambda news: None) -> None:
        self._home, self._told = home, told
        self.fault: LinkError | None = None
        """Why it ended by itself; None while it goes on."""
        self._joined = Event()
        self._loop = asyncio.new_event_loop()
        self._listening: asyncio.Task[None] | None = None
        self._thread = Thread(target=self._run, name="winnow-live", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether the home was reached within so many seconds. Raises LinkError when it cannot be."""
        reached = self._joined.wait(seconds)
        if self.fault is not None:
            raise self.fault
        return reached

    def close(self) -> None:
        """Hang up, and wait until it is done."""
        self._loop.call_soon_threadsafe(self._stop)
        self._thread.join()

    def __enter__(self) -> Following:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._listening = self._loop.create_task(self._listen())
        self._loop.run_forever()
        self._loop.run_until_complete(self._ended())
        self._loop.close()

    async def _listen(self) -> None:
        try:
            async for news in self._home.news():
                self._told(news)
                if isinstance(news, Connected):
                    self._joined.set()
        except LinkError as error:
            self.fault = error
            self._joined.set()

    async def _ended(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        await self._loop.shutdown_asyncgens()

    def _stop(self) -> None:
        self._loop.stop()
