"""``winnow show``: the page to look at, alone."""

from __future__ import annotations

import sys
import webbrowser
from typing import Annotated

import typer

from winnow.app.cli.options import command_group, say
from winnow.app.cli.serve import PortOption, import_server

EXAMPLE_HOME = "example:cottage"
commands = command_group()


@commands.command("show", epilog="Example: winnow show example:cottage")
def show(
    home: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="Folder, ZIP or file of an export, or example:NAME; nothing of it is stored. Default: the "
            "stored homes, else example:cottage.",
        ),
    ] = "",
    port: PortOption = 8477,
    live: Annotated[
        bool, typer.Option("--live", help="Read and act on the real homes instead of copies in memory.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page, or only print its address.")
    ] = True,
) -> None:
    """Open a page to look at: talk to a home, see its rooms, and how each answer came about.

    It acts on copies of the homes in memory. Only this machine is answered; Ctrl-C ends it.
    """
    server = import_server()
    if home and live:
        raise typer.BadParameter(say("show_live"), param_hint="--live")
    if home:
        from winnow.app.wiring.engine import open_engine

        open_engine(home)  # whatever is wrong with it is told before a page is promised
    source = home or ("" if server.has_homes() else EXAMPLE_HOME)

    def started(url: str) -> None:
        print(say("show_at", url=f"{url}/"), file=sys.stderr, flush=True)
        if source:
            print(say("show_kept", home=source), file=sys.stderr, flush=True)
        if browser:
            webbrowser.open(f"{url}/")

    server.run(server.Listening(port=port, live=live, copy=not live, source=source), None, started)
