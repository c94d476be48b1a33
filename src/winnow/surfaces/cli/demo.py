"""``winnow demo``."""

from __future__ import annotations

from typing import Annotated

import typer

from winnow.surfaces.cli.options import group, spoken

commands = group()


@commands.command("demo", epilog="Example: winnow demo")
def demo(
    home: Annotated[
        str, typer.Argument(metavar="[PATH]", help="Folder of payloads, or example:NAME.")
    ] = "example:home150",
) -> None:
    """Show a guided tour: a home of 150 devices and a dozen sentences in Chinese and English.

    Nothing is stored.
    """
    from winnow.surfaces.demo import tour

    for line in tour(home, spoken()):
        print(line)
