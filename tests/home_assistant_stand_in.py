"""A server on this machine that speaks Home Assistant's WebSocket protocol, or breaks it as a test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

TOKEN = "long-lived"
START = "2026-03-01T08:00:00+00:00"
Answer = Callable[[dict[str, Any]], Any]


def state(entity_id: str, value: str, at: str = START, **attributes: object) -> dict[str, Any]:
    """The state of an entity as the server tells it."""
    name = entity_id.partition(".")[2].replace("_", " ").title()
    return {
        "entity_id": entity_id,
        "state": value,
        "attributes": {"friendly_name": name, **attributes},
        "last_changed": at,
        "last_updated": at,
    }


@dataclass
class HomeAssistant:
    """One server. ``unknown`` questions are refused; ``instead`` gives what is sent in place of an answer."""

    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    unexposed: set[str] = field(default_factory=set)
    """Entities that are not exposed to Assist, which newer servers do not list."""
    running: str = "RUNNING"
    silent: set[str] = field(default_factory=set)
    """Questions that are never answered."""
    instead: dict[str, str] = field(default_factory=dict)
    """Question -> text that is sent in the place of its answer."""
    then: list[dict[str, Any]] = field(default_factory=list)
    """States that things get as soon as somebody who listens has read all states."""
    asked: list[str] = field(default_factory=list)
    called: list[dict[str, Any]] = field(default_factory=list)
    """What was asked of services, in order."""
    refusing: dict[str, str] = field(default_factory=dict)
    """Service, as ``light.turn_on`` -> code of the error it is answered with."""
    hanging_up: set[str] = field(default_factory=set)
    """Services that are done, and in the place of an answer the connection ends."""
    port: int = 0
    _clients: dict[ServerConnection, dict[str, int]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """What a client is given."""
        return f"http://127.0.0.1:{self.port}"

    async def say(self, kind: str, **data: object) -> None:
        """Tell all who subscribed to events of that kind."""
        event = {"event_type": kind, "data": data, "time_fired": START}
        for client, subscribed in list(self._clients.items()):
            if kind in subscribed:
                await client.send(json.dumps({"id": subscribed[kind], "type": "event", "event": event}))

    async def put(self, new: dict[str, Any]) -> None:
        """An entity is in another state now."""
        self.states[new["entity_id"]] = new
        await self.say("state_changed", entity_id=new["entity_id"], new_state=new)

    async def drop(self, code: int = 1011) -> None:
        """Hang up on everybody."""
        for client in list(self._clients):
            await client.close(code)

    def rest(self, client: ServerConnection, request: Request) -> Response | None:
        """What the REST API says, of which there are the states; None opens a WebSocket."""
        if request.path not in ("/api/", "/api/states"):
            return None
        if request.path == "/api/" or request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return client.respond(401, "401: Unauthorized")
        return client.respond(200, json.dumps(list(self.states.values())))

    async def serve(self, client: ServerConnection) -> None:
        """One client."""
        await client.send(json.dumps({"type": "auth_required", "ha_version": "2026.4.0"}))
        said = json.loads(await client.recv())
        if said.get("access_token") != TOKEN:
            await client.send(json.dumps({"type": "auth_invalid", "message": "Invalid access token"}))
            return
        await client.send(json.dumps({"type": "auth_ok", "ha_version": "2026.4.0"}))
        self._clients[client] = {}
        try:
            async for text in client:
                await self._answer(client, json.loads(text))
        finally:
            del self._clients[client]

    async def _answer(self, client: ServerConnection, asked: dict[str, Any]) -> None:
        kind = asked["type"]
        self.asked.append(kind)
        if kind in self.silent:
            return
        if kind in self.instead:
            await client.send(self.instead[kind])
            return
        if kind in self.unknown:
            error = {"code": "unknown_command", "message": "Unknown command."}
            await _reply(client, asked, success=False, error=error)
            return
        if kind == "call_service":
            await self._serve(client, asked)
            return
        if kind == "subscribe_events":
            self._clients[client][asked["event_type"]] = asked["id"]
        await _reply(client, asked, success=True, result=self._result(kind))
        while kind == "get_states" and self._clients[client] and self.then:
            await self.put(self.then.pop())

    async def _serve(self, client: ServerConnection, asked: dict[str, Any]) -> None:
        """Call a service: only on and off do anything."""
        service = f"{asked['domain']}.{asked['service']}"
        self.called.append(asked)
        if code := self.refusing.get(service):
            await _reply(client, asked, success=False, error={"code": code, "message": f"No {service}\n!"})
            return
        known, value = self.states.get(asked["target"]["entity_id"]), service.rpartition("turn_")[2]
        if known and known["state"] != "unavailable" and value in {"on", "off"}:
            await self.put({**known, "state": value})
        if service in self.hanging_up:
            await client.close(1001)
            return
        await _reply(client, asked, success=True, result={"context": {"id": "1"}, "response": None})

    def _result(self, kind: str) -> Any:
        if kind == "get_config":
            about = {"location_name": "Stand In", "version": "2026.4.0", "components": ["light", "demo"]}
            return {**about, "state": self.running}
        if kind == "get_states":
            return list(self.states.values())
        if kind == "config/entity_registry/list":
            return [self._entry(entity_id) for entity_id in self.states]
        if kind == "config/entity_registry/get_entries":
            return {i: {**self._entry(i), "aliases": [None]} for i in self.states}
        if kind == "homeassistant/expose_entity/list":
            return {
                "exposed_entities": {
                    i: {"conversation": True} for i in self.states if i not in self.unexposed
                }
            }
        return []

    @staticmethod
    def _entry(entity_id: str) -> dict[str, Any]:
        return {"entity_id": entity_id, "platform": "demo", "device_id": None, "area_id": None, "name": None}


async def _reply(client: ServerConnection, asked: dict[str, Any], **told: object) -> None:
    await client.send(json.dumps({"id": asked["id"], "type": "result", **told}))


@asynccontextmanager
async def home_assistant(server: HomeAssistant | None = None) -> AsyncIterator[HomeAssistant]:
    """A running server; it is gone when the block ends. It comes back at the port it had."""
    server = server or HomeAssistant({"light.lamp": state("light.lamp", "on", brightness=10)})
    options: dict[str, Any] = {"process_request": server.rest, "close_timeout": 0.1}
    async with serve(server.serve, "127.0.0.1", server.port, **options) as listening:
        server.port = next(iter(listening.sockets)).getsockname()[1]
        yield server


async def until(happened: Callable[[], bool]) -> None:
    """Wait until it happened."""
    async with asyncio.timeout(20):
        while not happened():
            await asyncio.sleep(0.002)


@contextmanager
def in_a_thread(server: HomeAssistant) -> Iterator[None]:
    """The server running beside a test that blocks."""
    loop, over = asyncio.new_event_loop(), asyncio.Event()
    ready = Event()

    async def serve_until_over() -> None:
        async with home_assistant(server):
            ready.set()
            await over.wait()

    thread = Thread(target=loop.run_until_complete, args=(serve_until_over(),))
    thread.start()
    try:
        assert ready.wait(5)
        yield
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
