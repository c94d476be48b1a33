"""Calls of Home Assistant services, over one connection that is kept for each event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from winnow.adapters.platforms.home_assistant.live_home import (
    RUNNING,
    EntityState,
    HomeAssistantHome,
    StateMirror,
)
from winnow.adapters.platforms.home_assistant.websocket import HomeAssistantSocket
from winnow.adapters.platforms.live.server import MAX_QUOTED_CHARS
from winnow.errors import LinkError
from winnow.language.encode import encode_text
from winnow.ports.stores import Clock
from winnow.types.home import Scalar
from winnow.types.receipt import Outcome, OutcomeStatus
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

# A connection to Home Assistant that is kept for as long as its event loop runs.


@dataclass
class _LoopConnection:
    """What one event loop has of it."""

    socket: HomeAssistantSocket | None = None
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    states: StateMirror | None = None
    asked_at: float = 0.0
    """By the loop's clock: when ``states`` were asked for."""


class KeptConnection:
    """One connection for each event loop, made when it is needed and anew where it broke off.

    ``aclose`` closes that of the running loop.
    """

    def __init__(
        self, connected: Callable[[], AbstractAsyncContextManager[HomeAssistantSocket]], clock: Clock
    ) -> None:
        self._connected, self._clock = connected, clock
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopConnection] = WeakKeyDictionary()

    async def socket(self) -> HomeAssistantSocket:
        """The connection. Raises LinkError."""
        kept = self._of_this_loop()
        async with kept.opening:
            if kept.socket is None or not kept.socket.is_open:
                await kept.stack.aclose()
                kept.socket = await kept.stack.enter_async_context(self._connected())
            return kept.socket

    async def states(self) -> StateMirror:
        """The states of all entities, asked for after now. Raises LinkError.

        Who waits while others are answered shares the answer to the next question: forty devices that are
        looked at together do not ask for a whole home forty times.
        """
        kept, now = self._of_this_loop(), asyncio.get_running_loop().time
        came = now()
        async with kept.asking:
            if kept.states is None or kept.asked_at <= came:
                socket, fresh = await self.socket(), StateMirror(self._clock)
                began = now()
                fresh.fill(await socket.ask("get_states"))
                kept.states, kept.asked_at = fresh, began
            return kept.states

    async def aclose(self) -> None:
        """Hang up, where this event loop has a connection."""
        kept = self._loops.pop(asyncio.get_running_loop(), None)
        if kept is not None:
            await kept.stack.aclose()

    def _of_this_loop(self) -> _LoopConnection:
        return self._loops.setdefault(asyncio.get_running_loop(), _LoopConnection())


REFUSAL_CODES = frozenset(
    {"not_found", "invalid_format", "home_assistant_error", "service_validation_error", "unauthorized"}
)
"""Error codes of answers after which it was certainly not done; after any other nobody knows."""
RETRY_SECONDS = 1.0
"""Seconds after which a server that could not be reached, or is still starting, is worth another try."""


class HomeAssistantActuator:
    """``Actuator`` of the Home Assistant behind a link.

    One connection is kept per event loop; ``aclose`` closes that of the running one.
    """

    def __init__(self, link: HomeAssistantHome, clock: Clock) -> None:
        self._line = KeptConnection(link.connection, clock)

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:  # noqa: ARG002 - of one home
        """The states of these entities, or of all, asked for now. Raises LinkError."""
        return (await self._line.states()).snapshot(refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:  # noqa: ARG002 - of one home
        """Call the service of each call, one after the other; what came of each.

        Home Assistant answers yes when an entity is missing or unavailable, and does nothing. So it is asked
        for the entity first, and then nothing is sent.
        """
        return tuple([await self._execute(call) for call in calls])

    async def aclose(self) -> None:
        """Hang up, where this event loop has a connection."""
        await self._line.aclose()

    async def _execute(self, call: Call) -> Outcome:
        try:
            told = (await self._line.states()).entity_state(call.device_id)
            socket = await self._line.socket()
            if told is None or told.get("state") == "unavailable":
                # A server that starts does not know yet what is there.
                if await _is_starting(socket):
                    return _starting_outcome(call)
                code = "no_such_device" if told is None else "device_offline"
                return _quoted_outcome(call, "failed", code, name=_name(call, told))
        except LinkError as error:
            # Nothing was sent; trying again may help where the trouble may pass by itself.
            pause = max(error.retry_after, RETRY_SECONDS) if error.retryable else None
            return _quoted_outcome(call, "failed", "home_unreachable", pause, why=str(error))
        domain, _, service = call.command_id.partition(".")
        try:
            answer = await socket.answer(
                "call_service",
                domain=domain,
                service=service,
                service_data=dict(call.arguments),
                target={"entity_id": call.device_id},
            )
        except LinkError as error:
            return _quoted_outcome(call, "unknown", "no_answer", name=_name(call, told), why=str(error))
        if answer.get("success"):
            return Outcome(call, "sent")
        return await _refusal_outcome(call, told, answer.get("error") or {}, socket)


async def _refusal_outcome(
    call: Call, told: EntityState, error: Mapping[str, Any], socket: HomeAssistantSocket
) -> Outcome:
    """The service was not called, or ended with an error."""
    code, why = error.get("code"), error.get("message") or error.get("code")
    if code == "not_found" and await _is_starting(socket):
        return _starting_outcome(call)
    if code in REFUSAL_CODES:
        return _quoted_outcome(call, "failed", "home_refused", name=_name(call, told), why=why)
    return _quoted_outcome(call, "unknown", "home_in_trouble", name=_name(call, told), why=why)


def _starting_outcome(call: Call) -> Outcome:
    return _quoted_outcome(call, "failed", "home_starting", retry_after=RETRY_SECONDS)


async def _is_starting(socket: HomeAssistantSocket) -> bool:
    """Whether the server is still starting; one that does not say any more is about to."""
    try:
        return bool((await socket.ask("get_config")).get("state", RUNNING) != RUNNING)
    except LinkError:
        return True


def _quoted_outcome(
    call: Call, status: OutcomeStatus, code: str, retry_after: float | None = None, **facts: object
) -> Outcome:
    """An outcome of that code. What a server said is cut and made harmless."""
    told: dict[str, Scalar] = {
        name: encode_text(str(value), MAX_QUOTED_CHARS) for name, value in facts.items()
    }
    return Outcome(call, status, code, told, retry_after=retry_after)


def _name(call: Call, told: EntityState | None) -> str:
    """What the server calls the entity, else its id."""
    return str(((told or {}).get("attributes") or {}).get("friendly_name") or call.device_id)
