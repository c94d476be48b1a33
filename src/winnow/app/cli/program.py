"""The ``winnow`` program: all its commands and the entry point."""

from __future__ import annotations

import re
import sys
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from winnow import __version__
from winnow.app.cli import (
    act,
    advise,
    ask,
    audit,
    chat,
    compress,
    config,
    demo,
    doctor,
    evaluate,
    facts,
    feedback,
    home,
    keys,
    knowledge,
    lexicon,
    mcp,
    messages,
    persons,
    serve,
    show,
    store,
    turn,
)
from winnow.app.cli.options import LanguageOption, message_language, set_wished_language
from winnow.app.cli.terminal import HELP_OPTIONS, ReaderLeft, UsageError, run_guarded, translate_help
from winnow.types.utterance import LanguageCode

MIN_LIKENESS = 0.75
"""How alike two words are, 0 to 1, of which one may be the other misspelt."""


class GuardedGroup(TyperGroup):
    """All commands. A reader that left is told apart; the framework would end with the code of a failure."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for. Raises ReaderLeft."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderLeft from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was named. Raises UsageError, which names those that may be meant."""
        try:
            return super().resolve_command(ctx, args)
        except UsageError as error:
            if near := ", ".join(map(repr, nearest_commands(self, args[0].lower()))):
                error.message = f"{error.message} Did you mean {near}?"
            raise


def nearest_commands(group: TyperGroup, said: str) -> list[str]:
    """The commands, of its groups too, of which a word that is none may be one misspelt."""
    last_words = {name: name for name in group.commands}
    for name, command in group.commands.items():
        last_words |= {f"{name} {one}": one for one in getattr(command, "commands", ())}
    alike = get_close_matches(said, set(last_words.values()), 1, MIN_LIKENESS)
    return [path for path, last in last_words.items() if last in alike]


app = typer.Typer(
    name="winnow",
    cls=GuardedGroup,
    suggest_commands=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP_OPTIONS},
    help="Finds the smallest sufficient context for an agent: which devices a sentence means, "
    "and what may be done.",
    epilog="Example: winnow home import example:cottage && winnow ask turn off all lights except the crane",
)
for commands in (ask, act, turn, chat, compress, demo, advise, doctor, evaluate, persons, mcp, serve, show):
    app.add_typer(commands.commands)
app.add_typer(store.file_commands)
app.add_typer(feedback.metrics_commands)
app.add_typer(home.commands, name="home", epilog="Example: winnow home import example:cottage")
app.add_typer(lexicon.commands, name="lexicon", epilog="Example: winnow lexicon list")
app.add_typer(store.commands, name="store", epilog="Example: winnow store sql --partitions 16")
app.add_typer(
    messages.commands,
    name="messages",
    epilog="Example: winnow messages search where did I move to --user ida",
)
app.add_typer(feedback.commands, name="feedback", epilog="Example: winnow feedback --user ida")
app.add_typer(knowledge.commands, name="knowledge", epilog="Example: winnow knowledge add notes --user ida")
app.add_typer(facts.commands, name="facts", epilog="Example: winnow facts --user ida")
app.add_typer(audit.commands, name="audit", epilog="Example: winnow audit show --last 5")
app.add_typer(config.commands, name="config", epilog="Example: winnow config show")
app.add_typer(keys.commands, name="keys", epilog="Example: winnow keys list")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"winnow {__version__}")
        raise typer.Exit


@app.callback()
def options(
    language: Annotated[
        LanguageOption | None,
        typer.Option("--language", help="Language of messages. Default: the setting, else that of LANG."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Options before the command."""
    set_wished_language(language.value if language else None)


def main() -> None:
    """The entry point of the ``winnow`` script and of ``python -m winnow``."""
    # What ``--language`` says, known before all else: a wrong use is told in it too
    # Read before the framework parses: its own error messages are translated too.
    found = re.match(r"--language[ =](zh|en)\b", " ".join(sys.argv[1:][:2]))
    set_wished_language(LanguageOption(found[1]).value if found else None)
    command = _commands(message_language())
    sys.exit(run_guarded(lambda: command(prog_name="winnow", standalone_mode=False), sys.argv[1:]))


@cache
def _commands(language: LanguageCode) -> Any:
    """All commands with their help in that language, made once."""
    return translate_help(get_command(app), language)
