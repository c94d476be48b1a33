"""A connection to Home Assistant that is kept for as long as its event loop runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from winnow.homes.live.mirror import Mirror
from winnow.homes.live.socket import Socket
from winnow.ports import Clock


@dataclass
class _Kept:
    """What one event loop has of it."""

    socket: Socket | None = None
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    states: Mirror | None = None
    asked_at: float = 0.0
    """By the loop's clock: when ``states`` were asked for."""


class Line:
    """One connection for each event loop, made when it is needed and anew where it broke off.

    ``aclose`` closes that of the running loop.
    """

    def __init__(self, connected: Callable[[], AbstractAsyncContextManager[Socket]], clock: Clock) -> None:
        self._connected, self._clock = connected, clock
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Kept] = WeakKeyDictionary()

    async def socket(self) -> Socket:
        """The connection. Raises LinkError."""
        kept = self._kept()
        async with kept.opening:
            if kept.socket is None or not kept.socket.is_open:
                await kept.stack.aclose()
                kept.socket = await kept.stack.enter_async_context(self._connected())
            return kept.socket

    async def states(self) -> Mirror:
        """The states of all entities, asked for after now. Raises LinkError.

        Who waits while others are answered shares the answer to the next question: forty devices that are
        looked at together do not ask for a whole home forty times.
        """
        kept, now = self._kept(), asyncio.get_running_loop().time
        came = now()
        async with kept.asking:
            if kept.states is None or kept.asked_at <= came:
                socket, fresh = await self.socket(), Mirror(self._clock)
                began = now()
                fresh.fill(await socket.ask("get_states"))
                kept.states, kept.asked_at = fresh, began
            return kept.states

    async def aclose(self) -> None:
        """Hang up, where this event loop has a connection."""
        kept = self._loops.pop(asyncio.get_running_loop(), None)
        if kept is not None:
            await kept.stack.aclose()

    def _kept(self) -> _Kept:
        return self._loops.setdefault(asyncio.get_running_loop(), _Kept())
