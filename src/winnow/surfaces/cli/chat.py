"""``winnow chat``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from winnow.surfaces.cli.options import HomeOption, RoomOption, group, spoken, wished

commands = group()


@commands.command("chat", epilog="Example: winnow chat --home flat --room study")
def chat(
    home: HomeOption = "",
    room: RoomOption = "",
    user: Annotated[
        str, typer.Option("--user", help="Who speaks; what each person uses is remembered.")
    ] = "me",
    faults: Annotated[
        float, typer.Option("--faults", min=0, max=1, help="Share of the devices that fail, 0 to 1.")
    ] = 0.0,
    latency: Annotated[
        float, typer.Option("--latency", min=0, help="Seconds that every device takes to answer.")
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Another number: other devices fail.")] = 0,
) -> None:
    """Talk to a simulated copy of a home.

    Questions can be answered, and what was done is known a sentence later. /help, /quit.
    """
    from winnow.surfaces.chat import open_chat, run
    from winnow.surfaces.cli.guard import tell
    from winnow.wiring import open_engine

    talk, welcome = open_chat(open_engine(), home, room, user, spoken(), wished())
    talk.home.faults = replace(talk.home.faults, share=faults, seed=seed, latency=latency)
    if not run(talk, welcome, tell):
        raise typer.Exit(2)
