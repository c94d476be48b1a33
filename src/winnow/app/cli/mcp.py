"""``winnow mcp``: serves tools, resources and prompts to an agent's host, over stdio or HTTP."""

from __future__ import annotations

import sys
from dataclasses import replace
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.app.cli.act import act_on_copy, expect_link, expect_live_or_copy
from winnow.app.cli.options import command_group, message_language, say, wished_language
from winnow.app.config import checks
from winnow.app.config.settings import load_settings, secrets
from winnow.errors import Phrase, WinnowError, install_hint
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

if TYPE_CHECKING:
    from winnow.app.mcp.server import KeyHolders
    from winnow.app.mcp.tools import McpCaller, WinnowTools
    from winnow.engine.engine import Engine

commands = command_group()


class RightOption(StrEnum):
    """What tools may do."""

    READ = "read"
    ACT = "act"
    WRITE = "write"
    CONTEXT = "context"


class TokensToOption(StrEnum):
    """Who gets what says yes."""

    NOBODY = "nobody"
    LOG = "log"
    HOST = "host"


AllowOption = Annotated[
    list[RightOption] | None,
    typer.Option(
        "--allow",
        help="read: look up. act: carry out in the home. write: keep facts, messages and documents. context: "
        "make contexts of what is given. What is not allowed is not listed. Repeatable. Default: read.",
        show_default=False,
    ),
]
UserOption = Annotated[
    str, typer.Option("--user", help="The person it serves: their messages, facts and documents.")
]
HomeOption = Annotated[str, typer.Option("--home", help="Id of the only home it may speak to.")]
LiveOption = Annotated[
    bool, typer.Option("--live", help="Read and act where the home runs, if it was imported from there.")
]
SimulateOption = Annotated[bool, typer.Option("--simulate", help="Act in a copy of the home, in memory.")]
TokensOption = Annotated[
    TokensToOption,
    typer.Option(
        "--tokens",
        help="Who gets the token that says yes to what is dangerous, where the client cannot ask the person. "
        "log: standard error of this program; host: _meta of the result, for a host that keeps it from its "
        "model.",
    ),
]
HttpOption = Annotated[
    bool, typer.Option("--http", help="Serve http://127.0.0.1:PORT/mcp instead of standard input and output.")
]
DEFAULT_PORT = 8766
PortOption = Annotated[
    int | None,
    typer.Option(
        "--port", min=0, max=65535, help="Port; 0: any that is free. Default: 8766.", show_default=False
    ),
]
TokenEnvOption = Annotated[
    str,
    typer.Option(
        "--token-env",
        help="Name of the environment variable whose value has to come with each HTTP request. "
        "Without it, each comes with a key of winnow keys.",
    ),
]


@commands.command("mcp", epilog="Example: winnow mcp --user ida --allow read --allow act --simulate")
def serve(
    allow: AllowOption = None,
    user: UserOption = "",
    home: HomeOption = "",
    live: LiveOption = False,
    simulate: SimulateOption = False,
    tokens: TokensOption = TokensToOption.NOBODY,
    http: HttpOption = False,
    port: PortOption = None,
    token_env: TokenEnvOption = "",
) -> None:
    """Serve agents over the Model Context Protocol.

    A client starts this program and speaks to its standard input and output, or reaches it over HTTP on this
    machine. What is dangerous waits for a yes that the client gets from the person; no word of the agent is
    one.
    """
    if find_spec("mcp") is None:
        raise WinnowError(
            "The library of the Model Context Protocol is not installed.",
            hint=install_hint("mcp"),
        )
    rights = [right.value for right in allow or [RightOption.READ]]
    acts = RightOption.ACT.value in rights
    # What is accepted and ignored would seem to count.
    for option, given, needs, there in (
        ("--simulate", simulate, "--allow act", acts),
        ("--tokens", tokens != TokensToOption.NOBODY, "--allow act", acts),
        ("--port", port is not None, "--http", http),
        ("--token-env", bool(token_env), "--http", http),
    ):
        if given and not there:
            raise typer.BadParameter(say("mcp_only_with", option=needs), param_hint=option)
    secret = _secret(token_env) if token_env else ""
    tools = _tools(rights, user, home, tokens.value, live=live, simulate=simulate)
    _run(tools, secret, (DEFAULT_PORT if port is None else port) if http else None)


def _tools(
    rights: list[str], user: str, home: str, tokens: str, *, live: bool, simulate: bool
) -> WinnowTools:
    """The tools over the configured store. Raises WinnowError."""
    from winnow.app.mcp.tools import McpCaller, WinnowTools
    from winnow.app.wiring.engine import open_engine

    engine = open_engine(live=live, settings=replace(load_settings(), language=wished_language()))
    caller = McpCaller(engine.policy.tenant, user, home, frozenset(rights))  # type: ignore[arg-type]
    if home:
        engine.sync.load_home(home)  # a name that is wrong is told now, not in every call
    if "act" in rights:
        caller = _prepared(engine, caller, live=live, simulate=simulate)
    return WinnowTools(engine, caller, tokens)  # type: ignore[arg-type]


def _prepared(engine: Engine, caller: McpCaller, *, live: bool, simulate: bool) -> McpCaller:
    """The caller with the one home that is acted on. Raises WinnowError where it is not said where to act."""
    from winnow.app.wiring.live_homes import open_links

    expect_live_or_copy(live, simulate)
    found = engine.sync.load_home(caller.home).home.id
    if simulate:
        act_on_copy(engine, found)
    else:
        linked = open_links(load_settings()).link(Scope(caller.tenant, home=found))
        expect_link(engine, found, linked is not None)
    return replace(caller, home=found)


def _secret(name: str) -> str:
    """What has to come with each request. Raises BadParameter, WinnowError."""
    try:
        checks.variable(name)
    except ValueError:
        raise typer.BadParameter(say("cli_token_itself"), param_hint="--token-env") from None
    if not (held := secrets(name).get(name, "")):
        raise WinnowError(
            Phrase("The variable {name} is not set.", name=name),
            hint="Put a token into it, or leave --token-env out and use winnow keys.",
        )
    return held


def _holders(tools: WinnowTools) -> KeyHolders:
    """Those with a key of the tenant. Raises WinnowError where there is none."""
    from winnow.app.access import Access
    from winnow.app.mcp.server import KeyHolders

    access, tenant = tools.engine.storage.access, tools.owner.tenant
    if not run_blocking(access.keys(Scope(tenant))):
        raise WinnowError(
            "Over HTTP every request needs a key, and there is none.",
            hint="Make one: winnow keys add NAME. Or name a variable with a token: --token-env NAME",
        )
    return KeyHolders(Access(tools.engine.storage), tools.owner)


def _run(tools: WinnowTools, secret: str, port: int | None) -> None:
    """Serve until the client leaves, or until interrupted."""
    import anyio

    from winnow.app.mcp.server import CallerLookup, OneSecret, build_server, open_port, serve_http

    callers: CallerLookup | None = None
    if port is not None:
        callers = OneSecret(secret, tools.owner) if secret else _holders(tools)
    server = build_server(tools, message_language(), callers)
    listening = None if port is None else open_port(port)

    async def serving() -> None:
        async with tools.engine:
            if listening is None:
                await server.run_stdio_async()
            else:
                await serve_http(server, listening)

    if listening is not None:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        print(say("mcp_serving", address=address), file=sys.stderr, flush=True)
    elif sys.stdin.isatty():
        print(say("mcp_waiting"), file=sys.stderr, flush=True)
    anyio.run(serving)
