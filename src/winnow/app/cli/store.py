"""``winnow store``: prints the SQL that a PostgreSQL administrator runs."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from winnow.app.cli.options import command_group, say

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
