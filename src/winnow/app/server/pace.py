"""Turns that compute one after the other, so that the event loop comes round between two of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, TypeVar

from fastapi import Request
from fastapi.responses import Response
from fastapi.routing import APIRoute

T = TypeVar("T")


class Pace:
    """Lets one piece of work compute in each round of the event loop, in the order they come.

    Turns compute for milliseconds between two waits for a store or a model. Of two hundred that are under way
    many are ready at one time: all of them would have their step before the loop looks at a connection again.
    """

    def __init__(self) -> None:
        self._step = asyncio.Lock()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work returns. It holds nobody up while it waits."""
        return await _Paced(work, self._step)


class PacedRoute(APIRoute):
    """A route whose requests compute for milliseconds."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route's own, at the pace of the server."""
        handler = super().get_route_handler()

        async def paced(request: Request) -> Response:
            pace: Pace = request.app.state.door.pace
            return await pace.run(handler(request))

        return paced


class _Paced(Generic[T]):
    """Work whose steps, from one wait to the next, are each taken with the lock held until the next round."""

    def __init__(self, work: Coroutine[Any, Any, T], step: asyncio.Lock) -> None:
        self._work, self._lock = work, step

    def __await__(self) -> Generator[Any, Any, T]:
        failed: BaseException | None = None
        try:
            while True:
                try:
                    yield from self._lock.acquire().__await__()
                    # Not when the step ends: the next one in line would have it in the same round.
                    asyncio.get_running_loop().call_soon(self._lock.release)
                except asyncio.CancelledError as cancelled:
                    failed = cancelled
                waits = self._work.send(None) if failed is None else self._work.throw(failed)
                try:
                    failed = None
                    yield waits
                except BaseException as error:  # noqa: BLE001 - whatever it is, it is the work's to deal with
                    failed = error
        except StopIteration as end:
            done: T = end.value
            return done
        finally:
            self._work.close()
