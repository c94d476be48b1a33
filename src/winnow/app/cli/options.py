"""What commands share: options, the language of messages, progress bars, questions before a deletion."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from winnow.app.config.settings import load_settings, locale_language
from winnow.errors import NOT_UTF8, CaseError, ConfigError, Phrase
from winnow.types.document import Read
from winnow.types.utterance import LanguageCode, Turn

_wish: ContextVar[LanguageCode | None] = ContextVar("language", default=None)
"""``--language``, else the setting; None when neither says."""


class LanguageOption(StrEnum):
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


def set_wished_language(language: LanguageCode | None) -> None:
    """Speak the language of the option, else that of the settings.

    Settings that make no sense are left to whoever needs them to tell.
    """
    _wish.set(language)
    if language is None:
        with suppress(ConfigError):
            _wish.set(load_settings().language)


def wished_language() -> LanguageCode | None:
    """The language asked for; None lets each sentence decide."""
    return _wish.get()


def message_language() -> LanguageCode:
    """The language of messages: as wished, else the terminal's."""
    return wished_language() or locale_language()


def say(code: str, **facts: object) -> str:
    """A message of the message table."""
    from winnow.language.messages import message

    return message(code, message_language(), **facts)


def show(lines: Sequence[str], otherwise: str = "") -> None:
    """Print the lines, or what is said instead when there are none."""
    print("\n".join(lines) or otherwise)


def show_data(kind: str, value: object) -> None:
    """Print a value as a JSON object of that kind: indented for a person, one line for a program."""
    from winnow.app.output import json_text, script_data

    # JSON stays valid on a terminal that is not UTF-8: other characters are escaped.
    unicode = codecs.lookup(sys.stdout.encoding).name.startswith("utf")
    print(json_text(script_data(kind, value), indented=sys.stdout.isatty(), ascii_only=not unicode))


def history_turns(said: Sequence[str] | None) -> tuple[Turn, ...]:
    """What was said before, of the option ``--history`` or ``--said``. Raises CaseError."""
    try:
        return tuple(parsed_turns(said or ()))
    except ValueError as error:
        raise typer.BadParameter(error.args[0], param_hint="--history, --said") from None


def confirm_deletion(question: str, beforehand: Sequence[str] = ()) -> bool:
    """Whether a person says yes, having seen what stands ``beforehand``; raises where nobody can be asked."""
    if not sys.stdin.isatty():
        raise typer.BadParameter(say("messages_needs_yes"), param_hint="--yes")
    if beforehand:
        print("\n".join(beforehand), file=sys.stderr)
    return typer.confirm(question, err=True)


def command_group(**more: Any) -> typer.Typer:
    """Commands that belong together; without options of their own they print their help."""
    return typer.Typer(no_args_is_help=True, rich_markup_mode=None, **more)


# Progress of a long run, shown to a person who waits.


@contextmanager
def byte_progress(*, rows: bool = False) -> Iterator[Read]:
    """A bar of the bytes read, or of the rows, beside the output; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda done, size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    count = MofNCompleteColumn() if rows else DownloadColumn()
    columns = (BarColumn(), count, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, size: bar.update(task, completed=done, total=size or None)


# Earlier turns, given by ``--history``.


def parsed_turns(said: Iterable[str]) -> Iterator[Turn]:
    """The turns of ``user: ...``, ``assistant: ...``, or of files of ``{role, content}``, one a line.

    Raises CaseError for a line of a file that is no turn, ValueError for what is neither.
    """
    for item in said:
        role, colon, content = item.partition(":")
        if colon and role.strip() in ("user", "assistant"):
            yield _turn(role.strip(), content.strip())
        elif Path(item).is_file():
            yield from _file_turns(Path(item))
        else:
            wrong = '{item!r} is neither a file nor does it begin with "user:" or "assistant:"'
            raise ValueError(Phrase(wrong, item=item))


def _file_turns(path: Path) -> Iterator[Turn]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise CaseError(path.name, 1, "line", NOT_UTF8) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise CaseError(path.name, number, "line", Phrase("not JSON: {why}", why=error.msg)) from None
        role = row.get("role") if isinstance(row, dict) else None
        if role not in ("user", "assistant") or not isinstance(row.get("content"), str):
            expected = "expected an object with role (user or assistant) and content"
            raise CaseError(path.name, number, "role", expected)
        yield _turn(role, row["content"])


def _turn(role: str, content: str) -> Turn:
    return Turn("user" if role == "user" else "assistant", content)
