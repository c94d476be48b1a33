"""The ``winnow`` command."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from winnow import __version__
from winnow.config import load_settings, locale_language
from winnow.errors import WinnowError
from winnow.types.dialogue import Language, Turn, Utterance
from winnow.types.lesson import Status

if TYPE_CHECKING:
    from winnow.engine import Engine

_wish: ContextVar[Language | None] = ContextVar("language", default=None)
"""``--language``, else the setting; None when neither says."""


class Tongue(StrEnum):
    """A language of messages and payloads."""

    ZH = "zh"
    EN = "en"


class Guarded(TyperGroup):
    """Commands whose errors become a sentence, a hint and exit code 2, never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except WinnowError as error:
            print(f"{_say('cli_error')}: {error}", file=sys.stderr)
            if error.hint:
                print(f"{_say('cli_hint')}: {error.hint}", file=sys.stderr)
            raise typer.Exit(2) from None


app = typer.Typer(
    name="winnow",
    cls=Guarded,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Finds the smallest sufficient context for an agent: which devices a sentence means, and what may be done.",
    epilog='Example: winnow home import ./my-home && winnow ask "turn off all lights except the bedroom"',
)
home_app = typer.Typer(no_args_is_help=True, help="Import homes and look at them.", rich_markup_mode=None)
app.add_typer(home_app, name="home")
lexicon_app = typer.Typer(
    no_args_is_help=True,
    help="Words a home learned from corrections: look, accept, reject.",
    rich_markup_mode=None,
)
app.add_typer(lexicon_app, name="lexicon")

HomeOption = Annotated[
    str, typer.Option("--home", help="Id of the home; needed only when several are stored.")
]
RoomOption = Annotated[str, typer.Option("--room", help="Name or id of the room the person stands in.")]
HistoryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--history",
        "--said",
        help='An earlier turn, oldest first: "user: ..." or "assistant: ..."; or a file of {role, content}, one per line. Repeatable.',
    ),
]
SessionOption = Annotated[
    str, typer.Option("--session", help="Any id: its earlier turns count, and its open question is answered.")
]
WordNumber = Annotated[int, typer.Argument(metavar="N", help="Number of the word.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print data instead of text.")]
Sentence = Annotated[str, typer.Argument(help="What was said, as one argument.", show_default=False)]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"winnow {__version__}")
        raise typer.Exit


@app.callback()
def options(
    language: Annotated[
        Tongue | None,
        typer.Option("--language", help="Language of messages. Default: the setting, else that of LANG."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Options before the command."""
    _wish.set(language.value if language else None)  # known even when the settings turn out to be wrong
    _wish.set(_wish.get() or load_settings().language)


@app.command(epilog='Example: winnow ask "把书房的台灯调到一半" --room 书房')
def ask(
    sentence: Sentence,
    home: HomeOption = "",
    room: RoomOption = "",
    history: HistoryOption = None,
    session: SessionOption = "",
    as_json: JsonOption = False,
) -> None:
    """Answer one sentence: what may be done, and the text an agent would be given."""
    from winnow.surfaces.show import answer, plain

    engine = _engine()
    retrieval = engine.sync.retrieve(
        replace(_utterance(engine, sentence, home, room, history), session=session)
    )
    if as_json:
        print(json.dumps(plain(retrieval), ensure_ascii=False))
    else:
        print(answer(retrieval, engine.sync.opened(retrieval.home_id).view))


@app.command(epilog='Example: winnow explain "turn off the lamp" --room bedroom')
def explain(
    sentence: Sentence, home: HomeOption = "", room: RoomOption = "", history: HistoryOption = None
) -> None:
    """Show each stage of one retrieval: what went in and out, what was dropped and why, time and tokens."""
    from winnow.surfaces.explain import trace

    engine = _engine()
    retrieval = engine.sync.retrieve(_utterance(engine, sentence, home, room, history))
    print(trace(retrieval, engine.sync.opened(retrieval.home_id).view))


@app.command(
    epilog='Example: winnow intent "and how much is it?" --said "user: find a museum" --said "assistant: The Harbour Museum."'
)
def intent(
    sentence: Sentence,
    history: HistoryOption = None,
    home: Annotated[
        str, typer.Option("--home", help="Id of a home: an order or a question for it needs its devices.")
    ] = "",
    taxonomy: Annotated[
        str,
        typer.Option(
            "--taxonomy",
            help="Classes to tell apart: general, smart_home, cooking, or a file. Default: as configured.",
        ),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Tell whether a turn of a talk needs anything looked up, where, of which class, and why."""
    from winnow.surfaces.intent import told
    from winnow.surfaces.show import plain
    from winnow.wiring import open_taxonomy

    engine = _engine()
    engine.taxonomy = classes = open_taxonomy(taxonomy) if taxonomy else engine.turns.taxonomy
    found = engine.sync.understand(
        Utterance(sentence, home=home, history=_turns(history), language=_wish.get())
    ).intent
    print(
        json.dumps(plain(found), ensure_ascii=False)
        if as_json
        else "\n".join(told(found, classes, _language()))
    )


@app.command(
    epilog='Example: winnow rewrite 它防水吗 --said "user: 小米手环怎么样" --said "assistant: 续航长，功能全。"'
)
def rewrite(sentence: Sentence, history: HistoryOption = None, as_json: JsonOption = False) -> None:
    """Make a follow-up question stand alone, and show which words come from which turn."""
    from winnow.surfaces.rewriting import told
    from winnow.surfaces.show import plain
    from winnow.understand.rewrite import rewrite as standalone

    before = _turns(history)
    found = standalone(sentence, before)
    print(
        json.dumps(plain(found), ensure_ascii=False)
        if as_json
        else "\n".join(told(found, before, _language()))
    )


@app.command(epilog="Example: winnow chat --home flat --room study")
def chat(
    home: HomeOption = "",
    room: RoomOption = "",
    user: Annotated[
        str, typer.Option("--user", help="Who speaks; what each person uses is remembered.")
    ] = "me",
) -> None:
    """Talk to a simulated copy of a home.

    Questions can be answered, and what was done is known a sentence later. /help, /quit.
    """
    from winnow.surfaces.chat import open_chat, run

    run(*open_chat(_engine(), home, room, user, _language(), _wish.get()))


@app.command(epilog="Example: winnow doctor")
def doctor(
    ask_model: Annotated[
        bool,
        typer.Option(
            "--ask-model", help="Also ask the configured models a question; fetch a fastembed model."
        ),
    ] = False,
) -> None:
    """Check that everything needed is here and answers. Exit code 1 when something is not."""
    from winnow.surfaces.doctor import examine

    bad = 0
    for finding in examine(load_settings(), ask_model):
        bad += not finding.ok
        print(f"{'ok ' if finding.ok else 'BAD'}  {finding.name:<10} {finding.detail}")
    print(_say("cli_unhealthy", count=bad) if bad else _say("cli_healthy"))
    raise typer.Exit(1 if bad else 0)


@app.command(
    "eval",
    epilog="Example: winnow eval devices --cases benchmarks/cases --homes examples/homes --out predictions/",
)
def evaluate(
    task: Annotated[str, typer.Argument(help="What to measure: devices or json.", show_default=False)],
    cases: Annotated[Path, typer.Option(help="A case file, or a folder of case files.", show_default=False)],
    out: Annotated[
        Path, typer.Option(help="Prediction file; a folder gets one file per case file.", show_default=False)
    ],
    homes: Annotated[
        Path | None,
        typer.Option(
            help="Folder with one folder of payloads per home; for devices.",
            exists=True,
            file_okay=False,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Answer evaluation cases, each by itself, and write one prediction per line."""
    from winnow.surfaces.cases import case_files
    from winnow.surfaces.eval import evaluate as answer_cases

    _check_task(task, homes)
    if not case_files(cases):
        raise WinnowError(f"{_say('cli_no_cases')} ({cases})")
    with _progress(case_files(cases)) as advance:
        count = answer_cases(task, cases, out, homes or Path(), advance)
    print(f"{_say('cli_written', count=count)} {out}")


def _check_task(task: str, homes: Path | None) -> None:
    from winnow.surfaces.eval.tasks import PLANNED, TASKS

    if task in PLANNED:
        raise WinnowError(
            _say("cli_task_later", task=task, ready=", ".join(TASKS)), hint=f"winnow eval {next(iter(TASKS))}"
        )
    if task not in TASKS:
        raise typer.BadParameter(f"{task!r} is none of {', '.join(TASKS)}", param_hint="TASK")
    if TASKS[task].homes and homes is None:
        raise typer.BadParameter(f"{task} needs a folder of homes", param_hint="--homes")


@home_app.command(
    "import", epilog="Example: winnow home import ./payloads --id flat --language zh --spec spec.zh.jsonl"
)
def import_(
    path: Annotated[
        Path,
        typer.Argument(help="Folder of SmartThings, Home Assistant or neutral payloads.", show_default=False),
    ],
    home_id: Annotated[
        str, typer.Option("--id", help="Id to store it under. Default: the folder's name.")
    ] = "",
    language: Annotated[
        Tongue | None,
        typer.Option("--language", help="Language its descriptions come in first. Default: zh."),
    ] = None,
    spec: Annotated[
        Path | None, typer.Option("--spec", help="SmartThings command specification (JSON lines).")
    ] = None,
) -> None:
    """Import a home, replacing the stored one of that id as a whole."""
    from winnow.surfaces.show import report_lines
    from winnow.wiring import import_path, open_store

    settings = load_settings()
    report = import_path(
        settings.scope,
        path,
        open_store(settings).storage.homes,
        home_id,
        language.value if language else None,
        spec,
    )
    print("\n".join(report_lines(report, _language())))


@home_app.command("list", epilog="Example: winnow home list")
def list_(as_json: JsonOption = False) -> None:
    """List the stored homes."""
    from winnow.bridge import blocking
    from winnow.surfaces.homes import rows
    from winnow.surfaces.show import plain
    from winnow.wiring import open_store

    settings = load_settings()
    homes = blocking(open_store(settings).storage.homes.list_homes(settings.scope))
    if as_json:
        print(json.dumps(plain(homes), ensure_ascii=False))
    else:
        print("\n".join(rows(homes)) or _say("cli_no_homes"))


@home_app.command("show", epilog="Example: winnow home show flat")
def show(
    home_id: Annotated[
        str, typer.Argument(metavar="[ID]", help="Needed only when several homes are stored.")
    ] = "",
) -> None:
    """Show a home's floors, rooms and devices as a tree."""
    from winnow.surfaces.homes import tree
    from winnow.wiring import find_home

    print(tree(find_home(load_settings(), home_id)))


@home_app.command("delete", epilog="Example: winnow home delete flat")
def delete(
    home_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the home.", show_default=False)],
) -> None:
    """Forget a home."""
    from winnow.bridge import blocking
    from winnow.wiring import open_store

    settings = load_settings()
    blocking(open_store(settings).storage.homes.delete_home(settings.scope.at(home_id)))
    print(_say("cli_deleted", home=home_id))


@lexicon_app.command("suggest", epilog="Example: winnow lexicon suggest")
def suggest(home: HomeOption = "") -> None:
    """Show which names and words the corrections of earlier talks suggest, with how often each was seen."""
    from winnow.surfaces.lexicon import suggest as suggestions
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    words, found = open_store(settings).storage.lexicon, find_home(settings, home)
    print("\n".join(suggestions(settings.scope, words, found, _language(), learning=settings.learn)))


@lexicon_app.command("list", epilog="Example: winnow lexicon list")
def list_words(home: HomeOption = "") -> None:
    """List all words of a home: suggested, accepted and rejected."""
    from winnow.bridge import blocking
    from winnow.surfaces.lexicon import rows
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    found = find_home(settings, home)
    known = blocking(open_store(settings).storage.lexicon.entries(settings.scope.at(found.id)))
    print("\n".join(rows(known, found, _language())) or _say("lexicon_none"))


@lexicon_app.command("accept", epilog="Example: winnow lexicon accept 1")
def accept(number: WordNumber, home: HomeOption = "") -> None:
    """Take a word into the home's lexicon: from now on it is understood."""
    _judge(number, "accepted", home)


@lexicon_app.command("reject", epilog="Example: winnow lexicon reject 1")
def reject(number: WordNumber, home: HomeOption = "") -> None:
    """Turn a word down, or take an accepted one back; it is not suggested again."""
    _judge(number, "rejected", home)


def _judge(number: int, status: Status, home: str) -> None:
    from winnow.surfaces.lexicon import judge
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    words, found = open_store(settings).storage.lexicon, find_home(settings, home)
    print(judge(settings.scope, words, found, number, status, _language()))


def _engine() -> Engine:
    from winnow.wiring import open_engine

    return open_engine()


def _utterance(engine: Engine, sentence: str, home: str, room: str, history: list[str] | None) -> Utterance:
    view = engine.sync.opened(home).view
    if room and view.room_named(room) is None:
        known = ", ".join(r.name for r in view.rooms.values()) or "none"
        raise typer.BadParameter(
            f"no room is called '{room}'; the rooms of '{view.home.id}': {known}", param_hint="--room"
        )
    return Utterance(sentence, home=home, room=room or None, history=_turns(history), language=_wish.get())


def _turns(said: list[str] | None) -> tuple[Turn, ...]:
    """What was said before, of the option ``--history`` or ``--said``."""
    from winnow.surfaces.intent import turns

    try:
        return tuple(turns(said or ()))
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--history, --said") from None


def _language() -> Language:
    """Of messages: as wished, else the terminal's."""
    return _wish.get() or locale_language()


@contextmanager
def _progress(files: Sequence[Path]) -> Iterator[Callable[[], None]]:
    """A bar on the terminal; what it yields moves it on by one case."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    total = sum(1 for file in files for line in file.read_bytes().splitlines() if line.strip())
    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)


def _say(code: str, **facts: object) -> str:
    from winnow.say.messages import message

    return message(code, _language(), **facts)


def main() -> None:
    """The entry point of the ``winnow`` script."""
    app()


if __name__ == "__main__":
    main()
