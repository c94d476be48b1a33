"""``winnow home``: import homes and look at them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from winnow.config import load_settings
from winnow.errors import HomeNotFound
from winnow.surfaces.cli.live import PlatformOption, TokenOption, UrlOption, import_live, watch
from winnow.surfaces.cli.options import JsonOption, StoredHome, Tongue, group, say, show, show_data, spoken
from winnow.surfaces.cli.things import check, schema, set_
from winnow.types.dialogue import Language

commands = group(help="Import homes and look at them.")


Export = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="Folder, ZIP or file of a SmartThings, Home Assistant or neutral export, "
        "or - for standard input; "
        "or a home that comes along: example:cottage, example:home40, example:home150; "
        "as messy as real ones: example:apartment-zh, example:townhouse-en, example:smartthings-raw.",
        show_default=False,
    ),
]
NewId = Annotated[
    str, typer.Option("--id", help="Id to store it under. Default: the folder's name, or the server's.")
]
Texts = Annotated[
    Tongue | None, typer.Option("--texts", help="Language its descriptions come in first. Default: zh.")
]
Specification = Annotated[
    Path | None, typer.Option("--spec", help="SmartThings command specification (JSON lines).")
]


@commands.command("import", epilog="Example: winnow home import ./payloads --id flat")
def import_(
    path: Export = "",
    home_id: NewId = "",
    texts: Texts = None,
    spec: Specification = None,
    url: UrlOption = "",
    token_env: TokenOption = "",
    platform: PlatformOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import a home, replacing the stored one of that id as a whole."""
    from winnow.surfaces.report import report_lines
    from winnow.wiring import import_path, open_store

    if bool(path) == bool(url):
        raise typer.BadParameter(say("cli_path_or_url"), param_hint="PATH, --url")
    settings = load_settings()
    first: Language | None = texts.value if texts else None
    if url:
        report = import_live(url, token_env, platform, home_id, first)
    else:
        homes = open_store(settings).storage.homes
        report = import_path(settings.scope, path, homes, home_id, first, spec)
    if as_json:
        show_data(report)
    else:
        show(report_lines(report, spoken()))


@commands.command("list", epilog="Example: winnow home list")
def list_(as_json: JsonOption = False) -> None:
    """List the stored homes."""
    from winnow.bridge import blocking
    from winnow.surfaces.homes import rows
    from winnow.wiring import open_store

    settings = load_settings()
    homes = blocking(open_store(settings).storage.homes.list_homes(settings.scope))
    if as_json:
        show_data(homes)
    else:
        show(rows(homes), otherwise=say("cli_no_homes"))


@commands.command("show", epilog="Example: winnow home show flat")
def show_(
    home_id: StoredHome = "",
    as_json: JsonOption = False,
) -> None:
    """Show a home's floors, rooms and devices as a tree."""
    from winnow.bridge import blocking
    from winnow.surfaces.homes import tree
    from winnow.surfaces.plain import plain
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    home = find_home(settings, home_id)
    states = blocking(open_store(settings).storage.states.read(settings.scope.at(home.id)))
    if as_json:
        show_data({**plain(home), "states": plain(states)})
    else:
        show(tree(home, states))


commands.command("watch", epilog="Example: winnow home watch flat --for 60")(watch)
commands.command("set", epilog="Example: winnow home set 'Plug 3' --kind heater --alias 'towel rail'")(set_)
commands.command("check", epilog="Example: winnow home check flat")(check)
commands.command("schema", epilog="Example: winnow home schema")(schema)


@commands.command("delete", epilog="Example: winnow home delete flat")
def delete(
    home_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the home.", show_default=False)],
    with_audit: Annotated[
        bool, typer.Option("--with-audit", help="Delete the log of what was done in it as well.")
    ] = False,
) -> None:
    """Forget a home. What was done in it stays in the audit log."""
    from winnow.bridge import blocking
    from winnow.live import open_links
    from winnow.wiring import open_store

    settings = load_settings()
    scope = settings.scope.at(home_id)
    storage = open_store(settings).storage
    if not with_audit:
        blocking(storage.homes.delete_home(scope))
    else:
        with suppress(HomeNotFound):  # a log may be all that is left of it
            blocking(storage.homes.delete_home(scope))
        print(say("audit_forgotten", count=blocking(storage.audit.forget(scope))))
    open_links(settings).forget(scope)
    print(say("cli_deleted", home=home_id))
