"""The program as clients start and reach it: over standard input and output, and over HTTP."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from tests.unit.app.mcp.stage import DOOR, MODES, Person, agreeing, told

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
    assert '"unlocked"' in turn["text"]


@pytest.mark.parametrize("mode", MODES)
def test_a_client_starts_it_and_speaks_to_it(environment: dict[str, str], mode: str) -> None:
    async def play() -> None:
        person = Person(agreeing)
        started = StdioServerParameters(command=sys.executable, args=[*COMMAND], env=environment)
        async with Client(stdio_client(started), mode=mode, elicitation_callback=person) as client:
            await talk(client, person)

    asyncio.run(play())


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


def test_what_is_missing_is_said_before_anything_is_served(
    flat: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    for arguments, hint in (
        (("--allow", "act"), "--simulate"),
        (("--allow", "act", "--live"), "winnow home import --url"),
        (("--allow", "act", "--simulate", "--home", "elsewhere"), "flat"),
        (("--http",), "--token-env NAME"),
        (("--http", "--token-env", "NO_SUCH_TOKEN"), "--token-env NAME"),
        (("--http", "--token-env", "not a name"), "--token-env"),
        (("--allow", "everything"), "'read', 'act', 'write'"),
    ):
        ran = flat("mcp", *arguments)
        assert ran.code == 2  # type: ignore[attr-defined]
        assert hint in ran.err  # type: ignore[attr-defined]
