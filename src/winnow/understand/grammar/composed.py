"""The words that ways are composed of by rule, found in a sentence.

What stands around them the grammar reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain

from winnow.language.gazetteer import Entry, Gazetteer, inside_words
from winnow.language.ways.composed import Composed, composed
from winnow.understand.grammar.rulebook import Rulebook
from winnow.understand.grammar.senses import Sense, before, sorts_of
from winnow.understand.grammar.ways import WAY

LITTLE = "part"
"""The kind of words that only the structure needs."""
UNTOLD = -1.0
"""Whether such a word may be passed over, its other readings tell."""


def said_composed(text: str, book: Rulebook) -> Iterator[tuple[int, int, Sense]]:
    """The words in a text that ways are composed of, each as one reading of its span."""
    spoken = (at for at, ch in enumerate(text) if ch != " ")
    for start, end, entry in chain.from_iterable(
        _known(book.language).scan(text, spoken, inside_words(text))
    ):
        # Its reading, made once; the entry is kept with it, so that its id stays its own
        known = _senses(book.language)
        if id(entry) not in known:
            symbol = book.symbol(str(entry.data["is"]))
            symbols, ends = ((symbol, 1 << symbol, 0.0),), before(book, (symbol,))
            meaning = " ".join(sorted({way.meaning for way in entry.data.get("ways", ())}))  # type: ignore[attr-defined]
            sorts = sorts_of(entry.kind, entry)
            made = Sense(
                symbols, UNTOLD, entry.kind, entry, meaning or str(entry.data["is"]), sorts, ends, any=False
            )
            known[id(entry)] = made, entry
        yield start, end, known[id(entry)][0]


@cache
def _known(language: str) -> Gazetteer:
    return Gazetteer(map(_entry, composed(language)))


def _entry(word: Composed) -> Entry:
    data: dict[str, object] = {"is": word.symbol}
    return (
        Entry(word.surface, WAY, {**data, "ways": word.ways})
        if word.ways
        else Entry(word.surface, LITTLE, data)
    )


@cache
def _senses(language: str) -> dict[int, tuple[Sense, Entry]]:
    return {}
