"""A running Home Assistant: its documents, its states in a mirror, and news of what changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

from winnow.adapters.http import Backoff
from winnow.adapters.platforms.home_assistant.entity import STATE_TIMES
from winnow.adapters.platforms.home_assistant.services import state_values
from winnow.adapters.platforms.home_assistant.websocket import HomeAssistantSocket, open_socket
from winnow.adapters.platforms.json_rows import latest_time
from winnow.adapters.platforms.live.linked_homes import value_changes
from winnow.adapters.platforms.live.server import MAX_QUOTED_CHARS, ServerAddress
from winnow.errors import LinkError
from winnow.language.encode import encode_text
from winnow.ports.stores import Clock
from winnow.types.home import Scalar
from winnow.types.receipt import Outcome, OutcomeStatus
from winnow.types.scope import Scope
from winnow.types.state import (
    Connected,
    ConnectionLost,
    HomeChange,
    HomeEvent,
    Origin,
    ReadProgress,
    Snapshot,
    StateChange,
    no_read_progress,
)
from winnow.types.verdict import Call

# What Home Assistant last told of each of its entities.

STATE_SOURCE = "homeassistant"
ABILITY_ATTRIBUTES = (
    "friendly_name",
    "supported_features",
    "device_class",
    "unit_of_measurement",
    "entity_id",
)
"""Attributes of a state that tell what the entity is, and not how it is."""

EntityState = Mapping[str, Any]
"""The state of an entity, as the server gives it."""


class StateMirror:
    """The states of a home as last told. One task writes it, any thread may read it."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._lock = clock, RLock()
        self._told: dict[str, EntityState] = {}
        self._values: dict[str, Mapping[str, Scalar]] = {}
        self._origins: dict[str, Mapping[str, Origin]] = {}
        self._read_at: float | None = None

    def __len__(self) -> int:
        """How many entities were told of."""
        return len(self._told)

    def snapshot(self, entity_ids: Collection[str] = ()) -> Snapshot:
        """The states of these entities, or of all, each with its own moment."""
        with self._lock:
            offline = frozenset(i for i, told in self._told.items() if told.get("state") == "unavailable")
            all_of_it = Snapshot(
                dict(self._values), self._read_at, STATE_SOURCE, offline, dict(self._origins)
            )
        return all_of_it.about(entity_ids) if entity_ids else all_of_it

    def entity_state(self, entity_id: str) -> EntityState | None:
        """The state of one entity as the server gave it; None where it knows no such entity."""
        return self._told.get(entity_id)

    def fill(self, states: Iterable[EntityState]) -> list[HomeEvent]:
        """Put all states in the place of what was known; what that changes."""
        told = {str(state["entity_id"]): state for state in states if state.get("entity_id")}
        with self._lock:
            gone = dict.fromkeys(entity_id for entity_id in self._told if entity_id not in told)
            self.touch()
            return [item for pair in {**gone, **told}.items() for item in self._put(*pair)]

    def apply_event(self, event: EntityState) -> list[HomeEvent]:
        """What one ``state_changed`` changes; nothing if it is older than what is known."""
        data = event.get("data") or {}
        entity_id, state = str(data.get("entity_id") or ""), data.get("new_state")
        with self._lock:
            known = self._told.get(entity_id)
            late = known is not None and (state_moment(state or event, "time_fired") or 0) < (
                state_moment(known) or 0
            )
            if not entity_id or late:
                return []
            self.touch()
            return self._put(entity_id, state)

    def touch(self) -> None:
        """What is known is so now."""
        self._read_at = self._clock.now()

    def _put(self, entity_id: str, state: EntityState | None) -> list[HomeEvent]:
        """Keep the state of one entity, or forget it; what that changes."""
        known, before = self._told.get(entity_id), self._values.get(entity_id, {})
        if state is None:
            for part in (self._told, self._values, self._origins):
                part.pop(entity_id, None)
        else:
            values = state_values(str(state.get("state")), state.get("attributes") or {})
            self._told[entity_id], self._values[entity_id] = state, values
            self._origins[entity_id] = dict.fromkeys(values, Origin(STATE_SOURCE, state_moment(state)))
        after = self._values.get(entity_id, {})
        changes: list[HomeEvent] = list(value_changes(entity_id, before, after, state_moment(state or {})))
        # What the entity is may have changed, and not only how it is.
        is_another = known is not state
        if known is not None and state is not None:
            is_another = _abilities(known) != _abilities(state)
        return [*changes, HomeChange()] if is_another else changes


def _abilities(state: EntityState) -> list[object]:
    attributes = state.get("attributes") or {}
    return [attributes.get(name) for name in ABILITY_ATTRIBUTES]


def state_moment(told: EntityState, *more: str) -> float | None:
    """Seconds since the epoch of the latest moment it tells; None when it tells none."""
    return latest_time(told.get(name) for name in (*STATE_TIMES, *more))


REQUIRED_DOCUMENTS = {
    "states": "get_states",
    "areas": "config/area_registry/list",
    "devices": "config/device_registry/list",
    "entities": "config/entity_registry/list",
}
"""Document -> the question it answers."""
OPTIONAL_DOCUMENTS = {
    "floors": "config/floor_registry/list",
    "labels": "config/label_registry/list",
    "exposure": "homeassistant/expose_entity/list",
}
"""The same for what older servers do not know, or not every token may read."""
GET_ENTRIES = "config/entity_registry/get_entries"
_REGISTRIES = ("area", "floor", "device", "entity", "label")
REGISTRY_EVENTS = tuple(f"{name}_registry_updated" for name in _REGISTRIES)
"""Events after which the home may consist of something else."""
RUNNING = "RUNNING"


@dataclass(frozen=True, slots=True)
class WaitTimes:
    """How long things are waited for, in seconds."""

    answer: float = 10.0
    """For each answer."""
    start: float = 60.0
    """For a server that is still starting: until then it does not know all of its things."""
    quiet: float = 0.5
    """Without a further event before a rearranged home is read."""


@dataclass
class HomeAssistantHome:
    """Reads the Home Assistant at an address with a token. Nothing is sent before it is asked for."""

    address: ServerAddress
    token: str = field(repr=False)
    token_name: str
    mirror: StateMirror
    patience: WaitTimes = WaitTimes()
    backoff: Backoff = field(default_factory=Backoff)
    is_following: bool = False
    """Whether the mirror follows the home at this moment."""

    def connection(self) -> AbstractAsyncContextManager[HomeAssistantSocket]:
        """A connection of one's own. Raises LinkError."""
        return open_socket(self.address, self.token, self.token_name, self.patience.answer)

    async def documents(self, progress: ReadProgress = no_read_progress) -> dict[str, object]:
        """What the home consists of and how it is, as the answers that tell it. Raises LinkError.

        A server that is still starting is waited for. What an older one does not know is left out.
        """
        async with self.connection() as socket:
            about = await self._wait_for_start(socket)
            answers = await _ask_all(socket, REQUIRED_DOCUMENTS)
            answers |= await _ask_all(socket, OPTIONAL_DOCUMENTS, optional=True)
            # The list leaves out aliases above all. An older server has no more than the list.
            ids = [entity["entity_id"] for entity in answers["entities"]]
            try:
                entries: object = await socket.ask(GET_ENTRIES, entity_ids=ids) if ids else None
            except LinkError as error:
                if not _is_refusal(error):
                    raise
                entries = None
            if "exposure" in answers:
                answers["exposure"] = _full_exposure(answers["exposure"], answers["states"])
            for name, rows in answers.items():
                progress(name, len(rows))
        return {"config": about, **answers, **({"entries": entries} if entries else {})}

    async def read(self, entity_ids: Collection[str] = ()) -> Snapshot:
        """The states of these entities, or of all, as they are now. Raises LinkError.

        While the mirror follows the home nothing is asked.
        """
        if not self.is_following:
            async with self.connection() as socket:
                self.mirror.fill(await socket.ask(REQUIRED_DOCUMENTS["states"]))
        return self.mirror.snapshot(entity_ids)

    async def news(self) -> AsyncIterator[HomeEvent]:
        """What happens to the home, for as long as one listens, while the mirror follows it.

        A lost connection is made again, with pauses that grow. Raises LinkError when the first one cannot be
        made, or for a reason that does not pass by itself.
        """
        again = False
        while True:
            try:
                async with self.connection() as socket:
                    async for item in self._follow(socket, again):
                        yield item
                        again = True
            except LinkError as error:
                self.is_following = False
                if not (again and error.retryable):
                    raise
                pause = self.backoff.next_pause(error.retry_after)
                yield ConnectionLost(error.message, pause)
            finally:
                self.is_following = False
            await asyncio.sleep(pause)

    async def _follow(self, socket: HomeAssistantSocket, again: bool) -> AsyncIterator[HomeEvent]:
        """What is heard on one connection: first what changed while there was none."""
        # Of registries one hears as far as this server and token allow.
        await socket.ask("subscribe_events", event_type="state_changed")
        for kind in REGISTRY_EVENTS:
            try:
                await socket.ask("subscribe_events", event_type=kind)
            except LinkError as error:
                if not _is_refusal(error):
                    raise
        await self._wait_for_start(socket)
        missed = self.mirror.fill(await socket.ask(REQUIRED_DOCUMENTS["states"]))
        self.is_following = True  # from here on the mirror is as good as the server
        self.backoff.reset()
        yield Connected(len(self.mirror), again)
        for item in missed if again else ():
            if isinstance(item, StateChange):
                yield item
        yield HomeChange()  # it may have been while nobody listened
        async for item in self._events(socket):
            yield item

    async def _events(self, socket: HomeAssistantSocket) -> AsyncIterator[HomeEvent]:
        """Changes as they come. Registries change in bursts, of which only the end is told."""
        now = asyncio.get_running_loop().time
        due: float | None = None
        while True:
            event = await socket.event(None if due is None else max(0.0, due - now()))
            if event is None:
                due = None
                yield HomeChange()
                continue
            is_state = event.get("event_type") == "state_changed"
            for item in self.mirror.apply_event(event) if is_state else [HomeChange()]:
                if isinstance(item, HomeChange):
                    due = now() + self.patience.quiet
                else:
                    yield item

    async def _wait_for_start(self, socket: HomeAssistantSocket) -> Mapping[str, Any]:
        """The server's own description, once it runs, or when it takes too long."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + self.patience.start
        while (about := await socket.ask("get_config")).get("state", RUNNING) != RUNNING:
            if loop.time() > ends:
                break
            await asyncio.sleep(self.patience.quiet)
        return dict(about)


async def _ask_all(
    socket: HomeAssistantSocket, questions: Mapping[str, str], *, optional: bool = False
) -> dict[str, Any]:
    """Document -> answer, all asked for at once. What is ``optional`` and refused is left out."""
    said = await asyncio.gather(*(socket.ask(kind) for kind in questions.values()), return_exceptions=True)
    answers = dict(zip(questions, said, strict=True))
    for error in answers.values():
        if isinstance(error, BaseException) and not (optional and _is_refusal(error)):
            raise error
    return {name: answer for name, answer in answers.items() if not isinstance(answer, BaseException)}


def _full_exposure(answer: Mapping[str, Any], states: list[Mapping[str, Any]]) -> dict[str, Any]:
    """What is exposed, and as not exposed whatever a server of 2025 or newer leaves out of its list."""
    listed = dict(answer.get("exposed_entities") or {})
    shown = [value for told in listed.values() for value in told.values()]
    if shown and all(value is True for value in shown):
        listed = {state["entity_id"]: {"conversation": False} for state in states} | listed
    return {"exposed_entities": listed}


def _is_refusal(error: BaseException) -> bool:
    return isinstance(error, LinkError) and error.code == "refused"


# Calls of Home Assistant services, over one connection that is kept for each event loop.

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
