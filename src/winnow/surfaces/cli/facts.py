"""``winnow facts``: what is held to be true for a person, with its lineage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.config import load_settings
from winnow.surfaces.cli.options import JsonOption, confirm_deletion, say, show, show_data, spoken

if TYPE_CHECKING:
    from winnow.sources.facts import Keeper
    from winnow.types.fact import Fact
    from winnow.types.scope import Scope

commands = typer.Typer(
    rich_markup_mode=None,
    help="What is held to be true for a person: look with lineage, add, correct, forget.",
)

UserOption = Annotated[str, typer.Option("--user", help="Whose facts.", show_default=False)]
Words = Annotated[
    list[str],
    typer.Argument(metavar="TEXT", help="What holds; it needs no quotes.", show_default=False),
]
FactId = Annotated[str, typer.Argument(metavar="ID", help="Id of a fact.", show_default=False)]
FactIds = Annotated[
    list[str] | None, typer.Argument(metavar="[IDS]", help="Ids of facts.", show_default=False)
]


@commands.callback(invoke_without_command=True, epilog="Example: winnow facts --user ida")
def list_(context: typer.Context, user: UserOption = "", as_json: JsonOption = False) -> None:
    """Show what is held to be true for a person, each fact after those it replaced."""
    if context.invoked_subcommand is None:
        from winnow.bridge import blocking

        keeper, scope = _keeper(user)
        facts = blocking(keeper.facts.facts(scope))
        from winnow.surfaces.facts import fact_data, fact_lines

        if as_json:
            show_data(fact_data(facts))
        else:
            show(fact_lines(facts, spoken()), otherwise=say("facts_none"))


@commands.command("add", epilog="Example: winnow facts add I live in Porto --user ida")
def add(text: Words, user: UserOption, as_json: JsonOption = False) -> None:
    """Keep a statement as the person's own. What it replaces stays, marked."""
    from winnow.bridge import blocking

    keeper, scope = _keeper(user)
    _answered(blocking(keeper.add(scope, " ".join(text), keeper.now())), as_json)


@commands.command(
    "correct", epilog="Example: winnow facts correct f-0123456789ab I live in Lisbon --user ida"
)
def correct(id_: FactId, text: Words, user: UserOption, as_json: JsonOption = False) -> None:
    """Put another statement in the place of a fact; it wins."""
    from winnow.bridge import blocking

    keeper, scope = _keeper(user)
    _answered(blocking(keeper.correct(scope, id_, " ".join(text), keeper.now())), as_json)


@commands.command("read", epilog="Example: winnow facts read --user ida")
def read(user: UserOption, as_json: JsonOption = False) -> None:
    """Read the stored messages and notes of a person for facts; what was read before changes nothing."""
    from winnow.bridge import blocking
    from winnow.sources.facts import told_by
    from winnow.wiring import open_store

    keeper, scope = _keeper(user)
    told = blocking(told_by(open_store(load_settings()).storage, scope))
    _answered(blocking(keeper.read(scope, told)), as_json)


@commands.command("forget", epilog="Example: winnow facts forget f-0123456789ab --user ida")
def forget(
    user: UserOption,
    ids: FactIds = None,
    everything: Annotated[bool, typer.Option("--all", help="All facts of the person.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete facts of one person. Nobody can bring them back.

    On a terminal a yes is asked first; elsewhere --yes must say it.
    """
    from winnow.bridge import blocking

    if bool(ids) == everything:
        raise typer.BadParameter(say("messages_ids_or_all"), param_hint="IDS, --all")
    keeper, scope = _keeper(user)
    there = len(ids) if ids else len(blocking(keeper.facts.facts(scope)))
    if there and not (yes or confirm_deletion(say("facts_sure", count=there, user=user))):
        return
    print(say("facts_forgotten", count=blocking(keeper.forget(scope, ids)), user=user))


def _keeper(user: str) -> tuple[Keeper, Scope]:
    """What keeps facts, and whose."""
    from winnow.knowledges import open_keeper
    from winnow.types.scope import Scope
    from winnow.wiring import open_store, open_table

    settings = load_settings()
    storage = open_store(settings).storage
    return open_keeper(storage, open_table()), Scope(settings.tenant, user=user)


def _answered(changed: Sequence[Fact], as_json: bool) -> None:
    """What was kept, and what it took the place of."""
    from winnow.surfaces.facts import changed_lines, fact_data

    if as_json:
        show_data(fact_data(changed))
    else:
        show(changed_lines(changed, spoken()), otherwise=say("facts_known"))
