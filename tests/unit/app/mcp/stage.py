"""A cottage that is played, servers over it, and clients with a person before them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp import Client
from mcp.server import MCPServer
from mcp_types import CallToolResult, ElicitResult
from tests import homes

from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.app.mcp.server import build_server
from winnow.app.mcp.tools import McpCaller, WinnowTools
from winnow.app.wiring.engine import rehearse_on_copy
from winnow.engine.engine import Engine
from winnow.types.scope import Scope

DOOR = "lock.front_door"
EVERYTHING = frozenset({"read", "act", "write", "context"})
MODES = ("legacy", "auto")
"""A client that is asked while its call is under way, and one that is asked by a second round."""


@dataclass
class Person:
    """Whoever sits before the client: what they were asked, and how they answer."""

    answers: Callable[[Mapping[str, Any]], ElicitResult]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, _: object, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        return self.answers(params.requested_schema["properties"])


def agreeing(fields: Mapping[str, Any]) -> ElicitResult:
    """Takes the first option, and ticks what is to be ticked."""
    content = {"choice": fields["choice"]["enum"][0]} if "choice" in fields else {"yes": True}
    return ElicitResult(action="accept", content=content)


@dataclass
class Stage:
    """A cottage in memory with an engine over it, and servers of it."""

    engine: Engine
    home: SimulatedHome

    def server(
        self, user: str = "ida", rights: frozenset[str] = EVERYTHING, tokens: str = "nobody"
    ) -> MCPServer:
        caller = McpCaller("default", user, "cottage", rights)
        return build_server(WinnowTools(self.engine, caller, tokens), "en")

    @asynccontextmanager
    async def client(
        self, mode: str = "auto", person: Person | None = None, **of_server: Any
    ) -> AsyncIterator[Client]:
        async with Client(self.server(**of_server), mode=mode, elicitation_callback=person) as client:
            yield client

    def handle(self, device: str) -> str:
        return self.engine.sync.load_home().view.handles[device]

    async def unlocked(self) -> bool:
        return await self.state() == "unlocked"

    async def state(self, device: str = DOOR) -> object:
        seen = await self.home.look(Scope(home="cottage"), [device])
        return seen.value(device, "state")


async def told(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool answers, as data."""
    came = await client.call_tool(tool, arguments)
    assert not came.is_error, came.content
    return came.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool says where it did not go."""
    came: CallToolResult = await client.call_tool(tool, arguments)
    assert came.is_error
    return "".join(one.text for one in came.content)  # type: ignore[union-attr]


def cottage(**wanted: Any) -> Stage:
    engine, imported = homes.fresh("cottage", **wanted), homes.imported("cottage")
    return Stage(engine, rehearse_on_copy(engine, imported.home, imported.states))
