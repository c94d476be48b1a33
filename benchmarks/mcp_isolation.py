"""Try, over MCP, to reach what belongs to others: no row, no answer and no act may ever come of it.

``python -m benchmarks.mcp_isolation [--seconds 300] [--seed 1]``: the same as ``http_isolation`` with the
clients of the protocol's own library, over streamable HTTP, each with a key of ``winnow keys``. Two tenants
whose homes have one id, three persons, two of whom have one name. In the end a key is revoked, whose client
is turned away at its next call. Prints one line; exit status 1 when anything came back.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import permutations
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import httpx2
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from benchmarks.http_isolation import PERSONS, Person, mark
from winnow.app.access import Access, secret_digest
from winnow.app.config.settings import load_settings
from winnow.app.mcp.server import KeyHolders, build_server, open_port
from winnow.app.mcp.tools import TOKEN_KEY, McpCaller, WinnowTools
from winnow.app.wiring.engine import open_engine, open_store, read_home, rehearse_on_copies
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

Ids = Mapping[str, str]
Answer = tuple[bool, str, Any]
"""Whether it went well, all that came back as text, and the data."""
Attempt = tuple[str, Callable[[Ids], dict[str, Any]]]
"""A tool, and its arguments made of the ids of another."""
KEY_WORDS = "spare key flowerpot"
ATTEMPTS: tuple[Attempt, ...] = (
    ("search_messages", lambda ids: {"query": KEY_WORDS}),
    ("search_documents", lambda ids: {"query": KEY_WORDS}),
    ("facts", lambda ids: {}),
    ("retrieve", lambda ids: {"text": "where is my spare key?"}),
    ("facts", lambda ids: {"query": KEY_WORDS}),
    ("search_documents", lambda ids: {"query": KEY_WORDS, "public": True}),
    ("retrieve", lambda ids: {"text": "the second one", "session": ids["talk"]}),
    ("answer", lambda ids: {"question": ids["plan"], "choice": 0, "session": ids["talk"]}),
    ("explain", lambda ids: {"id": ids["turn"]}),
    ("act", lambda ids: {"plan": ids["plan"], "session": ids["talk"]}),
    ("act", lambda ids: {"plan": ids["door"], "session": ids["talk"]}),
    (
        "act",
        lambda ids: {
            "calls": [{"device": "lock.front_door", "command": "Lock.Unlock"}],
            "session": ids["talk"],
        },
    ),
    ("confirm", lambda ids: {"token": ids["token"]}),
    ("undo", lambda ids: {"session": ids["talk"]}),
    ("remember", lambda ids: {"text": "Nothing is under the pot.", "replaces": ids["fact"]}),
    ("resource", lambda ids: {"uri": f"winnow://turns/{ids['turn']}"}),
    ("resource", lambda ids: {"uri": "winnow://homes"}),
)
OWN = 4
"""So many of the first ones find what is one's own."""
CHANGES = frozenset({"answer", "explain", "remember"})
"""What has nothing to say to anybody about another's id."""


async def call(client: Client, tool: str, arguments: dict[str, Any]) -> Answer:
    """What came of a call."""
    if tool == "resource":
        try:
            read = await client.read_resource(arguments["uri"])
        except MCPError as error:
            return False, str(error), None
        return True, str(read.contents), None
    came = await client.call_tool(tool, arguments)
    told = f"{came.content} {came.structured_content} {came.meta}"
    return not came.is_error, told, came.structured_content


async def fill(client: Client, person: Person) -> dict[str, str]:
    """Rows of a person wherever there are any, and their ids."""
    said = f"I keep a spare key under the blue pot, the {mark(person)}."
    name = "-".join(person)
    await call(client, "add_messages", {"messages": [{"role": "user", "content": said}]})
    await call(client, "add_documents", {"documents": [{"id": f"d-{name}", "text": said}]})
    fact = (await call(client, "remember", {"text": said}))[2]["facts"][0]["id"]
    turn = (await call(client, "retrieve", {"text": "turn on the light", "session": name}))[2]
    door = (await call(client, "retrieve", {"text": "unlock the front door", "session": f"{name} door"}))[2]
    asked = await client.call_tool("act", {"plan": door["plan"], "session": f"{name} door"})
    token = (asked.meta or {})[TOKEN_KEY]["token"]
    ids = {"turn": turn["id"], "plan": turn["plan"], "door": door["plan"], "token": token, "fact": fact}
    return {
        **ids,
        "talk": f"{name} door",
    }  # the other's talk, in which whoever tries has nothing of their own


def leak(tool: str, answer: Answer, whose: Person) -> bool:
    """Whether anything of the person came back or was changed."""
    went, told, data = answer
    status = data.get("status") if isinstance(data, dict) else ""
    return mark(whose) in told or status in ("done", "partly", "waiting") or (tool in CHANGES and went)


async def leaks(
    clients: Mapping[Person, Client], more: Callable[[int], bool], seed: int
) -> tuple[int, list[str]]:
    """How many tries there were while ``more`` says so of their number, and what came of them.

    Raises ValueError where anybody does not find their own.
    """
    rng, seen = Random(seed), {person: await fill(client, person) for person, client in clients.items()}
    pairs, found, count = list(permutations(clients, 2)), list[str](), 0
    await _expect_own(clients, seen)
    while more(count):
        (who, whose), (tool, arguments) = rng.choice(pairs), ATTEMPTS[count % len(ATTEMPTS)]
        answer = await call(clients[who], tool, arguments(seen[whose]))
        if leak(tool, answer, whose):
            found.append(f"{who} of {whose}: {tool} {answer[1]}")
        count += 1
    await _expect_own(clients, seen)
    return count, found


async def _expect_own(clients: Mapping[Person, Client], seen: Mapping[Person, Ids]) -> None:
    for person, client in clients.items():
        for tool, arguments in ATTEMPTS[:OWN]:
            if mark(person) not in (await call(client, tool, arguments(seen[person])))[1]:
                raise ValueError(f"{person} does not find what is their own with {tool}")


@contextmanager
def two_tenants(data: Path) -> Iterator[tuple[str, Access, dict[Person, str]]]:
    """The address of a running server over a store in that folder, its keys, and a secret of each person."""
    settings, read = load_settings({}, data), read_home("example:cottage", "house")
    for tenant in {tenant for tenant, _ in PERSONS}:
        scope = Scope(tenant, home="house")
        run_blocking(open_store(settings).storage.homes.save_home(scope, read.home, read.states))
    engine = open_engine(settings=settings)
    rehearse_on_copies(engine)
    access = Access(engine.storage)
    secrets = {
        (tenant, user): run_blocking(access.add(tenant, "benchmark", [user])).secret
        for tenant, user in PERSONS
    }
    owner = McpCaller("default", rights=frozenset({"read", "act", "write"}))
    server = build_server(WinnowTools(engine, owner, "host"), "en", KeyHolders(access, owner))
    listening = open_port(0)
    program = uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="error"))
    thread = Thread(target=lambda: asyncio.run(program.serve(sockets=[listening])))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", access, secrets
    finally:
        program.should_exit = True
        thread.join()
        listening.close()


@asynccontextmanager
async def connected(address: str, secrets: Mapping[Person, str]) -> AsyncIterator[dict[Person, Client]]:
    """A client of the protocol for each person."""
    async with AsyncExitStack() as stack:
        clients = {}
        for person, secret in secrets.items():
            headers = {"Authorization": f"Bearer {secret}"}
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
            way = streamable_http_client(address, http_client=http)
            clients[person] = await stack.enter_async_context(Client(way))
        yield clients


async def hammer(
    address: str, access: Access, secrets: Mapping[Person, str], more: Callable[[int], bool], seed: int
) -> tuple[int, list[str]]:
    """``leaks`` of connected clients, and whether a key that is revoked opens anything any more."""
    async with connected(address, secrets) as clients:
        count, found = await leaks(clients, more, seed)
    person = PERSONS[0]
    async with connected(address, {person: secrets[person]}) as clients:
        await call(clients[person], "facts", {})
        await access.revoke(person[0], secret_digest(secrets[person])[:12])
        try:
            went, told, _ = await call(clients[person], "facts", {})
        except MCPError:
            went = False
        if went:
            found.append(f"a revoked key: {told}")
    return count, found


def main() -> int:
    """Print how many tries there were, how long one took, and what came of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, two_tenants(Path(folder)) as running:
        start = time.perf_counter()
        until: Callable[[int], bool] = lambda _: time.perf_counter() - start < args.seconds  # noqa: E731
        count, found = asyncio.run(hammer(*running, until, args.seed))
        ms = 1000 * (time.perf_counter() - start) / max(1, count)
    print(f"{count} tries, {ms:.1f} ms each: {len(found)} rows or answers of others")
    print("\n".join(found[:5]), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
