"""Where callers that block meet coroutines: the one way across."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

R = TypeVar("R")


def looped() -> bool:
    """Whether an event loop runs in this thread, which whoever blocks would hold up."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def blocking(work: Coroutine[Any, Any, R], *, waits: bool = False) -> R:
    """What the coroutine returns, for a caller that cannot wait for it.

    ``waits``: whether it may wait for more than stores, which without a loop answer at once. It then gets a
    loop of its own, in a thread of its own, since the caller's thread may already run one.
    """
    run: Callable[[Coroutine[Any, Any, R]], R] = asyncio.run if waits else _through
    if not waits and not looped():
        return run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run, work).result()


def _through(work: Coroutine[Any, Any, R]) -> R:
    """What the coroutine returns that nothing makes wait."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast("R", done.value)
    work.close()
    raise AssertionError("what waits needs a loop")
