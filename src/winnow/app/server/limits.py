"""What every request is held to: its size, its time, how often a key may come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from fastapi import Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from winnow.app.server.faults import RequestError, error_response, language_of
from winnow.app.server.telemetry import HttpMetrics
from winnow.errors import Phrase
from winnow.types.lru import LruCache

MAX_CALLERS = 10_000
"""Keys whose requests are counted; the one that came longest ago is forgotten first."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a server is gone about."""

    rate: int = 600
    """Requests a minute of one key, in each worker; 0: as many as it likes."""
    body: int = 16_000_000
    """Bytes of one request."""
    seconds: float = 120.0
    """Seconds until a response begins."""
    grace: int = 30
    """Seconds that requests under way may still take when the server is stopped."""
    workers: int = 1
    """Processes."""
    settle_after: int = 0
    """Turns after which what is loaded by then is held for good; 0: never, as in a program of your own."""


class RateLimit:
    """How often each caller may come: as many at once as a minute allows, then one after the other."""

    def __init__(self, rate: int, clock: Callable[[], float] = monotonic) -> None:
        self.rate, self._clock = rate, clock
        self._left: LruCache[str, tuple[float, float]] = LruCache(MAX_CALLERS)
        """Caller -> requests that are left, and when that was counted."""

    def count(self, caller: str) -> None:
        """One more request. Raises RequestError where it is one too many."""
        if not self.rate:
            return
        now = self._clock()
        left, since = self._left.get(caller) or (float(self.rate), now)
        left = min(float(self.rate), left + (now - since) * self.rate / 60)
        if left < 1:
            wait = (1 - left) * 60 / self.rate
            raise RequestError(
                429,
                "rate_limited",
                Phrase("More than {rate} requests a minute.", rate=self.rate),
                hint="Wait as long as Retry-After says.",
                retry_after=wait,
            )
        self._left.put(caller, (left - 1, now))


class Guard:
    """Around the application: bodies that are too long, responses that do not begin in time, and counts."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: HttpMetrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope.setdefault("state", {})["since"] = since = monotonic()
        answer = _Answer(send)
        try:
            await self._in_time(scope, _limited(scope, receive, self.settings.body), answer)
        finally:
            # The route's template, never the path: an id in a label would make a series of each.
            route = getattr(scope.get("route"), "path", "unknown")
            self.metrics.count(scope["method"], route, answer.status, monotonic() - since)

    async def _in_time(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            async with asyncio.timeout(self.settings.seconds) as timer:
                answer.timer = timer
                await self.app(scope, receive, answer)
        except TimeoutError:
            if not timer.expired():
                raise
            fault = RequestError(
                504,
                "timeout",
                Phrase("No answer within {seconds} seconds.", seconds=f"{self.settings.seconds:g}"),
                hint="What was to be done goes on to its end; ask again what came of it.",
            )
            await error_response(fault, language_of(Request(scope)))(scope, receive, answer)


class _Answer:
    """What is sent: once it has begun, its time is not limited any more, since events may take long."""

    def __init__(self, send: Send) -> None:
        self._send, self.status = send, 0
        self.timer: asyncio.Timeout | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            if self.timer is not None and not self.timer.expired():
                self.timer.reschedule(None)
        await self._send(message)


def _limited(scope: Scope, receive: Receive, most: int) -> Receive:
    """The body, as long as it is not too long; what a client announces need not be true."""
    announced, read = Headers(scope=scope).get("content-length", "0"), 0
    too_long = HTTPException(413, f"more than {most} bytes")

    async def limited() -> Message:
        nonlocal read
        if announced.isdecimal() and int(announced) > most:
            raise too_long
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise too_long
        return message

    return limited
