"""``winnow lexicon``: names and words of a home, taught or learned from corrections."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.app.cli.options import (
    HomeOption,
    JsonOption,
    command_group,
    message_language,
    say,
    show,
    show_data,
)
from winnow.app.config.settings import load_settings
from winnow.errors import Phrase, WinnowError
from winnow.language.messages import message
from winnow.language.naming import placed_name
from winnow.ports.services import run_blocking
from winnow.ports.stores import Lexicon
from winnow.types.home import Home, HomeView, LexiconEntry, WordStatus
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode

if TYPE_CHECKING:
    from winnow.engine.engine import Engine

commands = command_group(
    help="Words of a home: teach names, look, accept or reject what corrections suggest."
)

WordNumber = Annotated[int, typer.Argument(metavar="N", help="Number of the word.", show_default=False)]


@commands.command("suggest", epilog="Example: winnow lexicon suggest")
def suggest(home: HomeOption = "", as_json: JsonOption = False) -> None:
    """Show which names and words the corrections of earlier talks suggest, with how often each was seen."""
    from winnow.app.wiring.engine import find_home, open_store

    settings = load_settings()
    words, found = open_store(settings).storage.lexicon, find_home(settings, home)
    entries = suggested_words(settings.scope, words, found)
    if as_json:
        show_data("words", entries)
    else:
        nothing = say("lexicon_none" if settings.learn else "lexicon_off")
        show(lexicon_rows(entries, found, message_language()), otherwise=nothing)


@commands.command("list", epilog="Example: winnow lexicon list")
def list_(home: HomeOption = "", as_json: JsonOption = False) -> None:
    """List all words of a home: suggested, accepted and rejected."""
    from winnow.app.wiring.engine import find_home, open_store
    from winnow.ports.services import run_blocking

    settings = load_settings()
    found = find_home(settings, home)
    entries = run_blocking(open_store(settings).storage.lexicon.entries(settings.scope.at(found.id)))
    if as_json:
        show_data("words", entries)
    else:
        show(lexicon_rows(entries, found, message_language()), otherwise=say("lexicon_none"))


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
    from winnow.app.wiring.engine import find_home, open_engine

    settings = load_settings()
    scope = settings.scope.at(find_home(settings, home).id)
    print(teach_word(open_engine(), scope, word, thing, message_language()))


@commands.command("remove", epilog="Example: winnow lexicon remove Bert")
def remove(
    word: Annotated[str, typer.Argument(metavar="WORD", help="The name.", show_default=False)],
    home: HomeOption = "",
) -> None:
    """Forget a name that was taught."""
    from winnow.app.wiring.engine import find_home, open_engine

    settings = load_settings()
    scope = settings.scope.at(find_home(settings, home).id)
    print(forget_word(open_engine(), scope, word, message_language()))


@commands.command("export", epilog="Example: winnow lexicon export > words.json")
def export(home: HomeOption = "") -> None:
    """Print the accepted words of a home as JSON, for another home or a safe place."""
    from winnow.app.wiring.engine import find_home, open_store

    settings = load_settings()
    print(words_json(settings.scope, open_store(settings).storage.lexicon, find_home(settings, home)))


@commands.command("import", epilog="Example: winnow lexicon import words.json")
def import_(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="What export printed.", show_default=False)],
    home: HomeOption = "",
) -> None:
    """Take in the words of an exported file.

    A thing is found by its id, else by its name; words of things that are not here are left out.
    """
    from winnow.app.wiring.engine import find_home, open_store

    settings = load_settings()
    words, found = open_store(settings).storage.lexicon, find_home(settings, home)
    print(import_words(settings.scope, words, found, path, message_language()))


@commands.command("accept", epilog="Example: winnow lexicon accept 1")
def accept(number: WordNumber, home: HomeOption = "") -> None:
    """Take a word into the home's lexicon: from now on it is understood."""
    _judge_number(number, "accepted", home)


@commands.command("reject", epilog="Example: winnow lexicon reject 1")
def reject(number: WordNumber, home: HomeOption = "") -> None:
    """Turn a word down, or take an accepted one back; it is not suggested again."""
    _judge_number(number, "rejected", home)


def _judge_number(number: int, status: WordStatus, home: str) -> None:
    from winnow.app.wiring.engine import find_home, open_store

    settings = load_settings()
    words, found = open_store(settings).storage.lexicon, find_home(settings, home)
    print(judge_word(settings.scope, words, found, number, status, message_language()))


# The lexicon operations behind the commands, and words as text.


def suggested_words(scope: Scope, words: Lexicon, home: Home) -> list[LexiconEntry]:
    """What the lessons suggest, numbered; numbers stay the same once given. Raises StoreError."""
    from winnow.engine.lexicon import suggest_words

    here = scope.at(home.id)
    known = run_blocking(words.entries(here))
    entries = suggest_words(run_blocking(words.lessons(here)), known, home)
    if entries != known:
        run_blocking(words.save_entries(here, entries))
    return [entry for entry in entries if entry.status == "suggested"]


def judge_word(
    scope: Scope, words: Lexicon, home: Home, number: int, status: WordStatus, language: LanguageCode
) -> str:
    """Accept or reject one word; what was done, as a sentence. Raises NoSuchWord, StoreError."""
    from winnow.engine.lexicon import mark_word

    here = scope.at(home.id)
    entries = mark_word(run_blocking(words.entries(here)), number, status, home.id)
    run_blocking(words.save_entries(here, entries))
    entry = next(e for e in entries if e.number == number)
    return f"{message(f'lexicon_{status}', language)} {_meaning(entry, HomeView.of(home), language)}"


def teach_word(engine: Engine, scope: Scope, word: str, thing: str, language: LanguageCode) -> str:
    """Let a word be a name of a thing; what was learned. Raises NotAName, HomeNotFound, StoreError."""
    entry = run_blocking(engine.teaching.add(scope, word, thing))
    view = engine.sync.load_home(scope.home).view
    return f"{message('lexicon_accepted', language)} {_meaning(entry, view, language)}"


def forget_word(engine: Engine, scope: Scope, word: str, language: LanguageCode) -> str:
    """Forget a taught word. Raises NoSuchWord, HomeNotFound, StoreError."""
    run_blocking(engine.teaching.remove(scope, word))
    return message("lexicon_removed", language, word=word)


def words_json(scope: Scope, words: Lexicon, home: Home) -> str:
    """The accepted words as JSON. Raises StoreError."""
    from winnow.engine.naming import export_words

    entries = run_blocking(words.entries(scope.at(home.id)))
    return json.dumps(export_words(entries, home), ensure_ascii=False, indent=2)


def import_words(scope: Scope, words: Lexicon, home: Home, path: Path, language: LanguageCode) -> str:
    """Take in the words of an exported file; what was taken and what was not.

    Raises WinnowError where the file is no such file, StoreError.
    """
    from winnow.engine.naming import LEXICON_FORMAT, import_words

    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        data = None
    if not isinstance(data, dict) or data.get("format") != LEXICON_FORMAT:
        why = Phrase("{path} holds no exported words.", path=path)
        raise WinnowError(why, hint="winnow lexicon export writes such a file.")
    here = scope.at(home.id)
    before = run_blocking(words.entries(here))
    after, left = import_words(before, data, home)
    run_blocking(words.save_entries(here, after))
    count = len(after) - len(before)
    return message("lexicon_imported", language, count=count, left=list(left) or None)


def lexicon_rows(entries: Sequence[LexiconEntry], home: Home, language: LanguageCode) -> list[str]:
    """One line a word: number, status, what it means, how often it was seen."""
    view = HomeView.of(home)
    return [
        f"{e.number:3d}  {e.status:<9}  {_meaning(e, view, language)}  "
        f"{message('lexicon_evidence', language, count=e.count, against=e.against or None)}"
        for e in entries
    ]


def _meaning(entry: LexiconEntry, view: HomeView, language: LanguageCode) -> str:
    target = placed_name(entry.target, view, language) if entry.kind == "alias" else entry.target
    return message(f"lexicon_{entry.kind}", language, surface=entry.surface, target=target)
