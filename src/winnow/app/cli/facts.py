"""``winnow facts``: the facts of a person with their lineage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.app.cli.options import JsonOption, confirm_deletion, message_language, say, show, show_data
from winnow.app.config.settings import load_settings
from winnow.app.output import plain_data
from winnow.language.encode import encode_text
from winnow.language.messages import message, translate_text
from winnow.types.fact import Fact
from winnow.types.utterance import LanguageCode

if TYPE_CHECKING:
    from winnow.retrieve.facts.source import FactExtractor
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
    # The framework calls the group before each of its commands.
    if context.invoked_subcommand is None:
        from winnow.ports.services import run_blocking

        keeper, scope = _keeper(user)
        facts = run_blocking(keeper.facts.facts(scope))

        if as_json:
            show_data("facts", fact_data(facts))
        else:
            show(fact_lines(facts, message_language()), otherwise=say("facts_none"))


@commands.command("add", epilog="Example: winnow facts add I live in Porto --user ida")
def add(text: Words, user: UserOption, as_json: JsonOption = False) -> None:
    """Keep a statement as the person's own. What it replaces stays, marked."""
    from winnow.ports.services import run_blocking

    keeper, scope = _keeper(user)
    _show_changes(run_blocking(keeper.add(scope, " ".join(text), keeper.now())), as_json)


@commands.command(
    "correct", epilog="Example: winnow facts correct f-0123456789ab I live in Lisbon --user ida"
)
def correct(id_: FactId, text: Words, user: UserOption, as_json: JsonOption = False) -> None:
    """Put another statement in the place of a fact; it wins."""
    from winnow.ports.services import run_blocking

    keeper, scope = _keeper(user)
    _show_changes(run_blocking(keeper.correct(scope, id_, " ".join(text), keeper.now())), as_json)


@commands.command("read", epilog="Example: winnow facts read --user ida")
def read(user: UserOption, as_json: JsonOption = False) -> None:
    """Read the stored messages and notes of a person for facts; what was read before changes nothing."""
    from winnow.app.wiring.engine import open_store
    from winnow.ports.services import run_blocking
    from winnow.retrieve.facts.source import stored_texts

    keeper, scope = _keeper(user)
    told = run_blocking(stored_texts(open_store(load_settings()).storage, scope))
    _show_changes(run_blocking(keeper.extract_all(scope, told)), as_json)


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
    from winnow.ports.services import run_blocking

    if bool(ids) == everything:
        raise typer.BadParameter(say("messages_ids_or_all"), param_hint="IDS, --all")
    keeper, scope = _keeper(user)
    there = len(ids) if ids else len(run_blocking(keeper.facts.facts(scope)))
    if there and not (yes or confirm_deletion(say("facts_sure", count=there, user=user))):
        return
    print(say("facts_forgotten", count=run_blocking(keeper.facts.forget(scope, ids)), user=user))


def _keeper(user: str) -> tuple[FactExtractor, Scope]:
    """What keeps facts, and whose."""
    from winnow.app.wiring.documents import open_fact_extractor
    from winnow.app.wiring.engine import open_builtin_embedder, open_store
    from winnow.types.scope import Scope

    settings = load_settings()
    storage = open_store(settings).storage
    return open_fact_extractor(storage, open_builtin_embedder()), Scope(settings.tenant, user=user)


def _show_changes(changed: Sequence[Fact], as_json: bool) -> None:
    """What was kept, and what it took the place of."""
    if as_json:
        show_data("facts", fact_data(changed))
    else:
        show(changed_lines(changed, message_language()), otherwise=say("facts_known"))


# Facts as text and as data, each with what it replaced.


MAX_FACT_CHARS = 200
"""Characters of a fact that are printed."""


def fact_lines(facts: Sequence[Fact], language: LanguageCode) -> list[str]:
    """One line a fact; before each, indented, those it replaced, oldest first, and why."""
    from winnow.retrieve.facts.merge import fact_lineages

    return [_line(fact, language) for history in fact_lineages(facts) for fact in history]


def changed_lines(facts: Sequence[Fact], language: LanguageCode) -> list[str]:
    """What was kept, one line a fact; below each, indented, what it took the place of, and by which rule."""
    from winnow.retrieve.facts.merge import fact_lineages

    lines = []
    for *replaced, current in fact_lineages(facts):
        lines.append(_line(current, language))
        for old in reversed(replaced):
            about = {"id": encode_text(old.id, 64), "text": encode_text(old.text, MAX_FACT_CHARS)}
            why = translate_text(old.reason, language)
            lines.append(f"  {message('facts_replaces', language, **about, reason=why)}")
    return lines


def fact_data(facts: Sequence[Fact]) -> list[Mapping[str, Any]]:
    """The same as data, in the order they came; ``replaces``: what each took the place of, and why."""
    return [
        {
            **plain_data(fact),
            "at": fact.at.isoformat() if fact.at else "",
            "replaces": [
                {"id": old.id, "text": old.text, "reason": old.reason}
                for old in facts
                if old.replaced_by == fact.id
            ],
        }
        for fact in facts
    ]


def _line(fact: Fact, language: LanguageCode) -> str:
    """Its id, when, its text, and how it stands where it does not simply hold."""
    indent = "  " if fact.status == "superseded" else ""
    at = fact.at.isoformat(" ", "minutes") if fact.at else "-" * 16
    line = f"{indent}{encode_text(fact.id, 64)}  {at}  {encode_text(fact.text, MAX_FACT_CHARS)}"
    why = translate_text(fact.reason, language)
    if fact.status == "superseded":
        return f"{line}  ({message('facts_replaced', language, id=fact.replaced_by, reason=why)})"
    if fact.status == "uncertain":
        return f"{line}  ({message('facts_uncertain', language, reason=why)})"
    return line
