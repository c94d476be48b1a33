"""The server: which tools, resources and prompts a caller gets, and the two ways it is reached."""

from __future__ import annotations

import hmac
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from inspect import cleandoc
from typing import Any, Protocol, cast

import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from mcp_types import Resource as McpResource
from mcp_types import ResourceTemplate as McpResourceTemplate
from mcp_types import Tool as McpTool
from pydantic import AnyHttpUrl, AnyUrl, BaseModel, ConfigDict, ValidationError, create_model

from winnow import __version__
from winnow.app.access import Access, key_scope
from winnow.app.mcp.asking import CallContext
from winnow.app.mcp.context_tools import ContextTools
from winnow.app.mcp.results import McpModel
from winnow.app.mcp.tools import CallerToken, McpCaller, Right, WinnowTools
from winnow.app.output import json_text, plain_data
from winnow.app.trace import full_trace
from winnow.errors import AccessError, HomeNotFound, WinnowError
from winnow.language.encode import encode_text
from winnow.language.messages import message, translate_text
from winnow.language.tokens import counter
from winnow.types.home import NO_HOME, HomeView
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode
from winnow.understand.reading import drawing

LOOPBACK = "127.0.0.1"
JSON = "application/json"

ToolMethod = Callable[..., Awaitable[McpModel | InputRequiredResult]]


@dataclass(frozen=True, slots=True)
class ToolRow:
    """When a tool is offered, and what a host is told of its effects."""

    name: str
    right: Right
    title: str
    changes: bool = False
    """Whether anything is changed: the home, or what is kept of the person."""
    destroys: bool = False
    repeatable: bool = True
    """Whether a second call with the same arguments changes nothing more."""

    @property
    def annotations(self) -> ToolAnnotations:
        """The same as the protocol has it. No tool reaches anything but the home and the store."""
        return ToolAnnotations(
            title=self.title,
            read_only_hint=not self.changes,
            destructive_hint=self.destroys,
            idempotent_hint=self.repeatable,
            open_world_hint=False,
        )


TOOL_ROWS = (
    ToolRow("retrieve", "read", "What a turn needs"),
    ToolRow("answer", "read", "Go on with a choice"),
    ToolRow("explain", "read", "Why it came to that"),
    ToolRow("act", "act", "Carry out in the home", changes=True, destroys=True, repeatable=False),
    ToolRow("confirm", "act", "Carry out what was agreed to", changes=True, destroys=True, repeatable=False),
    ToolRow("undo", "act", "Take back what was done", changes=True, destroys=True, repeatable=False),
    ToolRow("search_messages", "read", "Search earlier messages"),
    ToolRow("search_documents", "read", "Search documents"),
    ToolRow("facts", "read", "Facts of the person"),
    ToolRow("remember", "write", "Keep a fact", changes=True),
    ToolRow("add_messages", "write", "Keep messages", changes=True),
    ToolRow("add_documents", "write", "Keep documents", changes=True, destroys=True),
    ToolRow("compress", "context", "Make texts smaller"),
    ToolRow("budget", "context", "Divide tokens"),
    ToolRow("window", "context", "Choose turns"),
    ToolRow("rebuild", "context", "Put messages together"),
)


class CallerLookup(Protocol):
    """Finds out who a request comes from."""

    async def caller(self, secret: str) -> McpCaller | None:
        """Whoever has the secret; None: nobody. Raises StoreError."""


@dataclass(frozen=True, slots=True)
class OneSecret:
    """Lets in whoever has the one secret, as the one caller there is."""

    secret: str
    owner: McpCaller

    async def caller(self, secret: str) -> McpCaller | None:
        """The owner, with the right secret."""
        given = secret.encode("utf-8", "surrogateescape")
        return self.owner if hmac.compare_digest(given, self.secret.encode()) else None


@dataclass(frozen=True, slots=True)
class KeyHolders:
    """Lets in whoever has a key of ``winnow keys``: as the person and the home that it is for.

    ``wanted``: whom and which home this server serves, where a key has several, and what they may do.
    """

    access: Access
    wanted: McpCaller

    async def caller(self, secret: str) -> McpCaller | None:
        """The person of the key; None where the key is unknown or for others. Raises StoreError."""
        try:
            scope = key_scope(await self.access.caller(secret), self.wanted.user, self.wanted.home)
        except AccessError:
            return None
        return McpCaller(scope.tenant, scope.user, scope.home, self.wanted.rights)


@dataclass(frozen=True, slots=True)
class BearerTokens:
    """The secrets of requests, as the library asks for them: a session stays with whoever began it."""

    callers: CallerLookup

    async def verify_token(self, token: str) -> AccessToken | None:
        """Who that is; None: nobody. The secret itself is not kept."""
        if (caller := await self.callers.caller(token)) is None:
            return None
        whose = sha256(token.encode("utf-8", "surrogateescape")).hexdigest()
        return CallerToken(token="", client_id=whose, scopes=sorted(caller.rights), caller=caller)


class WinnowServer(MCPServer):
    """Offers each caller the tools that their rights allow, and no others; resources where they may read.

    ``more``: tools beside Winnow's own.
    """

    def __init__(
        self,
        tools: WinnowTools,
        language: LanguageCode,
        more: Sequence[tuple[ToolRow, ToolMethod]] = (),
        **guarded: Any,
    ) -> None:
        contexts = ContextTools(tools.engine)
        own = [(row, getattr(tools, row.name, None) or getattr(contexts, row.name)) for row in TOOL_ROWS]
        offered = [*own, *more]
        super().__init__(
            "winnow",
            title="Winnow",
            version=__version__,
            instructions=message("mcp_guide", language),
            tools=[offered_tool(row, method, language) for row, method in offered],
            log_level="WARNING",
            **guarded,
        )
        self._winnow = tools
        self._rights: Mapping[str, Right] = {row.name: row.right for row, _ in offered}
        _add_resources(self, WinnowResources(tools))
        _add_prompt(self, language)

    async def list_tools(self) -> list[McpTool]:
        """Those that the caller may use."""
        rights = self._winnow.caller.rights
        return [tool for tool in await super().list_tools() if self._rights[tool.name] in rights]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: CallContext | None = None
    ) -> CallToolResult | InputRequiredResult:
        """As of any server; what is not allowed does not exist. Raises ToolError."""
        if self._rights.get(name) not in self._winnow.caller.rights:
            raise ToolError(f"Unknown tool: {name}")
        return await super().call_tool(name, arguments, context)

    async def list_resources(self) -> list[McpResource]:
        """All, where the caller may read."""
        return await super().list_resources() if self._may_read else []

    async def list_resource_templates(self) -> list[McpResourceTemplate]:
        """All, where the caller may read."""
        return await super().list_resource_templates() if self._may_read else []

    async def read_resource(
        self, uri: AnyUrl | str, context: CallContext | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """As of any server. Raises ResourceNotFoundError where the caller may not read."""
        if not self._may_read:
            raise ResourceNotFoundError(f"Unknown resource: {uri}")
        return await super().read_resource(uri, context)

    @property
    def _may_read(self) -> bool:
        return "read" in self._winnow.caller.rights


def build_server(
    tools: WinnowTools, language: LanguageCode, callers: CallerLookup | None = None
) -> WinnowServer:
    """The server. ``language``: of what a person reads. ``callers``: who may come in; None: anybody."""
    guarded: dict[str, Any] = {}
    if callers is not None:
        # The issuer is only told where an authorization server is named, and there is none.
        auth = AuthSettings(issuer_url=AnyHttpUrl(f"http://{LOOPBACK}"), resource_server_url=None)
        guarded = {"auth": auth, "token_verifier": BearerTokens(callers)}
    return WinnowServer(tools, language, **guarded)


class ClosedArguments(BaseModel):
    """Takes no other arguments than its own: what is accepted and ignored would seem to count."""

    model_config = ConfigDict(extra="forbid")


class OfferedTool(Tool):
    """A tool that tells of each argument that does not fit what is wrong, and which ones it takes."""

    async def run(self, *args: Any, **kwargs: Any) -> Any:
        """As of any tool. Raises ToolError."""
        try:
            return await super().run(*args, **kwargs)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.__cause__.errors())
            takes = ", ".join(self.parameters["properties"])
            raise ToolError(f"{'; '.join(wrong)}. {self.name} takes: {takes}.") from error.__cause__


def offered_tool(row: ToolRow, method: ToolMethod, language: LanguageCode) -> Tool:
    """The tool of a row: it takes no arguments but its own, and what goes wrong says what to do next."""

    @wraps(method)
    async def call(*args: Any, **kwargs: Any) -> CallToolResult | InputRequiredResult:
        try:
            came = await method(*args, **kwargs)
        except WinnowError as error:
            why = (translate_text(text, language) for text in (error.message, error.hint) if text)
            raise ToolError(" ".join(why)) from error
        if isinstance(came, InputRequiredResult):
            return came
        data = came.model_dump(mode="json")
        # One line: the same text as the data, for clients that read no structured content.
        return CallToolResult(
            content=[TextContent(type="text", text=json_text(data))],
            structured_content=data,
            _meta=came.host_only,
        )

    told = cleandoc(method.__doc__ or "")
    tool = OfferedTool.from_function(call, row.name, row.title, told, annotations=row.annotations)
    own = tool.fn_metadata.arg_model
    closed = create_model(own.__name__, __base__=(ClosedArguments, own))
    tool.fn_metadata.arg_model = cast("type[Any]", closed)
    tool.parameters = without_titles(closed.model_json_schema(by_alias=True))
    tool.fn_metadata.output_schema = without_titles(tool.fn_metadata.output_schema)
    return tool


def without_titles(schema: Any) -> Any:
    """The schema without titles: they repeat the names, and every agent reads all of it."""
    if isinstance(schema, Mapping):
        return {k: without_titles(v) for k, v in schema.items() if k != "title" or not isinstance(v, str)}
    return [without_titles(one) for one in schema] if isinstance(schema, list) else schema


@dataclass(frozen=True, slots=True)
class WinnowResources:
    """What can be looked at without a question, as JSON: homes, the budget, how a turn came about."""

    tools: WinnowTools

    async def homes(self) -> str:
        """The homes that can be spoken to."""
        caller = self.tools.caller
        known = await self.tools.engine.storage.homes.list_homes(Scope(caller.tenant))
        return json_text({"homes": [plain_data(one) for one in known if caller.home in ("", one.id)]})

    async def home(self, home: str) -> str:
        """Rooms, devices and scenes of a home; what they report is asked for with retrieve."""
        caller = self.tools.caller
        if caller.home not in ("", home):
            raise ResourceNotFoundError(str(HomeNotFound(home, [caller.home])))
        try:
            return json_text(home_data((await self.tools.engine.load_home(home, caller.tenant)).view))
        except HomeNotFound as error:
            raise ResourceNotFoundError(str(error)) from error

    async def budget(self) -> str:
        """How many tokens briefings and contexts have here, and what counts them."""
        policy = self.tools.engine.policy
        told = {"briefing": policy.budget, "context": policy.context, "options": plain_data(policy.options)}
        return json_text({**told, "counted_by": counter(policy.tokenizer).name})

    async def turn(self, id: str) -> str:  # noqa: A002 - as the address has it
        """The whole trace of one of this person's last turns."""
        try:
            found = self.tools.recent_turn(id)
        except WinnowError as error:
            raise ResourceNotFoundError(str(error)) from error
        if not found.home_id:
            return json_text(full_trace(found, NO_HOME))
        opened = await self.tools.engine.load_home(found.home_id, self.tools.caller.tenant)
        return json_text(full_trace(found, opened.view, drawing(found.reading, opened.vocabulary)))


def _add_resources(server: MCPServer, offered: WinnowResources) -> None:
    """Each under its address."""
    for uri, title, read in (
        ("winnow://homes", "Homes", offered.homes),
        ("winnow://homes/{home}", "A home", offered.home),
        ("winnow://budget", "Budget", offered.budget),
        ("winnow://turns/{id}", "A turn", offered.turn),
    ):
        told = cleandoc(read.__doc__ or "")
        server.resource(uri, name=read.__name__, title=title, description=told, mime_type=JSON)(read)


def home_data(view: HomeView) -> Mapping[str, object]:
    """A home as its rooms with their devices, as far as a reader needs to know of them."""
    placed: dict[str | None, list[Mapping[str, object]]] = {}
    for device in view.home.devices:
        told = {"id": device.id, "name": encode_text(device.name), "kinds": list(device.kinds)}
        placed.setdefault(device.room_id, []).append(told)
    rooms = [
        {"id": room.id, "name": encode_text(room.name), "devices": placed.pop(room.id, [])}
        for room in view.home.rooms
    ]
    elsewhere = [device for left in placed.values() for device in left]
    scenes = [{"id": scene.id, "name": encode_text(scene.name)} for scene in view.home.scenes]
    named = {"id": view.home.id, "name": encode_text(view.home.name)}
    return {**named, "rooms": rooms, "elsewhere": elsewhere, "scenes": scenes}


def _add_prompt(server: MCPServer, language: LanguageCode) -> None:
    """How an agent goes about it, in each language."""

    @server.prompt(name="use_winnow", title="How to use Winnow")
    def use_winnow(language: str = language) -> str:
        """What an agent has to know to use these tools; language: en or zh."""
        return message("mcp_guide", "zh" if language.startswith("zh") else "en")


async def serve_http(server: MCPServer, listening: socket.socket) -> None:
    """Answer at ``/mcp`` of that socket until interrupted."""
    app = server.streamable_http_app(host=LOOPBACK)
    await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listening])


def open_port(port: int) -> socket.socket:
    """A socket that no other machine can reach; port 0: any that is free. Raises OSError."""
    # Whoever is told the address may connect at once, and waits until it is served.
    return socket.create_server((LOOPBACK, port))
