"""``winnow lexicon``: words that a home learned from corrections."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.bridge import blocking
from winnow.ports import Lexicon
from winnow.remember.lexicon import marked, suggested
from winnow.say.messages import message
from winnow.say.telling import placed_name
from winnow.types.catalog import Home
from winnow.types.dialogue import Language
from winnow.types.lesson import LexiconEntry, Status
from winnow.types.scope import Scope
from winnow.types.view import HomeView


def suggest(scope: Scope, words: Lexicon, home: Home) -> list[LexiconEntry]:
    """What the lessons suggest, numbered; numbers stay the same once given. Raises StoreError."""
    here = scope.at(home.id)
    known = blocking(words.entries(here))
    entries = suggested(blocking(words.lessons(here)), known, home)
    if entries != known:
        blocking(words.save_entries(here, entries))
    return [entry for entry in entries if entry.status == "suggested"]


def judge(scope: Scope, words: Lexicon, home: Home, number: int, status: Status, language: Language) -> str:
    """Accept or reject one word; what was done, as a sentence. Raises NoSuchWord, StoreError."""
    here = scope.at(home.id)
    entries = marked(blocking(words.entries(here)), number, status, home.id)
    blocking(words.save_entries(here, entries))
    entry = next(e for e in entries if e.number == number)
    return f"{message(f'lexicon_{status}', language)} {_meaning(entry, HomeView.of(home), language)}"


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
