"""``winnow lexicon``: words a home learned from corrections, and those it was taught."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from winnow.config import load_settings
from winnow.surfaces.cli.options import HomeOption, JsonOption, group, say, show, show_data, spoken
from winnow.types.lesson import Status

commands = group(help="Words of a home: teach names, look, accept or reject what corrections suggest.")

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


@commands.command("add", epilog='Example: winnow lexicon add Bert "the reading lamp"')
def add(
    word: Annotated[str, typer.Argument(metavar="WORD", help="The name.", show_default=False)],
    thing: Annotated[
        str, typer.Argument(metavar="THING", help="Its id, name, or words that mean it.", show_default=False)
    ],
    home: HomeOption = "",
) -> None:
    """Give a thing of the home a name of your own: from now on it is understood.

    A word that means something already is refused. A lock by another name still asks for its yes.
    """
    from winnow.surfaces.lexicon import add as taught
    from winnow.wiring import find_home, open_engine

    settings = load_settings()
    scope = settings.scope.at(find_home(settings, home).id)
    print(taught(open_engine(), scope, word, thing, spoken()))


@commands.command("remove", epilog="Example: winnow lexicon remove Bert")
def remove(
    word: Annotated[str, typer.Argument(metavar="WORD", help="The name.", show_default=False)],
    home: HomeOption = "",
) -> None:
    """Forget a name that was taught."""
    from winnow.surfaces.lexicon import remove as forgotten
    from winnow.wiring import find_home, open_engine

    settings = load_settings()
    scope = settings.scope.at(find_home(settings, home).id)
    print(forgotten(open_engine(), scope, word, spoken()))


@commands.command("export", epilog="Example: winnow lexicon export > words.json")
def export(home: HomeOption = "") -> None:
    """Print the accepted words of a home as JSON, for another home or a safe place."""
    from winnow.surfaces.lexicon import export as words_of
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    print(words_of(settings.scope, open_store(settings).storage.lexicon, find_home(settings, home)))


@commands.command("import", epilog="Example: winnow lexicon import words.json")
def import_(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="What export printed.", show_default=False)],
    home: HomeOption = "",
) -> None:
    """Take in the words of an exported file.

    A thing is found by its id, else by its name; words of things that are not here are left out.
    """
    from winnow.surfaces.lexicon import take
    from winnow.wiring import find_home, open_store

    settings = load_settings()
    words, found = open_store(settings).storage.lexicon, find_home(settings, home)
    print(take(settings.scope, words, found, path, spoken()))


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
