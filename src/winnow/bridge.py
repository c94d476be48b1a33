"""Where callers that block meet coroutines: the one way across."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, TypeVar, cast

R = TypeVar("R")
S = TypeVar("S")


def looped() -> bool:
    """Whether an event loop runs in this thread, which whoever blocks would hold up."""
    if "asyncio" not in sys.modules:
        return False  # nobody can have started one, and asking would load it
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def aside(work: Callable[[], R]) -> R:
    """What the blocking work returns, in a thread of its own where it would hold up an event loop.

    Without a loop nobody else waits: it is done at once, and the coroutine is never suspended.
    """
    if not looped():
        return work()
    import asyncio

    return await asyncio.to_thread(work)


async def together(first: Coroutine[Any, Any, R], second: Coroutine[Any, Any, S]) -> tuple[R, S]:
    """What both return, waited for at one time; without a loop, where nothing waits, one after the other."""
    if looped():
        import asyncio

        one, other = await asyncio.gather(first, second)
        return one, other
    try:
        return await first, await second
    finally:
        second.close()


def blocking(work: Coroutine[Any, Any, R], *, waits: bool = False) -> R:
    """What the coroutine returns, for a caller that cannot wait for it.

    ``waits``: whether it may wait for more than stores, which without a loop answer at once. It then gets a
    loop of its own, in a thread of its own, since the caller's thread may already run one.
    """
    if not waits and not looped():
        return _through(work)
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    run: Callable[[Coroutine[Any, Any, R]], R] = asyncio.run if waits else _through
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run, work).result()


def waits(source: object) -> bool:
    """Whether a source may suspend where no event loop runs: unless it says ``waits = False``."""
    return bool(getattr(source, "waits", True))


def _through(work: Coroutine[Any, Any, R]) -> R:
    """What the coroutine returns that nothing makes wait."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast("R", done.value)
    work.close()
    raise AssertionError("what waits needs a loop")


def steps(items: AsyncIterator[R]) -> Iterator[R]:
    """The items, for a caller that cannot wait for them: one at a time."""

    async def following() -> list[R]:
        return [item async for item in _first(items)]

    while found := blocking(following()):
        yield from found


async def _first(items: AsyncIterator[R]) -> AsyncIterator[R]:
    """The next item alone."""
    async for item in items:
        yield item
        return
