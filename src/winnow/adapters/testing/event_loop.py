"""An event loop whose clock jumps over every wait, so that what takes minutes is tested in no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

R = TypeVar("R")
PATIENCE = 0.0005
"""Seconds that other threads are given before the clock jumps."""


class _Jumping(selectors.DefaultSelector):
    """Does not wait for a time: it says that it is come."""

    jumped = 0.0

    def select(self, timeout: float | None = None) -> Any:
        """What is ready; where nothing is, the wait is counted as over."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        # Threads of an executor get a moment, or work that is done would count as waiting.
        ready = super().select(min(timeout, PATIENCE))
        if not ready:
            self.jumped += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """Its ``time`` runs as fast as whatever is waited for wants it to."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Seconds, with those that were jumped over."""
        return super().time() + self._jumping.jumped


def run_at_once(work: Coroutine[Any, Any, R]) -> R:
    """What the coroutine returns, without waiting for any time that it waits for."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(work)
