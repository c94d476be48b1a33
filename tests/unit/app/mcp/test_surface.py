"""What a client is told of the server, and what tools answer beside acts."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from itertools import combinations
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp import Client
from tests.unit.app.mcp.stage import EVERYTHING, MODES, Stage, refused, told

from winnow.app.mcp.server import TOOL_ROWS, build_server
from winnow.app.mcp.tools import McpCaller, WinnowTools
from winnow.app.wiring.engine import import_path, open_engine
from winnow.language.tokens import count_tokens
from winnow.types.scope import Scope

NAME = re.compile(r"[a-z0-9_]{1,64}")


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_says_what_it_takes_answers_and_does(stage: Stage, mode: str) -> None:
    async def look() -> None:
        async with stage.client(mode) as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == {row.name for row in TOOL_ROWS}
            for tool in tools:
                assert NAME.fullmatch(tool.name)
                assert tool.description
                assert tool.title
                assert tool.output_schema is not None
                for schema in (tool.input_schema, tool.output_schema):
                    Draft202012Validator.check_schema(schema)
                    assert schema["additionalProperties"] is False
                    assert schema["type"] == "object"
                told_of = tool.annotations
                assert told_of is not None
                row = next(row for row in TOOL_ROWS if row.name == tool.name)
                assert told_of.read_only_hint is (row.right in ("read", "context"))
                assert told_of.destructive_hint is (row.right == "act" or tool.name == "add_documents")
                assert told_of.open_world_hint is False

    run(look)


@pytest.mark.parametrize("rights", [c for n in range(3) for c in combinations(sorted(EVERYTHING), n)])
def test_what_is_not_allowed_is_neither_listed_nor_called(stage: Stage, rights: tuple[str, ...]) -> None:
    async def look() -> None:
        async with stage.client(rights=frozenset(rights)) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed == {row.name for row in TOOL_ROWS if row.right in rights}
            for row in TOOL_ROWS:
                if row.name not in listed:
                    assert "Unknown tool" in await refused(client, row.name)
            assert bool((await client.list_resources()).resources) is ("read" in rights)

    run(look)


def test_the_tools_take_few_tokens_of_an_agent(stage: Stage) -> None:
    async def look() -> None:
        async with stage.client(rights=frozenset({"read", "act"})) as client:
            told_of = [
                json.dumps(
                    {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
                )
                for tool in (await client.list_tools()).tools
            ]
            assert sum(map(count_tokens, told_of)) <= 1600

    run(look)


@pytest.mark.parametrize("mode", MODES)
def test_what_goes_wrong_says_what_to_do_next(stage: Stage, mode: str) -> None:
    async def try_() -> None:
        async with stage.client(mode, user="") as client:
            wrong = await refused(client, "retrieve", text="turn on the crane", tenant="other", user="bob")
            assert "tenant" in wrong
            assert "retrieve takes: text, room, history, session, home." in wrong
            assert "Did you mean Kitchen?" in await refused(client, "retrieve", text="hello", room="Kitchn")
            assert "text: Field required" in await refused(client, "retrieve")
            assert "winnow mcp --user NAME" in await refused(client, "facts")
            assert "cottage" in await refused(client, "retrieve", text="turn on the crane", home="elsewhere")
            assert "no_plan" in (await told(client, "act", plan="aaaaaa"))["refused"]
            assert "Give the plan of this turn" in await refused(client, "act")
            assert "tokens or more" in await refused(
                client, "rebuild", question="why", system="word " * 400, tokens=64
            )
            assert "'knowledge'" in await refused(client, "budget", shares={"knowldge": 0.5})
            await refused(client, "explain", id="unknown")
            # and the server goes on
            assert (await told(client, "retrieve", text="turn on the crane"))["verdict"] == "act"

    run(try_)


@pytest.mark.parametrize("mode", MODES)
def test_what_a_person_tells_is_kept_and_found(stage: Stage, mode: str) -> None:
    async def keep() -> None:
        reports: list[tuple[float, float | None]] = []

        async def progress(done: float, size: float | None, _: str | None) -> None:
            reports.append((done, size))

        async with stage.client(mode) as client:
            told_ = await told(client, "remember", text="I live in Porto")
            old = told_["facts"][0]["id"]
            await told(client, "remember", text="I live in Lisbon", replaces=old)
            known = (await told(client, "facts", query="where do I live"))["facts"]
            assert [(one["text"], one["status"]) for one in known] == [("I live in Lisbon", "current")]
            assert {one["status"] for one in (await told(client, "facts"))["facts"]} == {
                "current",
                "superseded",
            }
            documents = [{"id": "lease", "title": "Lease", "text": "The lease ends on 31 May 2027."}]
            kept = await client.call_tool(
                "add_documents", {"documents": documents}, progress_callback=progress
            )
            assert kept.structured_content == {"added": 1, "total": 1, "problems": []}
            assert reports
            assert reports == sorted(reports)
            found = (await told(client, "search_documents", query="when does the lease end"))["found"]
            assert found[0]["text"] == "The lease ends on 31 May 2027."
            messages = [
                {"role": "user", "content": "I moved to Lisbon", "created_at": "2026-05-01T09:00"},
                {"role": "assistant", "content": "Good luck there."},
            ]
            assert (await told(client, "add_messages", messages=messages))["added"] == 2
            assert (await told(client, "add_messages", messages=messages))["added"] == 0
            found = (await told(client, "search_messages", query="where did I move"))["found"]
            assert found[0]["text"] == "I moved to Lisbon"
            assert (await told(client, "search_documents", query="lease", public=True))["found"] == []
            turn = await told(client, "retrieve", text="When does my lease end?")
            assert "31 May 2027" in turn["text"]
        async with stage.client(mode, user="bob") as other:
            assert (await told(other, "facts"))["facts"] == []
            assert (await told(other, "search_documents", query="when does the lease end"))["found"] == []
            assert (await told(other, "search_messages", query="where did I move"))["found"] == []

    run(keep)


def test_contexts_are_made_within_their_tokens(stage: Stage) -> None:
    async def make() -> None:
        async with stage.client() as client:
            texts = [
                {
                    "id": "mill",
                    "text": "The old mill stands by the river. It was built in 1820. Swallows nest.",
                }
            ]
            small = await told(client, "compress", texts=texts, query="when was it built", tokens=8)
            assert small["text"] == "It was built in 1820."
            assert small["tokens"] <= 8
            assert small["cut"]
            half = await told(client, "compress", texts=texts, query="when was it built")
            assert half["reached"] <= 0.5
            room = await told(client, "budget", total=100, texts={"history": "hello", "system": "word " * 60})
            assert (room["fits"], room["shares"]["history"]["used"]) == (False, 1)
            own = await told(client, "budget", total=100, shares={"history": 0.9})
            assert own["shares"]["history"]["total"] == 90
            talk = [
                {"role": role, "content": f"{role} says {n}: rye bread rests for two hours"}
                for n in range(12)
                for role in ("user", "assistant")
            ]
            kept = await told(client, "window", messages=talk, question="how long does it rest", tokens=120)
            assert kept["turns"] == 12
            assert 0 < kept["kept"] < 12
            assert kept["tokens"] <= 120
            fixed = await told(client, "window", messages=talk, kind="fixed", turns=2)
            assert fixed["kept"] == 2
            assert fixed["messages"][-1] == talk[-1]
            made = await told(
                client,
                "rebuild",
                question="And the heat?",
                system="Be short.",
                messages=talk,
                texts=texts,
                tokens=400,
            )
            assert made["tokens"] <= made["total"] == 400
            assert [made["messages"][0]["content"], made["messages"][-1]["content"]] == [
                "Be short.",
                "And the heat?",
            ]
            assert made["steps"]

    run(make)


def test_resources_tell_homes_budget_and_turns(stage: Stage) -> None:
    async def read() -> None:
        async with stage.client() as client, stage.client(user="bob") as other:
            turn = await told(client, "retrieve", text="turn on the crane")

            async def resource(uri: str, by: Client = client) -> dict:  # type: ignore[type-arg]
                content = (await by.read_resource(uri)).contents[0]
                assert content.mime_type == "application/json"
                return json.loads(content.text)  # type: ignore[union-attr]

            assert [one["id"] for one in (await resource("winnow://homes"))["homes"]] == ["cottage"]
            home = await resource("winnow://homes/cottage")
            assert {"Study", "Hall"} <= {room["name"] for room in home["rooms"]}
            assert (await resource("winnow://budget"))["context"] == 4000
            assert (await resource(f"winnow://turns/{turn['id']}"))["text"] == "turn on the crane"
            for uri, by in ((f"winnow://turns/{turn['id']}", other), ("winnow://homes/elsewhere", client)):
                with pytest.raises(Exception, match=r"elsewhere|No turn"):
                    await resource(uri, by)
            assert "Call retrieve again" in (await refused(other, "explain", id=turn["id"]))

    run(read)


def test_how_to_go_about_it_is_told_in_both_languages(stage: Stage) -> None:
    async def ask() -> None:
        async with stage.client() as client:
            prompt = (await client.list_prompts()).prompts[0]
            assert prompt.name == "use_winnow"
            for language, begins in (("zh", "对方每说一句话"), ("en", "Call retrieve first")):
                shown = await client.get_prompt("use_winnow", {"language": language})
                assert shown.messages[0].content.text.startswith(begins)  # type: ignore[union-attr]
            assert client.instructions is not None
            assert client.instructions.startswith("Call retrieve first")

    run(ask)


def test_chinese_is_told_as_it_is_written() -> None:
    from winnow.app.wiring.engine import read_home

    async def ask() -> None:
        engine = open_engine(read_home("example:home40"))
        tools = WinnowTools(engine, McpCaller("default", "ida", rights=EVERYTHING))  # type: ignore[arg-type]
        async with Client(build_server(tools, "zh")) as client:
            came = await client.call_tool("retrieve", {"text": "打开大门锁", "session": "s"})
            assert "大门锁" in came.content[0].text  # type: ignore[union-attr]
            assert came.structured_content is not None
            assert "解锁" in came.structured_content["message"]
            waiting = await told(client, "act", plan=came.structured_content["plan"], session="s")
            assert waiting["text"].startswith("还没有执行") or "解锁" in waiting["text"]
            assert "没有" in await refused(client, "retrieve", text="开灯", home="没有的家")

    run(ask)


def test_the_tenant_of_a_caller_cannot_be_left(tmp_path: Path) -> None:
    """Two tenants in one store, each with a home of its own."""

    async def ask() -> None:
        engine = open_engine(tenant="one")
        ours = WinnowTools(engine, McpCaller("one", "ida", rights=EVERYTHING))  # type: ignore[arg-type]
        async with Client(build_server(ours, "en")) as client:
            homes = json.loads((await client.read_resource("winnow://homes")).contents[0].text)["homes"]  # type: ignore[union-attr]
            assert [home["id"] for home in homes] == ["cottage"]
            await refused(client, "retrieve", text="开灯", home="home40")
            with pytest.raises(Exception, match="home40"):
                await client.read_resource("winnow://homes/home40")
            for given in ({"tenant": "two"}, {"user": "bob"}):
                await refused(client, "search_messages", query="x", **given)
            assert (await told(client, "facts"))["facts"] == []

    engine = open_engine()
    import_path(Scope("one"), "example:cottage", engine.storage.homes)
    import_path(Scope("two"), "example:home40", engine.storage.homes)
    run(ask)
