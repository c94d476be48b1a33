"""``winnow messages``: imports, searches, shows and deletes the messages of persons."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.app.cli.options import (
    JsonOption,
    command_group,
    confirm_deletion,
    message_language,
    say,
    show,
    show_data,
)
from winnow.app.cli.precompute import backfill_vectors, precompute_vectors, run_worker
from winnow.app.config.settings import load_settings
from winnow.app.output import note_lines, plain_data
from winnow.errors import WinnowError
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.ports.services import run_blocking
from winnow.types.candidate import Candidate, Search, Shortlist
from winnow.types.document import MessagesReport
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode

if TYPE_CHECKING:
    from winnow.app.config.settings import Settings

commands = command_group(help="What persons said in earlier talks: import, search, look, forget.")

UserOption = Annotated[str, typer.Option("--user", help="Whose messages.", show_default=False)]
QueryWords = Annotated[
    list[str],
    typer.Argument(metavar="QUERY", help="What is looked for; it needs no quotes.", show_default=False),
]
MessageIds = Annotated[
    list[str] | None, typer.Argument(metavar="[IDS]", help="Ids of messages.", show_default=False)
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="JSON lines or a list of {role, content}, requests to a chat model, or an export of ChatGPT "
        "(conversations.json, or the ZIP it comes in); - for standard input.",
        show_default=False,
    ),
]
Zone = Annotated[
    str,
    typer.Option(
        "--timezone", help="Zone of the person's clock, such as Asia/Shanghai. Default: that of this machine."
    ),
]
Limit = Annotated[int, typer.Option("--limit", min=1, help="At most so many.")]


@commands.command("import", epilog="Example: winnow messages import talk.jsonl --user ida")
def import_(path: Source, user: UserOption, timezone: Zone = "local", as_json: JsonOption = False) -> None:
    """Keep the messages of a file for one person.

    What is there already stays as it is, so the same file can be imported again when it has grown. What
    could not be read, and what nobody said, is told with its line; nothing else is left out.
    """
    from winnow.app.cli.options import byte_progress
    from winnow.app.wiring.engine import open_store
    from winnow.language.clocks import Clocks
    from winnow.retrieve.history.ingest import import_messages

    settings = load_settings()
    scope, store = Scope(settings.tenant, user=user), open_store(settings)
    with byte_progress() as progress:
        report = run_blocking(
            import_messages(scope, path, store.storage.messages, Clocks(timezone), progress)
        )
    if as_json:
        show_data("import", report)
    else:
        # Where the store's messages are not what is searched: that they are not
        from winnow.app.wiring.history import history_settings

        history = history_settings(None, settings)
        show(
            [
                *messages_report_lines(report, message_language()),
                *([say("messages_elsewhere")] if history is not None and history.host is not None else []),
            ]
        )


@commands.command("search", epilog="Example: winnow messages search where did I move to --user ida")
def search(query: QueryWords, user: UserOption, limit: Limit = 10, as_json: JsonOption = False) -> None:
    """Find the messages of one person that answer a question, best first; nothing is sent anywhere.

    Searched is what a turn would search: the host's own table where history.yaml names one, else the store.
    """
    shortlist = search_messages(load_settings(), user, " ".join(query), limit)
    if as_json:
        show_data("messages", {"messages": candidate_data(shortlist.candidates), "steps": shortlist.steps})
    else:
        show(candidate_lines(shortlist.candidates, message_language()), otherwise=_no_messages(user))


@commands.command("show", epilog="Example: winnow messages show --user ida --limit 50")
def show_(
    ids: MessageIds = None, user: UserOption = "", limit: Limit = 20, as_json: JsonOption = False
) -> None:
    """Show the last messages of one person, or those of the ids."""
    messages = last_messages(load_settings(), user, limit, ids)
    if as_json:
        show_data("messages", message_data(messages))
    else:
        show(message_lines(messages), otherwise=_no_messages(user))


@commands.command("forget", epilog="Example: winnow messages forget --all --user ida")
def forget(
    user: UserOption,
    ids: MessageIds = None,
    everything: Annotated[bool, typer.Option("--all", help="All messages of the person.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete messages of one person, and the vectors made of them. Nobody can bring them back.

    On a terminal a yes is asked first; elsewhere --yes must say it.
    """
    from winnow.app.wiring.engine import open_store
    from winnow.retrieve.history.ingest import forget_messages

    if bool(ids) == everything:
        raise typer.BadParameter(say("messages_ids_or_all"), param_hint="IDS, --all")
    settings, storage = load_settings(), open_store(load_settings()).storage
    scope = Scope(settings.tenant, user=user)
    there = len(ids) if ids else run_blocking(storage.messages.stamp(scope)).count
    if there and not (yes or confirm_deletion(say("messages_sure", count=there, user=user))):
        return
    gone = run_blocking(forget_messages(scope, storage, ids))
    print(say("messages_forgotten", count=gone, user=user) if gone else _no_messages(user))


@commands.command("users", epilog="Example: winnow messages users")
def users(as_json: JsonOption = False) -> None:
    """List the persons whose messages the store keeps, and how many there are of each."""
    from winnow.app.wiring.engine import open_store
    from winnow.language.encode import encode_text

    settings = load_settings()
    known = run_blocking(open_store(settings).storage.messages.users(settings.scope))
    if as_json:
        show_data("users", {"users": known})
    else:
        show(
            [f"{count:8d}  {encode_text(user, 64)}" for user, count in known.items()],
            otherwise=say("messages_none"),
        )


commands.command("worker", epilog="Example: winnow messages worker --every 60")(run_worker)
commands.command("precompute", epilog="Example: winnow messages precompute --all --dry-run")(
    precompute_vectors
)
commands.command("backfill", epilog="Example: winnow messages backfill --scheduler tcp://10.0.0.5:8786")(
    backfill_vectors
)


def _no_messages(user: str) -> str:
    return say("messages_none_of", user=user)


# Messages as text and as data.


MAX_MESSAGE_CHARS = 200
"""Characters of a message that are printed."""


def messages_report_lines(report: MessagesReport, language: LanguageCode) -> list[str]:
    """What an import kept, and a line for each sort of thing it did not."""
    known = report.found - report.added
    facts = {"count": report.added, "known": known or None, "total": report.total}
    told = message("messages_imported", language, user=report.user, **facts)
    return [told, *note_lines(report.notes, language)]


def message_lines(messages: Iterable[Message]) -> list[str]:
    """One line a message: its id, when, who, what."""
    return [f"{encode_text(m.id, 64)}  {_message_line(_when(m), m.role, m.content)}" for m in messages]


def message_data(messages: Iterable[Message]) -> list[Mapping[str, Any]]:
    """The same as data."""
    return [{**plain_data(m), "at": _when(m)} for m in messages]


def candidate_lines(candidates: Sequence[Candidate], language: LanguageCode) -> list[str]:
    """One line a message that was found, best first; one that no longer holds says what took its place."""
    out: list[str] = []
    for number, candidate in enumerate(candidates, 1):
        data = _candidate_fields(candidate)
        line = f"{number:2d}  {_message_line(data['at'], data['speaker'], data['text'])}"
        newer = data.get("superseded_by")
        out.append(f"{line}  {message('messages_superseded', language, id=newer)}" if newer else line)
    return out


def candidate_data(candidates: Sequence[Candidate]) -> list[Mapping[str, Any]]:
    """The same as data."""
    return [{"id": c.ref.id, "score": c.score, **_candidate_fields(c)} for c in candidates]


def _message_line(at: str, role: str, text: str) -> str:
    """When, to the minute (dashes where nobody knows), who and what."""
    when = at[:16].replace("T", " ") or "-" * 16
    return f"{when}  {encode_text(role)}: {encode_text(text, MAX_MESSAGE_CHARS)}"


def _candidate_fields(candidate: Candidate) -> Mapping[str, Any]:
    data = candidate.data if isinstance(candidate.data, Mapping) else {"text": candidate.data}
    return {"text": "", "speaker": "", "at": "", **data}


def _when(message: Message) -> str:
    return message.at.isoformat() if message.at else ""


# Searched with the same source as a turn.


def search_messages(settings: Settings, user: str, query: str, limit: int) -> Shortlist:
    """The messages that answer the question best.

    Raises ConfigError, StoreError, and WinnowError where histories are switched off.
    """
    from winnow.app.wiring.engine import open_builtin_embedder, open_store
    from winnow.app.wiring.history import open_history
    from winnow.retrieve.history import HISTORY

    sources = open_history(None, settings, open_store(settings).storage, open_builtin_embedder)
    if HISTORY.name not in sources:
        raise WinnowError(
            "Earlier messages are not searched: history.yaml says enabled: false.",
            hint="Set enabled: true in it, under vector_search.",
        )
    now = datetime.now()  # noqa: DTZ005 - a wall clock has no zone
    source, scope = sources[HISTORY.name], Scope(settings.tenant, user=user)
    return run_blocking(source(Search(query, now), scope, limit), waits=getattr(source, "waits", True))


def last_messages(
    settings: Settings, user: str, limit: int, ids: Collection[str] | None = None
) -> list[Message]:
    """The last messages, oldest first, or those of the ids. Raises ConfigError, StoreError."""
    from winnow.app.wiring.engine import open_store
    from winnow.app.wiring.history import history_settings, open_messages
    from winnow.retrieve.history.ingest import all_messages
    from winnow.types.message import HistorySettings

    history = history_settings(None, settings) or HistorySettings()
    messages = open_messages(history, open_store(settings).storage)
    scope = Scope(settings.tenant, user=user)

    async def collect_messages() -> deque[Message]:
        wanted = (m async for m in all_messages(messages, scope) if not ids or m.id in ids)
        latest: deque[Message] = deque(maxlen=limit)
        async for found in wanted:
            latest.append(found)
        return latest

    return list(run_blocking(collect_messages()))
