"""``winnow`` and all its commands."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from winnow import __version__
from winnow.errors import WinnowError
from winnow.surfaces.cli import ask, chat, demo, doctor, evaluate, home, lexicon, turn
from winnow.surfaces.cli.options import Tongue, say, wish_language


class Guarded(TyperGroup):
    """Commands whose errors become a sentence, a hint and exit code 2, never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except WinnowError as error:
            print(f"{say('cli_error')}: {error}", file=sys.stderr)
            if error.hint:
                print(f"{say('cli_hint')}: {error.hint}", file=sys.stderr)
            raise typer.Exit(2) from None


app = typer.Typer(
    name="winnow",
    cls=Guarded,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Finds the smallest sufficient context for an agent: which devices a sentence means, "
    "and what may be done.",
    epilog="Example: winnow home import example:cottage && winnow ask turn off all lights except the crane",
)
for commands in (ask, turn, chat, demo, doctor, evaluate):
    app.add_typer(commands.commands)
app.add_typer(home.commands, name="home")
app.add_typer(lexicon.commands, name="lexicon")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"winnow {__version__}")
        raise typer.Exit


@app.callback()
def options(
    language: Annotated[
        Tongue | None,
        typer.Option("--language", help="Language of messages. Default: the setting, else that of LANG."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Options before the command."""
    wish_language(language.value if language else None)


def main() -> None:
    """The entry point of the ``winnow`` script and of ``python -m winnow``."""
    app(prog_name="winnow")
