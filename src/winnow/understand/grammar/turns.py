"""Turns of phrase in a sentence: words read only where a production asks for them.

They are passed over at no price of their own and stand for no other word, so that no other reading shifts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from winnow.language.gazetteer import Entry, Gazetteer, inside_words
from winnow.language.ways.read import TURNED, Way
from winnow.language.ways.turns import turns
from winnow.understand.grammar.rulebook import Rulebook
from winnow.understand.grammar.senses import Sense, before, sorts_of
from winnow.understand.grammar.ways import WAY, Spoken

_UNTOLD = -1.0


@cache
def _words(language: str) -> Gazetteer:
    return Gazetteer(Entry(t.text, t.symbol, {"ways": t.ways}) for t in turns(language))


def said_turns(text: str, book: Rulebook) -> Iterator[Spoken]:
    """The turns of phrase in a text, each as one reading of its span."""
    spoken = (at for at, ch in enumerate(text) if ch != " ")
    for here in _words(book.language).scan(text, spoken, inside_words(text)):
        for found in here:
            if found.entry.kind in book.ids:
                word = found.entry
                ways: tuple[Way, ...] = word.data["ways"]  # type: ignore[assignment]
                entry = _entry(word.surface, word.kind, ways)
                symbol = book.ids[word.kind]
                meaning = " ".join(sorted({way.meaning for way in ways})) or word.kind
                symbols = ((symbol, 1 << symbol, 0.0),)
                ends = before(book, (symbol,))
                sense = Sense(
                    symbols, _UNTOLD, entry.kind, entry, meaning, sorts_of(entry.kind, entry), ends, any=False
                )
                yield found.start, found.end, sense


@cache
def _entry(text: str, symbol: str, ways: tuple[Way, ...]) -> Entry:
    if not ways:
        return Entry(text, "part", {"is": symbol, "way": text})
    return Entry(text, WAY, {"ways": ways, TURNED: True} if symbol == "CEASING" else {"ways": ways})
