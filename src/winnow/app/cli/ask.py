"""``winnow ask`` and ``winnow explain``: one retrieval for one home."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.app.cli.options import (
    HistoryOption,
    HomeOption,
    JsonOption,
    RoomOption,
    SentenceWords,
    command_group,
    history_turns,
    say,
    show_data,
    wished_language,
)
from winnow.errors import HomeNotFound
from winnow.types.home import NO_HOME, HomeView
from winnow.types.utterance import Utterance
from winnow.types.verdict import Nothing

if TYPE_CHECKING:
    from winnow.engine.engine import Engine
    from winnow.engine.home_cache import LoadedHome
    from winnow.types.retrieval import Retrieval

commands = command_group()

SessionOption = Annotated[
    str,
    typer.Option(
        "--session", help="Any id: what --user said in it counts, and answers what they were asked."
    ),
]
UserOption = Annotated[
    str,
    typer.Option("--user", help="Who speaks: their earlier messages are searched where the sentence asks."),
]
LiveOption = Annotated[
    bool, typer.Option("--live", help="Read states where the home runs, if it was imported from there.")
]
AnswerOption = Annotated[
    str, typer.Option("--answer", help="An answer to be judged: how much of it the context supports.")
]
TraceOption = Annotated[
    bool, typer.Option("--trace", help="All of it, as explain does: with --json as data.")
]


ReplyOption = Annotated[
    bool, typer.Option("--reply", help="Let the configured language model answer from what was found.")
]


@dataclass(frozen=True, slots=True)
class AskResult:
    """One sentence with what came of it, and the home it was said to, if any."""

    engine: Engine
    home: LoadedHome | None
    found: Retrieval


@commands.command("ask", epilog="Example: winnow ask turn off the light --room study")
def answer_sentence(
    sentence: SentenceWords,
    home: HomeOption = "",
    room: RoomOption = "",
    user: UserOption = "",
    history: HistoryOption = None,
    session: SessionOption = "",
    live: LiveOption = False,
    reply: ReplyOption = False,
    as_json: JsonOption = False,
    trace: TraceOption = False,
) -> None:
    """Answer one sentence: what may be done, and the text an agent would be given."""
    from winnow.app.verdict_text import answer_text

    said = Utterance(" ".join(sentence), home=home, room=room, user=user, session=session)
    asked = _run_retrieval(said, history, live=live, prompt=reply)
    if as_json or trace:
        _show_trace(asked.found, asked.home, as_json=as_json, whole=trace)
    else:
        print(answer_text(asked.found, _view(asked.home)))
    if reply:
        print("", asked.engine.sync.reply(asked.found).text, sep="\n")
    if _is_user_missing(asked.found, in_home=asked.home is not None):
        print(say("ask_nobody_named"), file=sys.stderr)


@commands.command("explain", epilog="Example: winnow explain turn off the lamp --room bedroom")
def explain_sentence(
    sentence: SentenceWords,
    home: HomeOption = "",
    room: RoomOption = "",
    user: UserOption = "",
    history: HistoryOption = None,
    answer: AnswerOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show each stage of one retrieval: what went in and out, what was dropped and why, time and tokens."""
    said = Utterance(" ".join(sentence), home=home, room=room, user=user)
    asked = _run_retrieval(said, history)
    _show_trace(asked.found, asked.home, as_json=as_json, whole=True, answer=answer)


def _run_retrieval(
    said: Utterance, history: Sequence[str] | None, *, live: bool = False, prompt: bool = False
) -> AskResult:
    """What came of it. Raises WinnowError.

    Without any home, messages, facts and documents may answer; where they do not, that is the error.
    ``prompt``: whether the messages begin with how to answer.
    """
    from winnow.app.wiring.engine import open_engine

    engine = open_engine(live=live)
    opened, missing = _home_or_error(engine, said)
    said = replace(said, room=said.room or None, history=history_turns(history), language=wished_language())
    system = say("answer_prompt") if prompt else ""
    found = engine.sync.retrieve(said, system=system)
    # Whether a turn without a home came to anything: something was found, or somebody was named
    if missing is not None and not (
        any(shortlist.candidates for shortlist in found.results)
        or (bool(found.utterance.user) and found.verdict != Nothing("no_home"))
    ):
        if _is_user_missing(found, in_home=False):
            print(say("ask_nobody_named"), file=sys.stderr)
        raise missing
    return AskResult(engine, opened, found)


def _home_or_error(engine: Engine, said: Utterance) -> tuple[LoadedHome | None, HomeNotFound | None]:
    """The home that is meant; where there is none at all, that error."""
    try:
        return engine.sync.load_home(said.home), None
    except HomeNotFound as error:
        if error.known or said.home or said.room:
            raise
        return None, error


def _is_user_missing(found: Retrieval, *, in_home: bool) -> bool:
    """Whether what a person said, noted or told might have answered, and nobody said who asks."""
    if found.intent is None or found.utterance.user:
        return False
    # Without a home an order is looked up like any other words: there something must be asked
    asks = in_home or found.intent.act == "question" or found.intent.reason == "asked"
    return asks and found.intent.source in {"knowledge", "history"}


def _view(opened: LoadedHome | None) -> HomeView:
    return opened.view if opened else NO_HOME


def _show_trace(
    found: Retrieval, opened: LoadedHome | None, *, as_json: bool, whole: bool, answer: str = ""
) -> None:
    from winnow.app import explanation, trace
    from winnow.understand.reading import drawing

    if as_json and not whole:
        show_data("trace", trace.compact_trace(found, _view(opened)))
        return
    parsed = drawing(found.reading, opened.vocabulary) if opened else None
    if as_json:
        show_data("trace", trace.full_trace(found, _view(opened), parsed, answer))
    else:
        print(explanation.explanation_text(found, _view(opened), parsed, answer))
