"""``winnow ask`` and ``winnow explain``: one sentence for one home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.errors import HomeNotFound, Phrase
from winnow.surfaces.cli.options import (
    HistoryOption,
    HomeOption,
    JsonOption,
    RoomOption,
    SentenceWords,
    group,
    show_data,
    turns_of,
    wished,
)
from winnow.types.dialogue import Utterance
from winnow.types.view import NO_HOME, HomeView

if TYPE_CHECKING:
    from winnow.engine import Engine
    from winnow.opened import Opened
    from winnow.types.briefing import Retrieval

commands = group()

SessionOption = Annotated[
    str, typer.Option("--session", help="Any id: its earlier turns count, and its open question is answered.")
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


@commands.command(epilog="Example: winnow ask turn off the light --room study")
def ask(
    sentence: SentenceWords,
    home: HomeOption = "",
    room: RoomOption = "",
    user: UserOption = "",
    history: HistoryOption = None,
    session: SessionOption = "",
    live: LiveOption = False,
    as_json: JsonOption = False,
    trace: TraceOption = False,
) -> None:
    """Answer one sentence: what may be done, and the text an agent would be given."""
    from winnow.surfaces.show import answer

    said = Utterance(" ".join(sentence), home=home, room=room, user=user, session=session)
    found, opened = _retrieved(said, history, live=live)
    if as_json or trace:
        _show_trace(found, opened, as_json=as_json, whole=trace)
    else:
        print(answer(found, _view(opened)))


@commands.command(epilog="Example: winnow explain turn off the lamp --room bedroom")
def explain(
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
    found, opened = _retrieved(said, history)
    _show_trace(found, opened, as_json=as_json, whole=True, answer=answer)


def _retrieved(
    said: Utterance, history: Sequence[str] | None, *, live: bool = False
) -> tuple[Retrieval, Opened | None]:
    """What came of it, and the home it was said to. Raises WinnowError, BadParameter for an unknown room."""
    from winnow.wiring import open_engine

    engine = open_engine(live=live)
    opened = _spoken_to(engine, said)
    view = _view(opened)
    if said.room and view.room_named(said.room) is None:
        known = [room.name for room in view.rooms.values()] or "none"
        wrong = "no room is called '{room}'; the rooms of '{home}': {known}"
        raise typer.BadParameter(
            Phrase(wrong, room=said.room, home=view.home.id, known=known), param_hint="--room"
        )
    said = replace(said, room=said.room or None, history=turns_of(history), language=wished())
    return engine.sync.retrieve(said), opened


def _spoken_to(engine: Engine, said: Utterance) -> Opened | None:
    """The home that is meant; None where there is none at all and a person's messages may answer."""
    try:
        return engine.sync.opened(said.home)
    except HomeNotFound as error:
        if error.known or said.home or not said.user:
            raise
        return None


def _view(opened: Opened | None) -> HomeView:
    return opened.view if opened else NO_HOME


def _show_trace(
    found: Retrieval, opened: Opened | None, *, as_json: bool, whole: bool, answer: str = ""
) -> None:
    from winnow.surfaces import explain, trace
    from winnow.understand import drawing

    if as_json and not whole:
        show_data(trace.compact(found, _view(opened)))
        return
    parsed = drawing(found.reading, opened.vocabulary) if opened else None
    if as_json:
        show_data(trace.full(found, _view(opened), parsed, answer))
    else:
        print(explain.trace(found, _view(opened), parsed, answer))
