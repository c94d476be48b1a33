"""``winnow feedback`` and ``winnow metrics``: feedback on retrievals, and what was counted of turns."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.app.cli.options import JsonOption, command_group, message_language, say, show, show_data
from winnow.app.config.settings import load_settings
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

if TYPE_CHECKING:
    from winnow.types.feedback import Feedback

commands = typer.Typer(
    rich_markup_mode=None, help="What people say of what they were given. Without a command, it is listed."
)
metrics_commands = command_group()


class Kind(StrEnum):
    """What is said."""

    USEFUL = "useful"
    NOT_USEFUL = "not_useful"
    MISSING = "missing"
    WRONG = "wrong"


UserOption = Annotated[str, typer.Option("--user", help="Who says so.", show_default=False)]
OfOption = Annotated[
    str, typer.Option("--of", help="Id of the retrieval. Default: the last one that was counted.")
]
RefOption = Annotated[
    str, typer.Option("--ref", help="What is meant: passage:ID, fact:ID, message:ID. Default: all of it.")
]


@commands.callback(invoke_without_command=True, epilog="Example: winnow feedback --user ida")
def list_(context: typer.Context, user: UserOption = "", as_json: JsonOption = False) -> None:
    """List what a person said of what they were given; without a name, all persons'.

    With --json, one line each for training/knowledge/tune.py.
    """
    # The framework calls the group before each of its commands.
    if context.invoked_subcommand is not None:
        return
    from winnow.app.wiring.engine import open_store

    settings = load_settings()
    given = run_blocking(open_store(settings).storage.feedback.feedback(Scope(settings.tenant, user=user)))
    if as_json:
        for one in given:
            show_data("feedback", one.data())
    else:
        show([_feedback_line(one) for one in given], otherwise=say("feedback_none"))


@commands.command("give", epilog="Example: winnow feedback give useful --ref passage:3f2a --user ida")
def give(
    judged: Annotated[Kind, typer.Argument(help="What is said of it.", show_default=False)],
    user: UserOption,
    of: OfOption = "",
    ref: RefOption = "",
    note: Annotated[str, typer.Option("--note", help="Why, in a person's own words.")] = "",
) -> None:
    """Say that something was useful, not useful, missing or wrong.

    It is kept, and changes nothing by itself.
    """
    from winnow.app.wiring.engine import open_engine

    given = open_engine().sync.feedback(of, judged.value, ref or None, note, user)
    print(say("feedback_kept", id=given.id))


@commands.command("forget", epilog="Example: winnow feedback forget --all --user ida")
def forget(
    user: UserOption,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[IDS]", help="Ids of feedback.", show_default=False)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of the person's.")] = False,
) -> None:
    """Delete what a person said, and with --all the accounts of their turns."""
    from winnow.app.wiring.engine import open_store

    if bool(ids) == everything:
        raise typer.BadParameter(say("messages_ids_or_all"), param_hint="IDS, --all")
    settings = load_settings()
    scope, storage = Scope(settings.tenant, user=user), open_store(settings).storage
    gone = run_blocking(storage.feedback.forget(scope, ids))
    if everything:
        gone += run_blocking(storage.counts.forget(scope))
    print(say("feedback_forgotten", count=gone))


@metrics_commands.command("metrics", epilog="Example: winnow metrics --prometheus")
def metrics(
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="In the text format of Prometheus, with those of vectors.")
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete what was counted.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what was counted of turns: time, tokens, how much of the context bore on the question.

    Counted is only where the setting metrics is true; winnow explain shows the figures of one turn.
    """
    from winnow.app import metrics as caches
    from winnow.app import metrics as figures
    from winnow.app.cli import audit
    from winnow.app.wiring.engine import open_store
    from winnow.ports.services import run_blocking

    settings = load_settings()
    counts = open_store(settings).storage.counts
    if forget:
        print(say("feedback_forgotten", count=run_blocking(counts.forget(settings.scope))))
        return
    totals = run_blocking(counts.totals(settings.scope))
    if prometheus:
        print(
            figures.turn_prometheus(totals)
            + caches.tenant_cache_metrics(settings)
            + audit.tenant_audit_metrics(settings),
            end="",
        )
    elif as_json:
        show_data("metrics", {"metrics": totals})
    else:
        nothing = say("metrics_none" if settings.metrics else "metrics_off")
        show(list(figures.total_lines(totals, message_language())), otherwise=nothing)


def _feedback_line(one: Feedback) -> str:
    """``3f2a91 ida: not_useful passage:p1 (where is the key?) too old``."""
    from winnow.language.encode import encode_text

    ref = f" {one.ref.kind}:{encode_text(one.ref.id)}" if one.ref else ""
    asked = f" ({encode_text(one.account.query, 80)})" if one.account else ""
    note = f" {encode_text(one.note, 120)}" if one.note else ""
    return f"{encode_text(one.id)} {encode_text(one.user)}: {one.judged}{ref}{asked}{note}"
