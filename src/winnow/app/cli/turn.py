"""``winnow intent`` and ``winnow rewrite``: the intent and the standalone query of one turn."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from winnow.app.cli.options import (
    HistoryOption,
    JsonOption,
    SentenceWords,
    command_group,
    history_turns,
    message_language,
    say,
    show,
    show_data,
    wished_language,
)
from winnow.errors import Phrase
from winnow.language.messages import message
from winnow.types.query import CopiedSpan, Intent, Rewrite, Taxonomy
from winnow.types.utterance import LanguageCode, Turn, Utterance

commands = command_group()


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
    from winnow.app.wiring.engine import open_engine, open_taxonomy

    engine = open_engine(taxonomy=open_taxonomy(taxonomy)) if taxonomy else open_engine()
    classes = engine.turns.taxonomy
    said = Utterance(
        " ".join(sentence), home=home, history=history_turns(history), language=wished_language()
    )
    known = engine.sync.understand(said)
    found = known.intent
    if known.reading is None and found.act == "request":  # it may have been one for devices
        print(say("intent_without_home"), file=sys.stderr)
    if as_json:
        show_data("intent", found)
    else:
        show(intent_lines(found, classes, message_language()))


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
    from winnow.understand.rewrite.rewrite import rewrite as standalone

    before = history_turns(history)
    found = standalone(" ".join(sentence), before, style.value)
    if as_json:
        show_data("rewrite", found)
    else:
        show(rewrite_lines(found, before, message_language()))


# The intent as text.


def intent_lines(found: Intent, classes: Taxonomy, language: LanguageCode) -> list[str]:
    """What was found, one line each."""
    item = next(c for c in classes.classes if c.id == found.label)
    name = (item.name.zh if language == "zh" else item.name.en) or (found.label,)
    act = message(f"intent_act_{found.act}", language) if found.act else ""
    why = message(f"intent_rule_{found.reason}", language)
    return [
        message(f"intent_from_{found.source}", language),
        message("intent_class", language, name=name[0], label=found.label),
        *([message("intent_act", language, act=act)] if act else []),
        message("intent_sure", language, percent=int(100 * found.confidence)),
        message("intent_why", language, rule=found.reason, why=Phrase(why)),
    ]


# The standalone query as text, with the turns its words come from.


MAX_TURN_CHARS = 40
"""Characters of a turn that are shown."""


def rewrite_lines(found: Rewrite, history: Sequence[Turn], language: LanguageCode) -> list[str]:
    """The query, then a line for each span: what it took the place of, and the turn it comes from."""
    if not found.changed:
        return [found.query, f"  {message('rewrite_unchanged', language)} ({found.reason})"]
    return [
        found.query,
        *(_span_line(span, history[span.turn], language) for span in found.spans),
        f"  ({found.reason}, {found.confidence:.2f})",
    ]


def _span_line(span: CopiedSpan, turn: Turn, language: LanguageCode) -> str:
    content = " ".join(turn.content.split())
    shown = content if len(content) <= MAX_TURN_CHARS else content[:MAX_TURN_CHARS] + "…"
    code = (
        "rewrite_replaced" if span.replaced.strip() else "rewrite_added" if span.text else "rewrite_dropped"
    )
    return "  " + message(
        code,
        language,
        text=span.text,
        replaced=span.replaced.strip(),
        number=span.turn + 1,
        role=turn.role,
        turn=shown,
    )
