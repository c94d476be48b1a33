"""What commands share: their options, the language they speak, and how data is printed."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from enum import StrEnum
from typing import Annotated, Any

import typer

from winnow.config import load_settings, locale_language
from winnow.errors import ConfigError
from winnow.types.dialogue import Language, Turn

_wish: ContextVar[Language | None] = ContextVar("language", default=None)
"""``--language``, else the setting; None when neither says."""


class Tongue(StrEnum):
    """A language of messages and payloads."""

    ZH = "zh"
    EN = "en"


SentenceWords = Annotated[
    list[str],
    typer.Argument(metavar="SENTENCE", help="What was said; it needs no quotes.", show_default=False),
]
HomeOption = Annotated[
    str, typer.Option("--home", help="Id of the home; needed only when several are stored.")
]
StoredHome = Annotated[str, typer.Argument(metavar="[ID]", help="Needed only when several homes are stored.")]
RoomOption = Annotated[str, typer.Option("--room", help="Name or id of the room the person stands in.")]
HistoryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--history",
        "--said",
        help='An earlier turn, oldest first: "user: ..." or "assistant: ..."; '
        "or a file of {role, content}, one per line. Repeatable.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print data instead of text: indented on a terminal, else one line.")
]


def wish_language(language: Language | None) -> None:
    """Speak the language of the option, else that of the settings.

    Settings that make no sense are left to whoever needs them to tell.
    """
    _wish.set(language)
    if language is None:
        with suppress(ConfigError):
            _wish.set(load_settings().language)


def wished() -> Language | None:
    """The language asked for; None lets each sentence decide."""
    return _wish.get()


def spoken() -> Language:
    """The language of messages: as wished, else the terminal's."""
    return wished() or locale_language()


def say(code: str, **facts: object) -> str:
    """A message of the message table."""
    from winnow.say.messages import message

    return message(code, spoken(), **facts)


def show(lines: Sequence[str], otherwise: str = "") -> None:
    """Print the lines, or what is said instead when there are none."""
    print("\n".join(lines) or otherwise)


def show_data(value: object) -> None:
    """Print a value as JSON: indented for a person, one line for a program."""
    from winnow.surfaces.plain import json_text

    unicode = codecs.lookup(sys.stdout.encoding).name.startswith("utf")
    print(json_text(value, indented=sys.stdout.isatty(), ascii_only=not unicode))


def turns_of(said: Sequence[str] | None) -> tuple[Turn, ...]:
    """What was said before, of the option ``--history`` or ``--said``. Raises CaseError."""
    from winnow.surfaces.history import turns

    try:
        return tuple(turns(said or ()))
    except ValueError as error:
        raise typer.BadParameter(error.args[0], param_hint="--history, --said") from None


def confirm_deletion(question: str, beforehand: Sequence[str] = ()) -> bool:
    """Whether a person says yes, having seen what stands ``beforehand``; raises where nobody can be asked."""
    if not sys.stdin.isatty():
        raise typer.BadParameter(say("messages_needs_yes"), param_hint="--yes")
    if beforehand:
        print("\n".join(beforehand), file=sys.stderr)
    return typer.confirm(question, err=True)


def group(**more: Any) -> typer.Typer:
    """Commands that belong together; without options of their own they print their help."""
    return typer.Typer(no_args_is_help=True, rich_markup_mode=None, **more)
