"""``winnow act``: one sentence or plan, done."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.config import load_settings
from winnow.surfaces.cli.options import (
    HomeOption,
    JsonOption,
    RoomOption,
    group,
    say,
    show,
    show_data,
    spoken,
    wished,
)
from winnow.types.dialogue import Utterance

if TYPE_CHECKING:
    from winnow.act import Progress
    from winnow.engine import Engine
    from winnow.surfaces.acting import Said
    from winnow.types.receipt import Outcome

commands = group()

UNANSWERED = 3
"""Exit code where a yes is missing and nobody could be asked."""
SEVERAL = 5
"""Calls from which on it is shown how far they are."""

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="SENTENCE|PLAN", help="What to do, or the plan of an earlier turn."),
]
SessionOption = Annotated[str, typer.Option("--session", help="Any id: plans and undo belong to it.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Say yes to its question beforehand.")]
TokenOption = Annotated[
    str, typer.Option("--token", help="Say yes to the question of that token, as the --user who was asked.")
]
SimulateOption = Annotated[bool, typer.Option("--simulate", help="In a copy of the home, in memory.")]
UserOption = Annotated[
    str, typer.Option("--user", help="Who speaks; rules may differ from person to person.")
]
LiveOption = Annotated[bool, typer.Option("--live", help="In the home, if it was imported from its server.")]


@commands.command("act", epilog="Example: winnow act turn off all lights --simulate")
def act(
    sentence: Words = None,
    home: HomeOption = "",
    room: RoomOption = "",
    user: UserOption = "",
    session: SessionOption = "",
    yes: YesOption = False,
    token: TokenOption = "",
    simulate: SimulateOption = False,
    live: LiveOption = False,
    as_json: JsonOption = False,
) -> None:
    """Do what a sentence says, and show what came of it.

    What is dangerous is asked about first. Exit code 1: not all of it was done; 3: a yes is missing.
    """
    from winnow.surfaces.acting import Doer, asked_in, expect_one
    from winnow.wiring import open_engine

    expect_one(live, simulate)
    beside = {"SENTENCE|PLAN": sentence, "--home": home, "--room": room, "--session": session, "--yes": yes}
    _expect_either([name for name, given in beside.items() if given], sentence, token)
    engine = open_engine(live=live)
    said = Utterance(" ".join(sentence or ()), wished(), home, room or None, user, session)
    said = replace(said, home=asked_in(engine, user, token)) if token else said
    if said.home or not token:
        _prepared(engine, said.home, live)
    with _shown() as progress:
        doer = Doer(engine, said, spoken(), lambda question: yes or _asked(question), progress)
        came = doer.agreed(token) if token else doer.done()
    _told(came, user, as_json)


def _expect_either(beside: Sequence[str], sentence: Sequence[str] | None, token: str) -> None:
    """Whether it is either said what to do, or whose question is answered. Raises BadParameter."""
    if token and beside:
        raise typer.BadParameter(say("act_token_alone"), param_hint=", ".join(beside))
    if not sentence and not token:
        raise typer.BadParameter(say("act_what"), param_hint="SENTENCE|PLAN")


def _told(came: Said, user: str, as_json: bool) -> None:
    """Show what came of it, and end with a code that tells whether it is all done. Raises Exit."""
    from winnow.surfaces.receipts import receipt_lines

    receipt = came.receipt
    if as_json:
        show_data(receipt)
    else:
        show(list(receipt_lines(receipt, came.view, came.language)))
    if receipt.waiting is not None:
        who = f" --user {shlex.quote(user)}" if user else ""
        print(say("act_confirm", token=receipt.waiting.token + who), file=sys.stderr)
        raise typer.Exit(UNANSWERED)
    if receipt.status not in {"done", "nothing"}:
        raise typer.Exit(1)


def _prepared(engine: Engine, home: str, live: bool) -> None:
    """Let the engine act where it was said. Raises WinnowError."""
    from winnow.live import open_links
    from winnow.surfaces.acting import copied, expect_link
    from winnow.types.scope import Scope

    if not live:
        copied(engine, home)
        return
    found = engine.sync.opened(home).home.id
    linked = open_links(load_settings()).link(Scope(engine.policy.tenant, home=found))
    expect_link(engine, found, linked is not None)


def _asked(question: str) -> bool | None:
    """A person's answer at the terminal; no answer is no yes."""
    if not (sys.stdin and sys.stdin.isatty()):
        return None
    return typer.confirm(question, default=False)


@contextmanager
def _shown() -> Iterator[Progress | None]:
    """How far a set is, for a person who looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress

    bar = Progress(BarColumn(), MofNCompleteColumn(), console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None)

    def tell(outcomes: Sequence[Outcome], calls: int) -> None:
        if calls >= SEVERAL:
            bar.start()
            bar.update(task, advance=len(outcomes), total=calls)

    try:
        yield tell
    except KeyboardInterrupt:
        bar.stop()
        print(say("act_interrupted"), file=sys.stderr)
        raise
    finally:
        bar.stop()
