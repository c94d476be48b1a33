"""Runs the public conformance suite of the Model Context Protocol against Winnow's server.

    npm install @modelcontextprotocol/conformance@0.1.16
    python -m benchmarks.mcp_conformance node_modules/@modelcontextprotocol/conformance/dist/index.js

The suite calls tools, resources and prompts by names of its own. They are put beside Winnow's, made by the
same functions: tools by ``WinnowServer``, questions by ``ask_person``, progress by ``reported_progress``.
Needs Node 22 or newer (``--node PATH``). Prints the table that stands in docs/mcp.md; exit code 1 where
anything that applies failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import threading
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp_types import InputRequiredResult
from pydantic import BaseModel, Field

from winnow.app.mcp.asking import CallContext, ask_person, reported_progress
from winnow.app.mcp.results import McpModel
from winnow.app.mcp.server import ToolRow, WinnowServer, open_port, serve_http
from winnow.app.mcp.tools import McpCaller, WinnowTools
from winnow.app.wiring.engine import open_engine, read_home, rehearse_on_copy
from winnow.errors import WinnowError

NOT_OFFERED = {
    "logging-set-level": "no log messages are sent to clients; the protocol gave them up in 2026-07-28",
    "completion-complete": "no completions are offered",
    "tools-call-image": "every tool answers with data and text",
    "tools-call-audio": "every tool answers with data and text",
    "tools-call-embedded-resource": "every tool answers with data and text",
    "tools-call-mixed-content": "every tool answers with data and text",
    "tools-call-with-logging": "no log messages are sent to clients",
    "tools-call-sampling": "the client's model is asked nothing",
    "json-schema-2020-12": "is about a tool whose schema is given as text; Winnow's are made from types",
    "server-sse-polling": "streams are not kept to be resumed",
    "resources-read-binary": "every resource is JSON",
    "resources-subscribe": "resources are read, not watched",
    "resources-unsubscribe": "resources are read, not watched",
    "prompts-get-embedded-resource": "the prompt is text",
    "prompts-get-with-image": "the prompt is text",
}
"""Scenario -> why it does not apply. Everything else has to pass."""


class SuiteResult(McpModel):
    """What a tool of the suite answers."""

    text: str


class UserForm(BaseModel):
    """Of ``tools-call-elicitation``."""

    username: str
    email: str


class DefaultsForm(BaseModel):
    """Of ``elicitation-sep1034-defaults``."""

    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


def _titled(*options: str, key: str = "oneOf") -> dict[str, Any]:
    return {key: [{"const": f"value{n}", "title": title} for n, title in enumerate(options, 1)]}


class EnumsForm(BaseModel):
    """Of ``elicitation-sep1330-enums``."""

    untitledSingle: Literal["option1", "option2", "option3"]  # noqa: N815 - as the suite calls it
    titledSingle: Annotated[  # noqa: N815
        str, Field(json_schema_extra=_titled("First Option", "Second Option", "Third Option"))  # type: ignore[arg-type]
    ]
    legacyEnum: Annotated[  # noqa: N815
        str,
        Field(
            json_schema_extra={
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            }
        ),
    ]
    untitledMulti: list[Literal["option1", "option2", "option3"]]  # noqa: N815
    titledMulti: Annotated[  # noqa: N815
        list[str],
        Field(
            json_schema_extra={"items": _titled("First Choice", "Second Choice", "Third Choice", key="anyOf")}
        ),  # type: ignore[dict-item]
    ]


async def test_simple_text() -> SuiteResult:
    """Answers with a text."""
    return SuiteResult(text="This is a simple text response for testing.")


async def test_error_handling() -> SuiteResult:
    """Goes wrong."""
    raise WinnowError("This tool intentionally returns an error for testing")


async def test_tool_with_progress(ctx: CallContext) -> SuiteResult:
    """Reports its progress."""
    async with reported_progress(ctx) as progress:
        for done in (0, 50, 100):
            progress(done, 100)
            await asyncio.sleep(0.05)
    return SuiteResult(text="done")


async def _asked(ctx: CallContext, message: str, form: type[BaseModel]) -> SuiteResult | InputRequiredResult:
    filled = await ask_person(ctx, message, form, "state")
    if isinstance(filled, InputRequiredResult):
        return filled
    return SuiteResult(text=f"Elicitation completed: {filled.model_dump_json() if filled else 'no answer'}")


async def test_elicitation(ctx: CallContext, message: str) -> SuiteResult | InputRequiredResult:
    """Asks the person."""
    return await _asked(ctx, message, UserForm)


async def test_elicitation_sep1034_defaults(ctx: CallContext) -> SuiteResult | InputRequiredResult:
    """Asks with defaults."""
    return await _asked(ctx, "Please check.", DefaultsForm)


async def test_elicitation_sep1330_enums(ctx: CallContext) -> SuiteResult | InputRequiredResult:
    """Asks with choices."""
    return await _asked(ctx, "Please choose.", EnumsForm)


TOOLS = (
    test_simple_text,
    test_error_handling,
    test_tool_with_progress,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
)


def suite_server() -> MCPServer:
    """Winnow's server over a home that is played, with what the suite calls by name beside it."""
    imported = read_home("example:cottage")
    engine = open_engine(imported)
    rehearse_on_copy(engine, imported.home, imported.states)
    rights = frozenset({"read", "act", "write", "context"})
    tools = WinnowTools(engine, McpCaller("default", "ida", "cottage", rights))  # type: ignore[arg-type]
    more = [(ToolRow(tool.__name__, "read", tool.__name__), tool) for tool in TOOLS]
    server = WinnowServer(tools, "en", more)

    @server.resource("test://static-text", mime_type="text/plain")
    async def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://template/{id}/data", mime_type="application/json")
    async def template(id: str) -> str:  # noqa: A002 - as the suite calls it
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.prompt()
    def test_simple_prompt() -> str:
        """Takes no arguments."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """Takes two arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    return server


def scenarios(node: str, suite: str) -> list[str]:
    """The names of those for servers."""
    listed = subprocess.run([node, suite, "list"], capture_output=True, text=True, check=True).stdout
    of_servers = listed.partition("Client scenarios")[0]
    return [line.split()[1] for line in of_servers.splitlines() if line.startswith("  - ")]


def main() -> int:
    """Run every scenario, and print how it went."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suite")
    parser.add_argument("--node", default="node")
    given = parser.parse_args()
    listening = open_port(0)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    serving = threading.Thread(target=lambda: asyncio.run(serve_http(suite_server(), listening)), daemon=True)
    serving.start()
    failed = 0
    print("| scenario | |\n|---|---|")
    for name in scenarios(given.node, given.suite):
        if name in NOT_OFFERED:
            print(f"| `{name}` | does not apply: {NOT_OFFERED[name]} |")
            continue
        command = [given.node, given.suite, "server", "--url", address, "--scenario", name]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        print(f"| `{name}` | {'passed' if ran.returncode == 0 else 'FAILED'} |", flush=True)
        if ran.returncode:
            failed += 1
            print(ran.stdout[-2000:], ran.stderr[-2000:], file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
