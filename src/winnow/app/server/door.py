"""What all routes share: the engine, who asks, what the last turns were, and how a response is told."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.responses import Response, StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from winnow.app.access import Access, key_scope, tenant_of
from winnow.app.output import json_text
from winnow.app.server.faults import DataResponse, RequestError, error_data, fault_of, language_of
from winnow.app.server.limits import RateLimit, ServerSettings
from winnow.app.server.pace import Pace
from winnow.app.server.telemetry import HttpMetrics, open_tracer
from winnow.engine.engine import Engine
from winnow.errors import WinnowError
from winnow.types.home import NO_HOME, HomeView
from winnow.types.lru import LruCache
from winnow.types.retrieval import Retrieval
from winnow.types.scope import AccessKey, IsGone, Scope

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

T = TypeVar("T")
Event = tuple[str, Any]
"""Name and data of an event that is sent by the server."""
MAX_RECENT = 1024
"""Turns of one worker that can be explained, or given more of."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
"""Names of this machine in a request."""


class RecentTurns:
    """The last turns of this process, each for whoever had it."""

    def __init__(self) -> None:
        self._turns: LruCache[str, Retrieval] = LruCache(MAX_RECENT)
        self.talks: LruCache[tuple[Scope, str], Retrieval] = LruCache(MAX_RECENT)
        """Turns of the proxy that go on once an application's own tools have answered."""
        self.asked: LruCache[Scope, tuple[str, str]] = LruCache(MAX_RECENT)
        """Talk -> the question that a model's call led to, and the token of the yes to it."""

    def put(self, found: Retrieval) -> None:
        """Remember it."""
        self._turns.put(found.id, found)

    def of(self, key: AccessKey, scope: Scope, id_: str) -> Retrieval:
        """The scope's user's turn of that id, in a home of the key. Raises RequestError."""
        found = self._turns.get(id_)
        whose = (found.scope.tenant, found.scope.user) if found else None
        if (
            found is None
            or whose != (scope.tenant, scope.user)
            or found.home_id not in (key.homes or (found.home_id,))
        ):
            raise RequestError(
                404,
                "unknown_id",
                "Nothing is remembered under that id.",
                hint="Each worker remembers its last turns. Send the words again in its place.",
            )
        return found

    def drop(self, is_gone: IsGone) -> None:
        """Forget those of persons who are forgotten."""
        self._turns.drop(lambda _, found: is_gone(found.scope))
        self.talks.drop(lambda _, found: is_gone(found.scope))
        self.asked.drop(lambda scope, _: is_gone(scope))


@dataclass
class Door:
    """The parts of one server process."""

    engine: Engine
    access: Access
    settings: ServerSettings
    metrics: HttpMetrics = field(default_factory=HttpMetrics)
    recent: RecentTurns = field(default_factory=RecentTurns)
    pace: Pace = field(default_factory=Pace)
    tracer: Tracer | None = field(default_factory=open_tracer)
    under_way: set[asyncio.Task[Any]] = field(default_factory=set)
    """Acts that go on to their end, whoever waits for them or does not any more."""
    unlink: Callable[[Scope], object] = lambda _: None
    """Told of a home that is forgotten: one imported under its id is not read from its server."""

    def __post_init__(self) -> None:
        self.rates, self._turns = RateLimit(self.settings.rate), 0
        self.engine.also.append(self.recent)

    async def run_to_end(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work returns; a client that leaves, or waits no longer, does not break it off."""
        task = asyncio.create_task(self.pace.run(work))
        self.under_way.add(task)
        task.add_done_callback(self.under_way.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Let what is under way come to its end, for as long as the grace lasts."""
        if self.under_way:
            await asyncio.wait(self.under_way, timeout=self.settings.grace)
        await self.engine.aclose()

    async def in_only_home(self, scope: Scope) -> Scope:
        """The scope in its tenant's only home, where it names none and the configured one is not its own."""
        if scope.home or scope.tenant == self.engine.policy.tenant:
            return scope
        known = await self.engine.storage.homes.list_homes(scope)
        return scope.at(known[0].id) if len(known) == 1 else scope

    async def view(self, found: Retrieval) -> HomeView:
        """The home that a turn was said in; none where it was said in none."""
        if not found.home_id:
            return NO_HOME
        return (await self.engine.load_home(found.home_id, found.scope.tenant)).view

    def remember(self, found: Retrieval) -> None:
        """Count a turn, and keep it for a while."""
        self.metrics.count_turn(found)
        self.recent.put(found)
        self._turns += 1
        if self._turns == self.settings.settle_after:
            # Tables, homes and indices are a million objects. To look through all of them for garbage, as is
            # done now and then, takes a quarter of a second in which nobody is answered.
            gc.collect()
            gc.freeze()


def door_of(request: Request) -> Door:
    """The server that the request came to."""
    found: Door = request.app.state.door
    return found


_bearer = HTTPBearer(auto_error=False, description="A key: winnow keys add NAME")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


async def caller_of(request: Request, credentials: Credentials) -> AccessKey:
    """The key of a request, which is counted against its rate. Raises AccessError, RequestError."""
    door = door_of(request)
    secret = credentials.credentials if credentials else ""
    if door.access.open_tenant and not tenant_of(secret):
        secret = ""  # clients of OpenAI's protocol always send a word; where no key is asked for, it is none
    # A page of another site may make a browser ask this machine, even under a name of its own; where no key
    # is asked for, that would be enough.
    named = (f"//{request.headers.get('host', '')}", request.headers.get("origin", "//localhost"))
    if not secret and door.access.open_tenant and not all(map(_is_local, named)):
        raise RequestError(
            403, "foreign_host", "Without a key only this machine is answered.", hint="Ask http://127.0.0.1."
        )
    key = await door.access.caller(secret)
    door.rates.count(key.digest)
    request.state.homes = key.homes
    return key


def _is_local(url: str) -> bool:
    try:
        return urlsplit(url).hostname in LOOPBACK
    except ValueError:
        return False


Caller = Annotated[AccessKey, Depends(caller_of)]


async def _door_of(request: Request) -> Door:
    return door_of(request)  # what is no coroutine would be called in a thread of its own, for each request


TheDoor = Annotated[Door, Depends(_door_of)]


async def scope_of(
    door: Door, key: AccessKey, user: str = "", home: str = "", session: str = "", *, in_home: bool = False
) -> Scope:
    """Whose rows the request touches. ``in_home``: that a home is needed, so that the only one is named.

    Raises AccessError, HomeNotFound, StoreError.
    """
    scope = await door.in_only_home(key_scope(key, user, home, session))
    return scope.at((await door.engine.load_home(scope.home, scope.tenant)).home.id) if in_home else scope


def used(request: Request, found: Retrieval | None = None) -> dict[str, Any]:
    """What a request took: milliseconds, tokens of the context, and what language models were asked."""
    calls = found.model_calls if found else ()
    return {
        "ms": round((monotonic() - request.state.since) * 1000, 2),
        "context_tokens": found.context.token_count if found else 0,
        "model_calls": len(calls),
        "prompt_tokens": sum(call.prompt_tokens or 0 for call in calls),
        "completion_tokens": sum(call.completion_tokens or 0 for call in calls),
    }


def told(
    request: Request, data: dict[str, Any], found: Retrieval | None = None, status: int = 200
) -> Response:
    """The response with what it took."""
    return DataResponse({**data, "usage": used(request, found)}, status)


def wants_events(request: Request) -> bool:
    """Whether the client wants to be told while it waits."""
    return "text/event-stream" in request.headers.get("accept", "")


Work = Callable[[Callable[[Event], None]], Coroutine[Any, Any, Event]]
"""Does something, tells events meanwhile, and returns the last one."""


def event_response(request: Request, work: Work) -> StreamingResponse:
    """Events as they happen, then the result, or the error in its one shape."""
    paced = door_of(request).pace.run
    return StreamingResponse(
        _events(request, lambda tell: paced(work(tell))),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store"},
    )


async def _events(request: Request, work: Work) -> AsyncIterator[bytes]:
    waiting: asyncio.Queue[Event | None] = asyncio.Queue()
    task = asyncio.create_task(work(waiting.put_nowait))
    task.add_done_callback(lambda _: waiting.put_nowait(None))
    try:
        while (event := await waiting.get()) is not None:
            yield event_bytes(event)
        try:
            yield event_bytes(await task)
        except WinnowError as error:
            code = fault_of(error)[1]
            yield event_bytes(("error", error_data(code, error.message, error.hint, language_of(request))))
    finally:
        task.cancel()


def event_bytes(event: Event) -> bytes:
    """An event as it is sent: its data is JSON on one line."""
    name, data = event
    return f"event: {name}\ndata: {json_text(data)}\n\n".encode("utf-8", "backslashreplace")
