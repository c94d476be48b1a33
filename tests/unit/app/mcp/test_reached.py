"""The program as clients start and reach it: over standard input and output, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from tests.unit.app.mcp.stage import DOOR, MODES, Person, agreeing, refused, told

from winnow.app.access import Access
from winnow.app.mcp.server import KeyHolders, build_server, open_port
from winnow.app.mcp.tools import McpCaller, WinnowTools
from winnow.app.wiring.engine import import_path, open_engine
from winnow.types.scope import Scope

COMMAND = ("-m", "winnow", "mcp", "--user", "ida", "--simulate", "--allow", "read", "--allow", "act")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that holds the cottage."""
    data = tmp_path_factory.mktemp("data") / "winnow"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WINNOW_HOME", str(data))
        import_path(Scope(), "example:cottage", open_engine().storage.homes)
    return data


@pytest.fixture
def environment(stored: Path, tmp_path: Path) -> dict[str, str]:
    shutil.copytree(stored, tmp_path / "winnow")
    return {**os.environ, "WINNOW_HOME": str(tmp_path / "winnow"), "LANG": "en_GB.UTF-8"}


async def talk(client: Client, person: Person) -> None:
    """A question, an answer, an act, a yes."""
    turn = await told(client, "retrieve", text="turn off the lamp", session="s")
    done = await told(client, "act", plan=turn["plan"], session="s")
    assert (done["status"], len(person.asked)) == ("done", 1)
    turn = await told(client, "retrieve", text="unlock the front door", session="s")
    done = await told(client, "act", plan=turn["plan"], session="s")
    assert (done["status"], done["done"], len(person.asked)) == ("done", [DOOR], 2)
    turn = await told(client, "retrieve", text="is the front door locked", session="s")
    assert turn["text"].endswith("now unlocked")


@pytest.mark.e2e
@pytest.mark.slow
def test_a_client_starts_it_and_speaks_to_it(environment: dict[str, str]) -> None:
    async def play() -> None:
        person = Person(agreeing)
        started = StdioServerParameters(command=sys.executable, args=[*COMMAND], env=environment)
        async with Client(stdio_client(started), mode="legacy", elicitation_callback=person) as client:
            await talk(client, person)

    asyncio.run(play())


@pytest.mark.e2e
@pytest.mark.slow
def test_nothing_but_the_protocol_is_on_standard_output(environment: dict[str, str]) -> None:
    begun = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"t","version":"0"}}}\n'
        '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"retrieve","arguments":{"text":"打开灯"}}}\n'
    )
    with subprocess.Popen(
        [sys.executable, *COMMAND], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(begun)
        program.stdin.flush()
        lines = [program.stdout.readline() for _ in range(2)]
        rest, _ = program.communicate()
    assert [line[:18] for line in lines] == ['{"jsonrpc":"2.0","'] * 2
    assert (rest, program.returncode) == ("", 0)


@contextmanager
def served(environment: dict[str, str]) -> Iterator[str]:
    """The address of a program that serves."""
    arguments = [*COMMAND, "--http", "--port", "0", "--token-env", "DOOR_TOKEN"]
    env = {**environment, "DOOR_TOKEN": "sesame"}
    with subprocess.Popen(
        [sys.executable, *arguments], env=env, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stderr is not None
        try:
            yield program.stderr.readline().split()[-1]
        finally:
            program.terminate()


@pytest.mark.e2e
@pytest.mark.slow
def test_it_is_reached_over_http_with_the_token(environment: dict[str, str]) -> None:
    async def play(address: str) -> None:
        bearer = {"Authorization": "Bearer sesame"}
        for mode in MODES:
            person = Person(agreeing)
            async with httpx2.AsyncClient(headers=bearer) as http:
                way = streamable_http_client(address, http_client=http)
                async with Client(way, mode=mode, elicitation_callback=person) as client:
                    turn = await told(client, "retrieve", text="lock the front door", session=mode)
                    await told(client, "act", plan=turn["plan"], session=mode)
                    turn = await told(client, "retrieve", text="unlock the front door", session=mode)
                    done = await told(client, "act", plan=turn["plan"], session=mode)
                    assert (done["status"], len(person.asked)) == ("done", 1)
        async with httpx2.AsyncClient() as http:
            for headers, status in (
                ({}, 401),
                ({"Authorization": "Bearer guess"}, 401),
                ({"Authorization": "Bearer sésame".encode()}, 401),
                ({**bearer, "Host": "elsewhere.example"}, 421),
                ({**bearer, "Origin": "http://elsewhere.example"}, 403),
            ):
                got = await http.post(address, headers=headers, json={})
                assert got.status_code == status

    with served(environment) as address:
        assert address.startswith("http://127.0.0.1:")
        asyncio.run(play(address))


class Keys:
    """Two secrets, each of another tenant, person and home."""

    known: Mapping[str, McpCaller] = {
        "for-one": McpCaller("one", "ida", "cottage", frozenset({"read", "act", "write"})),
        "for-two": McpCaller("two", "ida", "", frozenset({"read"})),
        "for-acts": McpCaller("one", "bob", "", frozenset({"act"})),
    }

    async def caller(self, secret: str) -> McpCaller | None:
        return self.known.get(secret)


@contextmanager
def served_to_callers() -> Iterator[str]:
    """The address of a server over one store with a home of each tenant."""
    engine = open_engine()
    import_path(Scope("one"), "example:cottage", engine.storage.homes)
    import_path(Scope("two"), "example:home40", engine.storage.homes)
    server = build_server(WinnowTools(engine, McpCaller("default", rights=frozenset())), "en", Keys())
    listening = open_port(0)
    config = uvicorn.Config(server.streamable_http_app(), log_level="warning")
    program = uvicorn.Server(config)
    serving = threading.Thread(target=lambda: asyncio.run(program.serve(sockets=[listening])))
    serving.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        program.should_exit = True
        serving.join()


@pytest.mark.parametrize("mode", MODES)
def test_each_secret_opens_its_own_tenant_and_rights(mode: str) -> None:
    @asynccontextmanager
    async def client(address: str, secret: str) -> AsyncIterator[Client]:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {secret}"}) as http,
            Client(streamable_http_client(address, http_client=http), mode=mode) as one,
        ):
            yield one

    async def homes(one: Client) -> list[str]:
        content = (await one.read_resource("winnow://homes")).contents[0]
        return [home["id"] for home in json.loads(content.text)["homes"]]  # type: ignore[union-attr]

    async def play(address: str) -> None:
        # at the same time, so that whoever comes last is not taken for all
        async with (
            client(address, "for-one") as one,
            client(address, "for-two") as two,
            client(address, "for-acts") as acts,
        ):
            assert (await homes(one), await homes(two)) == (["cottage"], ["home40"])
            await told(one, "remember", text="I live in Porto")
            assert (await told(two, "facts"))["facts"] == []
            assert [fact["text"] for fact in (await told(one, "facts"))["facts"]] == ["I live in Porto"]
            turn = await told(two, "retrieve", text="打开书房的台灯")
            assert turn["home"] == "home40"
            await refused(one, "explain", id=turn["id"])
            await refused(one, "retrieve", text="开灯", home="home40")
            await refused(two, "retrieve", text="turn on the crane", home="cottage")
            assert "Unknown tool" in await refused(two, "remember", text="I live in Oslo")
            assert {tool.name for tool in (await acts.list_tools()).tools} == {"act", "confirm", "undo"}
            assert (await acts.list_resources()).resources == []
            with pytest.raises(Exception, match="Unknown resource"):
                await homes(acts)

    with served_to_callers() as address:
        asyncio.run(play(address))


def test_a_key_lets_in_its_person_and_home_until_it_is_revoked() -> None:
    engine = open_engine("example:cottage")
    access = Access(engine.storage)
    wanted = McpCaller(engine.policy.tenant, rights=frozenset({"read", "act"}))

    async def play() -> None:
        one = await access.add(engine.policy.tenant, "tablet", ("ida",), ("cottage",))
        several = await access.add(engine.policy.tenant, "panel", ("ida", "bob"))
        elsewhere = await access.add("other", "stranger")
        holders = KeyHolders(access, wanted)
        assert await holders.caller(one.secret) == replace(wanted, user="ida", home="cottage")
        assert await holders.caller(several.secret) is None  # whose is not said
        assert await KeyHolders(access, replace(wanted, user="bob")).caller(one.secret) is None
        known = await KeyHolders(access, replace(wanted, user="bob")).caller(several.secret)
        assert known == replace(wanted, user="bob")
        stranger = await holders.caller(elsewhere.secret)
        assert stranger is not None
        assert stranger.tenant == "other"
        await access.revoke(engine.policy.tenant, one.key.id)
        assert await holders.caller(one.secret) is None
        assert await holders.caller("wk_nothing") is None

    asyncio.run(play())


def test_what_is_missing_is_said_before_anything_is_served(
    flat: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    for arguments, hint in (
        (("--allow", "act"), "--simulate"),
        (("--allow", "act", "--live"), "winnow home import --url"),
        (("--allow", "act", "--simulate", "--home", "elsewhere"), "flat"),
        (("--home", "elsewhere"), "flat"),
        (("--http",), "--token-env NAME"),
        (("--http", "--token-env", "NO_SUCH_TOKEN"), "winnow keys"),
        (("--http", "--token-env", "not a name"), "--token-env"),
        (("--simulate",), "--allow act"),
        (("--tokens", "log"), "--allow act"),
        (("--port", "0"), "--http"),
        (("--token-env", "TOKEN"), "--http"),
        (("--allow", "everything"), "'read', 'act', 'write', 'context'"),
    ):
        ran = flat("mcp", *arguments)
        assert ran.code == 2  # type: ignore[attr-defined]
        assert hint in ran.err  # type: ignore[attr-defined]
