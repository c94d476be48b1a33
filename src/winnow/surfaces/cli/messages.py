"""``winnow messages``: what persons said in earlier talks, imported, searched and forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from winnow.config import load_settings
from winnow.surfaces.cli.backfill import backfill
from winnow.surfaces.cli.options import JsonOption, confirm_deletion, group, say, show, show_data, spoken
from winnow.surfaces.cli.precompute import precompute
from winnow.surfaces.cli.worker import worker

if TYPE_CHECKING:
    from winnow.config import Settings

commands = group(help="What persons said in earlier talks: import, search, look, forget.")

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
    from winnow.bridge import blocking
    from winnow.remember.messages import import_messages
    from winnow.surfaces.cli.progress import shown
    from winnow.surfaces.messages import report_lines
    from winnow.text.clocks import Clocks
    from winnow.types.scope import Scope
    from winnow.wiring import open_store

    settings = load_settings()
    scope, store = Scope(settings.tenant, user=user), open_store(settings)
    with shown() as progress:
        report = blocking(import_messages(scope, path, store.storage.messages, Clocks(timezone), progress))
    if as_json:
        show_data(report)
    else:
        show([*report_lines(report, spoken()), *_unsearched(settings)])


@commands.command("search", epilog="Example: winnow messages search where did I move to --user ida")
def search(query: QueryWords, user: UserOption, limit: Limit = 10, as_json: JsonOption = False) -> None:
    """Find the messages of one person that answer a question, best first; nothing is sent anywhere.

    Searched is what a turn would search: the host's own table where history.yaml names one, else the store.
    """
    from winnow.surfaces.messages import found_data, found_lines
    from winnow.surfaces.recalling import found

    shortlist = found(load_settings(), user, " ".join(query), limit)
    if as_json:
        show_data({"messages": found_data(shortlist.candidates), "steps": shortlist.steps})
    else:
        show(found_lines(shortlist.candidates, spoken()), otherwise=_nothing(user))


@commands.command("show", epilog="Example: winnow messages show --user ida --limit 50")
def show_(
    ids: MessageIds = None, user: UserOption = "", limit: Limit = 20, as_json: JsonOption = False
) -> None:
    """Show the last messages of one person, or those of the ids."""
    from winnow.surfaces.messages import message_data, message_lines
    from winnow.surfaces.recalling import last

    messages = last(load_settings(), user, limit, ids)
    if as_json:
        show_data(message_data(messages))
    else:
        show(message_lines(messages), otherwise=_nothing(user))


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
    from winnow.bridge import blocking
    from winnow.remember.messages import forget_messages
    from winnow.types.scope import Scope
    from winnow.wiring import open_store

    if bool(ids) == everything:
        raise typer.BadParameter(say("messages_ids_or_all"), param_hint="IDS, --all")
    settings, storage = load_settings(), open_store(load_settings()).storage
    scope = Scope(settings.tenant, user=user)
    there = len(ids) if ids else blocking(storage.messages.stamp(scope)).count
    if there and not (yes or confirm_deletion(say("messages_sure", count=there, user=user))):
        return
    gone = blocking(forget_messages(scope, storage, ids))
    print(say("messages_forgotten", count=gone, user=user) if gone else _nothing(user))


@commands.command("users", epilog="Example: winnow messages users")
def users(as_json: JsonOption = False) -> None:
    """List the persons whose messages the store keeps, and how many there are of each."""
    from winnow.bridge import blocking
    from winnow.text.encode import encode
    from winnow.wiring import open_store

    settings = load_settings()
    known = blocking(open_store(settings).storage.messages.users(settings.scope))
    if as_json:
        show_data(known)
    else:
        show(
            [f"{count:8d}  {encode(user, 64)}" for user, count in known.items()],
            otherwise=say("messages_none"),
        )


commands.command("worker", epilog="Example: winnow messages worker --every 60")(worker)
commands.command("precompute", epilog="Example: winnow messages precompute --all --dry-run")(precompute)
commands.command("backfill", epilog="Example: winnow messages backfill --scheduler tcp://10.0.0.5:8786")(
    backfill
)


def _unsearched(settings: Settings) -> list[str]:
    """Where the store's messages are not what is searched: that they are not."""
    from winnow.histories import history_settings

    history = history_settings(None, settings)
    return [say("messages_elsewhere")] if history is not None and history.host is not None else []


def _nothing(user: str) -> str:
    return say("messages_none_of", user=user)
