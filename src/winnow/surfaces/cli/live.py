"""``winnow home import --url`` and ``winnow home watch``: homes read where they run."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Annotated

import typer

from winnow.config import checks, coloured, load_settings
from winnow.surfaces.cli.options import JsonOption, StoredHome, say, spoken
from winnow.surfaces.plain import json_text
from winnow.surfaces.watch import Event, Paint, plain
from winnow.types.dialogue import Language
from winnow.types.imports import ImportReport
from winnow.types.live import Link, Platform
from winnow.types.view import HomeView

UrlOption = Annotated[
    str, typer.Option("--url", help="Read the home where it runs: the address of its server.")
]
TokenOption = Annotated[
    str, typer.Option("--token-env", help="Name of the environment variable that holds the server's token.")
]
PlatformOption = Annotated[
    Platform | None, typer.Option("--platform", help="What answers at the address. Default: it is found out.")
]


def import_live(
    url: str, token_env: str, platform: Platform | None, home_id: str, language: Language | None
) -> ImportReport:
    """The report of a home that was read at an address and stored, with its address but not its token."""
    from winnow.live import expect_token, import_live, linked_platform, open_links
    from winnow.wiring import open_store

    if not token_env:
        raise typer.BadParameter(say("cli_token_env"), param_hint="--token-env")
    try:
        checks.variable(token_env)
    except ValueError:
        raise typer.BadParameter(say("cli_token_itself"), param_hint="--token-env") from None
    expect_token(token_env)
    settings = load_settings()
    link = Link(url, platform or linked_platform(url), token_env)
    storage = open_store(settings).storage
    report = asyncio.run(import_live(settings.scope, link, storage, home_id, language, _progress))
    open_links(settings).keep(settings.scope.at(report.home_id), link)
    return report


def _progress(what: str, count: int) -> None:
    """Say what was read, to a person who waits for it."""
    if sys.stderr.isatty():
        print(say("cli_fetched", what=what, count=count), file=sys.stderr)


def watch(
    home_id: StoredHome = "",
    seconds: Annotated[
        float | None, typer.Option("--for", min=0, help="End after so many seconds. Default: at Ctrl-C.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what happens in a home that was imported from its server, as it happens.

    A home that is rearranged meanwhile is imported anew. Nothing is ever changed in the home.
    """
    from winnow.surfaces.watching import open_watched

    watched = open_watched(load_settings(), home_id, _tell_data if as_json else _tell)
    with suppress(KeyboardInterrupt):
        asyncio.run(watched.run(seconds))
    if not as_json:
        print(watched.seen.line(spoken()))


def _tell(event: Event, view: HomeView) -> None:
    """Each line as soon as it is known, in colours where they can be seen and are wanted."""
    colours = sys.stdout.isatty() and coloured()
    paint: Paint = (lambda text, colour: typer.style(text, fg=colour)) if colours else plain
    for line in event.lines(view, spoken(), paint):
        print(line, flush=True)


def _tell_data(event: Event, view: HomeView) -> None:
    if data := event.data(view):
        print(json_text(data), flush=True)
