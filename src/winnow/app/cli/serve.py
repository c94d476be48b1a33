"""``winnow serve``: Winnow over HTTP."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Annotated

import typer

from winnow.app.cli.options import command_group, say
from winnow.errors import Phrase, WinnowError, install_hint

MEGABYTE = 1_000_000

commands = command_group()


HostOption = Annotated[
    str, typer.Option("--host", help="Address to listen at. Another than 127.0.0.1 needs a key.")
]
PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, max=64, help="Processes over the one store.")]
LiveOption = Annotated[
    bool, typer.Option("--live", help="Read and act on homes that were imported from their server.")
]
SimulateOption = Annotated[
    bool, typer.Option("--simulate", help="Act in copies of the homes, in memory, to try it out.")
]
RateOption = Annotated[
    int, typer.Option("--rate", min=0, help="Requests a minute of one key and worker; 0: any number.")
]
BodyOption = Annotated[int, typer.Option("--body", min=1, help="Megabytes that one request may have.")]
SecondsOption = Annotated[
    float, typer.Option("--seconds", min=0.1, help="Seconds until a response has to begin.")
]
GraceOption = Annotated[
    int, typer.Option("--grace", min=0, help="Seconds for what is under way when it is stopped.")
]


def import_server() -> ModuleType:
    """What runs a server, with its libraries. Raises WinnowError where those are not installed."""
    try:
        from winnow.app.server import serve as server
    except ImportError as error:
        raise WinnowError(
            Phrase("Winnow over HTTP needs {library}.", library=error.name),
            hint=install_hint("server"),
        ) from None
    return server


@commands.command("serve", epilog="Example: winnow serve --simulate")
def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = 8477,
    workers: WorkersOption = 1,
    live: LiveOption = False,
    simulate: SimulateOption = False,
    rate: RateOption = 600,
    body: BodyOption = 16,
    seconds: SecondsOption = 120.0,
    grace: GraceOption = 30,
) -> None:
    """Answer over HTTP: retrieve, act, what is stored, and a proxy for applications of OpenAI's protocol.

    docs/server.md shows how to begin. Without any key (winnow keys add) only this machine is answered.
    """
    server = import_server()
    if simulate and (live or workers > 1):
        # Each worker would have a copy of its own.
        raise typer.BadParameter(say("serve_simulate"), param_hint="--simulate")
    served = server.ServerSettings(rate, body * MEGABYTE, seconds, grace, workers)
    code = "serve_at" if server.has_keys() else "serve_open"
    server.run(
        server.Listening(host, port, live, simulate),
        served,
        lambda url: print(say(code, url=url), file=sys.stderr, flush=True),
    )
