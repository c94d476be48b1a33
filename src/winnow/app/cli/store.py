"""``winnow store``, ``backup`` and ``restore``: tables of a server, and all that is kept in one file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from winnow.app.cli.options import JsonOption, command_group, confirm_deletion, say, show_data
from winnow.app.config.settings import load_settings

file_commands = command_group()
commands = command_group(help="The tables of a store on PostgreSQL (setting store).")


class By(StrEnum):
    """What rows are put into partitions by."""

    TENANT = "tenant"
    USER = "user"


@commands.callback()
def together() -> None:
    """The tables of a store on PostgreSQL (setting store)."""


@commands.command("sql", epilog="Example: winnow store sql --partitions 16 | psql -1 DATABASE")
def sql(
    partitions: Annotated[
        int, typer.Option("--partitions", min=0, max=1024, help="Put the large tables into so many parts.")
    ] = 0,
    by: Annotated[
        By, typer.Option("--by", help="What decides the part of a row: its tenant, or its user.")
    ] = By.TENANT,
    citus: Annotated[
        bool,
        typer.Option("--citus", help="Spread all tables over the workers of a Citus cluster, by tenant."),
    ] = False,
) -> None:
    """Print the SQL that makes the tables in an empty database; nothing is run.

    A store makes them by itself when it is opened. With --partitions: what divides the large ones. With
    --citus: what spreads all of them. Run either while nobody writes; Winnow needs no other settings after
    it.
    """
    from winnow.app.wiring.engine import store_sql

    if partitions and citus:
        raise typer.BadParameter(say("cli_partitions_or_citus"), param_hint="--partitions, --citus")
    print(";\n".join([*store_sql(partitions, by.value, citus=citus), ""]), end="")


# Everything that is kept, in one file.

MEGABYTE = 1e6


@file_commands.command("backup", epilog="Example: winnow backup winnow-2025-11-29.zip")
def backup(
    target: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to be written.", show_default=False)
    ],
    as_json: JsonOption = False,
) -> None:
    """Write the store, the settings and the archives of audit logs into one file.

    Others may go on writing meanwhile. Secrets of the environment are not in it. Before an upgrade, make one.
    """
    from winnow.app.backup import write_backup

    made = write_backup(load_settings(), target)
    if as_json:
        show_data("backup", made)
    else:
        print(say("backup_made", path=target, count=len(made.files), size=f"{made.size / MEGABYTE:.1f}"))


@file_commands.command("restore", epilog="Example: winnow restore winnow-2025-11-29.zip")
def restore(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file that winnow backup wrote.", show_default=False)
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Replace what is stored now without asking.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Put a backup in the place of all that is stored; one of an older version is brought up to this one.

    Persons who were forgotten after it was made are in it again. Stop what serves before.
    """
    from winnow.app.backup import read_backup, restore_backup

    settings = load_settings()
    about = read_backup(source)
    question = say("backup_sure", path=settings.store_location, version=about.version)
    if not yes and not confirm_deletion(question):
        raise typer.Exit(1)
    restored = restore_backup(settings, source)
    if as_json:
        show_data("backup", restored)
    else:
        print(say("backup_restored", count=len(restored.files), version=restored.version))
