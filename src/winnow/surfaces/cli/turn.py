"""``winnow intent`` and ``winnow rewrite``: one turn of a talk, with a home or without."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from winnow.surfaces.cli.options import (
    HistoryOption,
    JsonOption,
    SentenceWords,
    group,
    say,
    show,
    show_data,
    spoken,
    turns_of,
    wished,
)
from winnow.types.dialogue import Utterance

commands = group()


class Style(StrEnum):
    """For whom a query is rewritten."""

    PLAIN = "plain"
    RETRIEVAL = "retrieval"
    WRITTEN = "written"


@commands.command(
    "intent",
    epilog='Example: winnow intent and how much is it --said "user: find a museum" '
    '--said "assistant: The Harbour Museum."',
)
def intent(
    sentence: SentenceWords,
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
    from winnow.wiring import open_engine, open_taxonomy

    engine = open_engine(taxonomy=open_taxonomy(taxonomy)) if taxonomy else open_engine()
    classes = engine.turns.taxonomy
    said = Utterance(" ".join(sentence), home=home, history=turns_of(history), language=wished())
    known = engine.sync.understand(said)
    found = known.intent
    if known.reading is None and found.act == "request":  # it may have been one for devices
        print(say("intent_without_home"), file=sys.stderr)
    if as_json:
        show_data(found)
    else:
        show(told(found, classes, spoken()))


@commands.command(
    "rewrite",
    epilog='Example: winnow rewrite 它防水吗 --said "user: 小米手环怎么样" '
    '--said "assistant: 续航长，功能全。"',
)
def rewrite(
    sentence: SentenceWords,
    history: HistoryOption = None,
    style: Annotated[
        Style,
        typer.Option(
            "--style",
            help="plain reads as a person would say it, retrieval is for a search, "
            "written puts spoken language into written.",
        ),
    ] = Style.PLAIN,
    as_json: JsonOption = False,
) -> None:
    """Make a follow-up question stand alone, and show which words come from which turn."""
    from winnow.surfaces.rewriting import told
    from winnow.understand.rewrite import rewrite as standalone

    before = turns_of(history)
    found = standalone(" ".join(sentence), before, style.value)
    if as_json:
        show_data(found)
    else:
        show(told(found, before, spoken()))
