"""Write docs/http-reference.md and docs/mcp-reference.md from what the servers say of themselves.

Nothing is started: the HTTP reference is made of the OpenAPI document, the other of the tools' own schemas.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import winnow
from winnow.app.access import Access
from winnow.app.mcp.server import TOOL_ROWS, build_server
from winnow.app.mcp.tools import McpCaller, WinnowTools
from winnow.app.server.app import create_app
from winnow.engine.engine import Engine

DOCS = Path(__file__).resolve().parents[1] / "docs"
GROUPS = {
    "turns": "What a sentence needs, and having it done",
    "stored": "What is stored",
    "proxy": "The proxy of OpenAI's protocol",
    "server": "The server itself",
}
"""Tag of a route -> the heading it stands under."""


KINDS = {
    "string": "text",
    "integer": "number",
    "number": "number",
    "boolean": "yes or no",
    "object": "object",
}
"""Type of JSON Schema -> what the pages call it."""
HTTP_HEAD = """# HTTP reference

<!-- written by `make api-docs` from the OpenAPI document -->

Every route of `winnow serve`, as its own `GET /openapi.json` has it. How to start, keys, events and errors:
[Winnow over HTTP](server.md).

Bodies are JSON unless it says otherwise. A field that is not listed is an error, but for the proxy, which
hands it to the model."""
MCP_HEAD = """# MCP reference

<!-- written by `make api-docs` from the tools' own schemas -->

Every tool of `winnow mcp`, as a client is told of it. How to start, and who says yes: [agents](mcp.md)."""


def pages() -> dict[Path, str]:
    """Each page with its text."""
    engine = winnow.open("example:cottage")
    return {
        DOCS / "http-reference.md": "\n".join(http_reference(engine)) + "\n",
        DOCS / "mcp-reference.md": "\n".join(mcp_reference(engine)) + "\n",
    }


def http_reference(engine: Engine) -> Iterator[str]:
    """The lines of the page about HTTP."""
    document = create_app(engine, Access(engine.storage, open_tenant="default")).openapi()
    yield HTTP_HEAD
    routes = [(m, p, r) for p, methods in document["paths"].items() for m, r in methods.items()]
    assert {tag for _, _, route in routes for tag in route["tags"]} == set(GROUPS)
    for tag, heading in GROUPS.items():
        yield from ("", f"## {heading}")
        for method, path, route in routes:
            if route["tags"] == [tag]:
                yield from _route(f"{method.upper()} {path}", route, document)


def _route(name: str, route: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"### `{name}`", "", _line(route["description"]))
    rows = [_row(p["name"], p["schema"], p["required"]) for p in route.get("parameters", ())]
    content: Mapping[str, Any] = route.get("requestBody", {}).get("content", {})
    body = _resolved(content.get("application/json", {}).get("schema", {}), document)
    rows += _rows(body)
    if other := [kind for kind in content if kind != "application/json"]:
        yield from ("", f"The body is the bytes of a file (`{other[0]}`).")
    yield from _table(rows)
    for example in body.get("examples", ())[:1]:
        yield from ("", "```json", json.dumps(example, ensure_ascii=False), "```")


def mcp_reference(engine: Engine) -> Iterator[str]:
    """The lines of the page about the Model Context Protocol."""
    everything = McpCaller("default", rights=frozenset(row.right for row in TOOL_ROWS))
    server = build_server(WinnowTools(engine, everything), "en")
    tools = {tool.name: tool for tool in asyncio.run(server.list_tools())}
    shapes: dict[str, Mapping[str, Any]] = {}
    yield MCP_HEAD
    for right in dict.fromkeys(row.right for row in TOOL_ROWS):
        yield from ("", f"## `--allow {right}`")
        for row in (row for row in TOOL_ROWS if row.right == right):
            takes, answers = tools[row.name].input_schema, tools[row.name].output_schema or {}
            effect = "It changes something" if row.changes else "It changes nothing"
            replaces = ", and may take the place of what was there." if row.destroys else "."
            yield from (
                "",
                f"### `{row.name}`",
                "",
                f"{_line(tools[row.name].description)} {effect}{replaces}",
            )
            yield from _table(_rows(takes), "takes")
            yield from _table(_rows({**answers, "required": ()}), "answers")
            shapes |= takes.get("$defs", {}) | answers.get("$defs", {})
    yield from ("", "## Shapes", "", "Objects that stand in fields above.")
    for name, schema in sorted(shapes.items()):
        yield from ("", f"### `{name}`", "", _line(schema.get("description")))
        yield from _table(_rows(schema))
    yield from ("", "## Resources", "", "| address | holds |", "|---|---|")
    held = {str(one.uri): one.description for one in asyncio.run(server.list_resources())}
    held |= {one.uri_template: one.description for one in asyncio.run(server.list_resource_templates())}
    yield from (f"| `{uri}` | {_line(told)} |" for uri, told in sorted(held.items()))


def _rows(schema: Mapping[str, Any]) -> list[str]:
    needed = schema.get("required", ())
    return [_row(name, field, name in needed) for name, field in schema.get("properties", {}).items()]


def _row(name: str, field: Mapping[str, Any], is_needed: bool) -> str:
    told = _line(field.get("description"))
    if is_needed:
        told = f"**needed.** {told}".strip()
    elif (default := field.get("default")) not in (None, "", [], {}):
        told = f"{told} (default `{json.dumps(default)}`)".strip()
    return f"| `{name}` | {_kind(field)} | {told} |"


def _kind(field: Mapping[str, Any]) -> str:
    """The type of a field in few words: ``text``, ``number``, ``list``, the allowed words."""
    if "enum" in field or "const" in field:
        allowed: Iterable[Any] = field.get("enum", [field.get("const")])
        return ", ".join(f"`{one}`" for one in allowed)
    if "anyOf" in field:
        return ", ".join(_kind(one) for one in field["anyOf"] if one.get("type") != "null")
    if "$ref" in field:
        return f"`{field['$ref'].rpartition('/')[2]}`"
    if field.get("type") == "array":
        return f"list of {_kind(field.get('items', {}))}"
    return KINDS.get(field.get("type", ""), "anything")


def _table(rows: Iterable[str], heading: str = "field") -> Iterator[str]:
    if listed := list(rows):
        yield from ("", f"| {heading} | | |", "|---|---|---|", *listed)


def _resolved(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return document["components"]["schemas"][name] if name else schema


def _line(text: str | None) -> str:
    return " ".join((text or "").replace("|", "\\|").replace("``", "`").split())


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
