"""``winnow lexicon``: words that a home learned from corrections, and those it was taught."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from winnow.bridge import blocking
from winnow.errors import Phrase, WinnowError
from winnow.ports import Lexicon
from winnow.say.messages import message
from winnow.say.telling import placed_name
from winnow.types.catalog import Home
from winnow.types.dialogue import Language
from winnow.types.lesson import LexiconEntry, Status
from winnow.types.scope import Scope
from winnow.types.view import HomeView

if TYPE_CHECKING:
    from winnow.engine import Engine


def suggest(scope: Scope, words: Lexicon, home: Home) -> list[LexiconEntry]:
    """What the lessons suggest, numbered; numbers stay the same once given. Raises StoreError."""
    from winnow.remember.lexicon import suggested

    here = scope.at(home.id)
    known = blocking(words.entries(here))
    entries = suggested(blocking(words.lessons(here)), known, home)
    if entries != known:
        blocking(words.save_entries(here, entries))
    return [entry for entry in entries if entry.status == "suggested"]


def judge(scope: Scope, words: Lexicon, home: Home, number: int, status: Status, language: Language) -> str:
    """Accept or reject one word; what was done, as a sentence. Raises NoSuchWord, StoreError."""
    from winnow.remember.lexicon import marked

    here = scope.at(home.id)
    entries = marked(blocking(words.entries(here)), number, status, home.id)
    blocking(words.save_entries(here, entries))
    entry = next(e for e in entries if e.number == number)
    return f"{message(f'lexicon_{status}', language)} {_meaning(entry, HomeView.of(home), language)}"


def add(engine: Engine, scope: Scope, word: str, thing: str, language: Language) -> str:
    """Let a word be a name of a thing; what was learned. Raises NotAName, HomeNotFound, StoreError."""
    entry = blocking(engine.teaching.add(scope, word, thing))
    view = engine.sync.opened(scope.home).view
    return f"{message('lexicon_accepted', language)} {_meaning(entry, view, language)}"


def remove(engine: Engine, scope: Scope, word: str, language: Language) -> str:
    """Forget a taught word. Raises NoSuchWord, HomeNotFound, StoreError."""
    blocking(engine.teaching.remove(scope, word))
    return message("lexicon_removed", language, word=word)


def export(scope: Scope, words: Lexicon, home: Home) -> str:
    """The accepted words as JSON. Raises StoreError."""
    from winnow.remember.teaching import exported

    entries = blocking(words.entries(scope.at(home.id)))
    return json.dumps(exported(entries, home), ensure_ascii=False, indent=2)


def take(scope: Scope, words: Lexicon, home: Home, path: Path, language: Language) -> str:
    """Take in the words of an exported file; what was taken and what was not.

    Raises WinnowError where the file is no such file, StoreError.
    """
    from winnow.remember.teaching import FILE, imported

    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FILE:
        why = Phrase("{path} holds no exported words.", path=path)
        raise WinnowError(why, hint="winnow lexicon export writes such a file.")
    here = scope.at(home.id)
    before = blocking(words.entries(here))
    after, left = imported(before, data, home)
    blocking(words.save_entries(here, after))
    count = len(after) - len(before)
    return message("lexicon_imported", language, count=count, left=list(left) or None)


def rows(entries: Sequence[LexiconEntry], home: Home, language: Language) -> list[str]:
    """One line a word: number, status, what it means, how often it was seen."""
    view = HomeView.of(home)
    return [
        f"{e.number:3d}  {e.status:<9}  {_meaning(e, view, language)}  "
        f"{message('lexicon_evidence', language, count=e.count, against=e.against or None)}"
        for e in entries
    ]


def _meaning(entry: LexiconEntry, view: HomeView, language: Language) -> str:
    target = placed_name(entry.target, view, language) if entry.kind == "alias" else entry.target
    return message(f"lexicon_{entry.kind}", language, surface=entry.surface, target=target)
