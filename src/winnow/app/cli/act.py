"""``winnow act``: carries out one sentence or plan and prints the receipt."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.app.cli.options import (
    HomeOption,
    JsonOption,
    RoomOption,
    command_group,
    message_language,
    say,
    show,
    show_data,
    wished_language,
)
from winnow.app.config.settings import load_settings
from winnow.app.output import plain_data
from winnow.errors import Phrase, WinnowError
from winnow.ports.services import run_blocking
from winnow.types.home import NO_HOME, HomeView
from winnow.types.receipt import Receipt
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode, Utterance

if TYPE_CHECKING:
    from winnow.act.receipt import Progress
    from winnow.engine.engine import Engine
    from winnow.types.receipt import Outcome

# Runs the act; a person at the terminal confirms it where needed.


# Base32 without digits that look like letters, so that a person can read a handle aloud.
PLAN_HANDLE = re.compile(r"[a-z2-7]{6}")
"""What a handle looks like."""

AskPerson = Callable[[str], bool | None]
"""Asks a person; None where there is nobody to ask."""


@dataclass(frozen=True, slots=True)
class ActResult:
    """What came of it, the home it was said in, and the language it is told in."""

    receipt: Receipt
    view: HomeView
    language: LanguageCode


@dataclass(frozen=True, slots=True)
class ActRunner:
    """One person who has something done."""

    engine: Engine
    said: Utterance
    language: LanguageCode
    ask: AskPerson
    progress: Progress | None = None

    def run(self) -> ActResult:
        """What came of the words, or of the plan they name. Raises WinnowError."""
        opened = self.engine.sync.load_home(self.said.home)
        # What came of the words before any question was answered
        text = self.said.text.strip()
        scope = Scope(self.engine.policy.tenant, self.said.user, opened.home.id, self.said.session)
        if (
            PLAN_HANDLE.fullmatch(text)
            and run_blocking(self.engine.storage.plans.plan(scope, text)) is not None
        ):
            receipt, language = self.engine.sync.act(text, scope=scope, progress=self.progress), self.language
        else:
            found = self.engine.sync.retrieve(self.said)
            receipt, language = self.engine.sync.act(found, progress=self.progress), found.reading.language
        if receipt.waiting is not None and self.ask(receipt.waiting.question):
            receipt = self._confirm_token(receipt.waiting.token)
        return ActResult(receipt, opened.view, language)

    def confirm(self, token: str) -> ActResult:
        """What came of this person's yes to the question of that token. Raises WinnowError."""
        view = self.engine.sync.load_home(self.said.home).view if self.said.home else NO_HOME
        return ActResult(self._confirm_token(token), view, self.language)

    def _confirm_token(self, token: str) -> Receipt:
        return self.engine.sync.confirm(token, user=self.said.user, progress=self.progress)


def home_of_question(engine: Engine, user: str, token: str) -> str:
    """Id of the home that the question of that token is about; empty: nothing waits for it.

    Raises StoreError.
    """
    return run_blocking(engine.acting.home_of(Scope(engine.policy.tenant, user), token))


def act_on_copy(engine: Engine, home_id: str) -> None:
    """Let the engine act on a copy of the home, in memory only. Raises HomeNotFound, StoreError."""
    from winnow.app.wiring.engine import rehearse_on_copy

    home = engine.sync.load_home(home_id).home
    rehearse_on_copy(
        engine, home, run_blocking(engine.states.read(Scope(engine.policy.tenant, home=home.id)))
    )


def expect_live_or_copy(live: bool, simulate: bool) -> None:
    """Whether it is said where things are done. Raises WinnowError."""
    if live == simulate:
        raise WinnowError(
            "Say where it is to be done: in the home, or in a simulated copy of it.",
            hint=Phrase(
                "{live} acts on the linked home, {simulate} on a copy in memory.",
                live="--live",
                simulate="--simulate",
            ),
        )


def expect_link(engine: Engine, home_id: str, linked: bool) -> None:
    """Whether the home is linked to a server. Raises WinnowError."""
    if not linked:
        raise WinnowError(
            Phrase("The home {home} is not linked to a server, so nothing can be done in it.", home=home_id),
            hint="Import it where it runs: winnow home import --url URL --token-env NAME. Or --simulate.",
        )


commands = command_group()

EXIT_UNANSWERED = 3
"""Exit code where a yes is missing and nobody could be asked."""
MIN_CALLS_FOR_PROGRESS = 5
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
def act_on_sentence(
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
    from winnow.app.wiring.engine import open_engine

    # Neither is the default: nobody should act on a real home, or believe to have, by accident.
    expect_live_or_copy(live, simulate)
    beside = {"SENTENCE|PLAN": sentence, "--home": home, "--room": room, "--session": session, "--yes": yes}
    _expect_either([name for name, given in beside.items() if given], sentence, token)
    engine = open_engine(live=live)
    said = Utterance(" ".join(sentence or ()), wished_language(), home, room or None, user, session)
    said = replace(said, home=home_of_question(engine, user, token)) if token else said
    if said.home or not token:
        _prepare_engine(engine, said.home, live)
    with _call_progress() as progress:
        doer = ActRunner(
            engine, said, message_language(), lambda question: yes or _ask_person(question), progress
        )
        came = doer.confirm(token) if token else doer.run()
    _show_result(came, user, as_json)


def _expect_either(beside: Sequence[str], sentence: Sequence[str] | None, token: str) -> None:
    """Whether it is either said what to do, or whose question is answered. Raises BadParameter."""
    if token and beside:
        raise typer.BadParameter(say("act_token_alone"), param_hint=", ".join(beside))
    if not sentence and not token:
        raise typer.BadParameter(say("act_what"), param_hint="SENTENCE|PLAN")


def _show_result(came: ActResult, user: str, as_json: bool) -> None:
    """Show what came of it, and end with a code that tells whether it is all done. Raises Exit."""
    from winnow.app.verdict_text import receipt_lines

    receipt = came.receipt
    if as_json:
        show_data("receipt", {"status": receipt.status, **plain_data(receipt)})
    else:
        show(list(receipt_lines(receipt, came.view, came.language)))
    if receipt.waiting is not None:
        who = f" --user {shlex.quote(user)}" if user else ""
        print(say("act_confirm", token=receipt.waiting.token + who), file=sys.stderr)
        raise typer.Exit(EXIT_UNANSWERED)
    if receipt.status not in {"done", "nothing"}:
        raise typer.Exit(1)


def _prepare_engine(engine: Engine, home: str, live: bool) -> None:
    """Let the engine act where it was said. Raises WinnowError."""
    from winnow.app.wiring.live_homes import open_links
    from winnow.types.scope import Scope

    if not live:
        act_on_copy(engine, home)
        return
    found = engine.sync.load_home(home).home.id
    linked = open_links(load_settings()).link(Scope(engine.policy.tenant, home=found))
    expect_link(engine, found, linked is not None)


def _ask_person(question: str) -> bool | None:
    """A person's answer at the terminal; no answer is no yes."""
    if not (sys.stdin and sys.stdin.isatty()):
        return None
    return typer.confirm(question, default=False)


@contextmanager
def _call_progress() -> Iterator[Progress | None]:
    """How far a set is, for a person who looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress

    bar = Progress(BarColumn(), MofNCompleteColumn(), console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None)

    def tell(outcomes: Sequence[Outcome], calls: int) -> None:
        # A bar for two lamps would only flicker.
        if calls >= MIN_CALLS_FOR_PROGRESS:
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
