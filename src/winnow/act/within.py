"""What others do, waited for so long and no longer; whatever goes wrong with them is told."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

R = TypeVar("R")


async def within(seconds: float, work: Coroutine[Any, Any, R]) -> R | BaseException:
    """What the work returns or raises; TimeoutError where it takes longer, and it is given up then."""
    task = asyncio.create_task(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    if not task.done():
        return TimeoutError()
    if task.cancelled():
        return asyncio.CancelledError()
    return task.exception() or task.result()
