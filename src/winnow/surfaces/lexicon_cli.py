"""``winnow lexicon``: words that a home learned from corrections."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.ports import Storage
from winnow.remember.lexicon import marked, suggested
from winnow.say.messages import message
from winnow.say.telling import placed_name
from winnow.types.catalog import Home
from winnow.types.dialogue import Language
from winnow.types.lesson import LexiconEntry, Status
from winnow.types.view import HomeView


def suggest(store: Storage, home: Home, language: Language, *, learning: bool) -> list[str]:
    """What the lessons suggest, numbered; numbers stay the same once given. Raises StoreError."""
    known = store.lexicon.entries(home.id)
    entries = suggested(store.lexicon.lessons(home.id), known, home)
    if entries != known:
        store.lexicon.save_entries(home.id, entries)
    open_ones = [e for e in entries if e.status == "suggested"]
    if open_ones:
        return rows(open_ones, home, language)
    return [message("lexicon_none" if learning else "lexicon_off", language)]


def judge(store: Storage, home: Home, number: int, status: Status, language: Language) -> str:
    """Accept or reject one word; what was done, as a sentence. Raises NoSuchWord, StoreError."""
    entries = marked(store.lexicon.entries(home.id), number, status, home.id)
    store.lexicon.save_entries(home.id, entries)
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
