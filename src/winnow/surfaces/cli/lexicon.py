"""``winnow lexicon``: words a home learned from corrections."""

from __future__ import annotations

from typing import Annotated

import typer

from winnow.config import load_settings
from winnow.surfaces.cli.options import HomeOption, JsonOption, group, say, show, show_data, spoken
from winnow.types.lesson import Status

commands = group(help="Words a home learned from corrections: look, accept, reject.")

WordNumber = Annotated[int, typer.Argument(metavar="N", help="Number of the word.", show_default=False)]


@commands.command("suggest", epilog="Example: winnow lexicon suggest")
def suggest(home: HomeOption = "", as_json: JsonOption = False) -> None:
    """Show which names and words the corrections of earlier talks suggest, with how often each was seen."""
    from winnow.surfaces.lexicon import rows
    from winnow.surfaces.lexicon import suggest as suggestions
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    words, found = open_store(settings).storage.lexicon, find_home(settings, home)
    entries = suggestions(settings.scope, words, found)
    if as_json:
        show_data(entries)
    else:
        nothing = say("lexicon_none" if settings.learn else "lexicon_off")
        show(rows(entries, found, spoken()), otherwise=nothing)


@commands.command("list", epilog="Example: winnow lexicon list")
def list_(home: HomeOption = "", as_json: JsonOption = False) -> None:
    """List all words of a home: suggested, accepted and rejected."""
    from winnow.bridge import blocking
    from winnow.surfaces.lexicon import rows
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    found = find_home(settings, home)
    entries = blocking(open_store(settings).storage.lexicon.entries(settings.scope.at(found.id)))
    if as_json:
        show_data(entries)
    else:
        show(rows(entries, found, spoken()), otherwise=say("lexicon_none"))


@commands.command("accept", epilog="Example: winnow lexicon accept 1")
def accept(number: WordNumber, home: HomeOption = "") -> None:
    """Take a word into the home's lexicon: from now on it is understood."""
    _judge(number, "accepted", home)


@commands.command("reject", epilog="Example: winnow lexicon reject 1")
def reject(number: WordNumber, home: HomeOption = "") -> None:
    """Turn a word down, or take an accepted one back; it is not suggested again."""
    _judge(number, "rejected", home)


def _judge(number: int, status: Status, home: str) -> None:
    from winnow.surfaces.lexicon import judge
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    words, found = open_store(settings).storage.lexicon, find_home(settings, home)
    print(judge(settings.scope, words, found, number, status, spoken()))
