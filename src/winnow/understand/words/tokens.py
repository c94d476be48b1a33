"""Normalised text -> tokens.

The best cover of the sentence by the language, the home's names and the numbers in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import add
from typing import Any

from winnow.language.content_words import little
from winnow.language.gazetteer import Gazetteer, GazetteerEntry, GazetteerMatch, best_cover, inside_words
from winnow.language.numbers.find import find_numbers
from winnow.types.query import Token
from winnow.understand.words.surfaces import things_by_function
from winnow.understand.words.vocabulary import Vocabulary

# Kinds of tokens by their use, and what a token says.


TARGET_KINDS = frozenset({"name", "nameword", "room", "floor", "zone", "type", "scene", "group", "word"})
DURATION_UNITS = frozenset({"second", "minute", "hour", "day"})


def canonical_sense(token: Token) -> str:
    """The canonical reading of a token."""
    return str(token.data.get("is", ""))


def sense_in_section(token: Token, section: str) -> str | None:
    """Its reading in another section of the lexicon, if it has one."""
    table = token.data.get("also")
    return str(table[section]) if isinstance(table, dict) and section in table else None


def has_use(token: Token, *uses: str) -> bool:
    """Whether its word is one of these uses of ``words/little.yaml``: ``then``, ``none``."""
    return any(token.text in little(use) for use in uses)


def any_use(tokens: Iterable[Token], *uses: str) -> bool:
    """Whether the word of one of the tokens is one of these uses."""
    return any(has_use(t, *uses) for t in tokens)


STRONG_MARKS = "。!?;…\n"
WEAK_MARKS = ",、:"
_MARK_ENTRIES = {
    **{mark: GazetteerEntry(mark, "mark", {"is": "strong"}) for mark in STRONG_MARKS},
    **{mark: GazetteerEntry(mark, "mark", {"is": "weak"}) for mark in WEAK_MARKS},
    **{mark: GazetteerEntry(mark, "mark", {"is": "quote"}) for mark in "\"'()[]“”「」-~·*_/"},
    ".": GazetteerEntry(".", "mark", {"is": "strong"}),
}
_DASH_ENTRY = GazetteerEntry("-", "mark", {"is": "weak"})
"""A dash between spaces sets something apart, as a comma does."""
NUMBER_WEIGHT = 1.1


def tag_text(text: str, vocabulary: Vocabulary, *, reading: bool = False) -> list[Token]:
    """Tokens in order; what nothing explains has kind ``word``.

    ``reading`` also knows what can only be read.
    """
    scan = text_scan(text, vocabulary)
    found = list(map(add, scan.matches_of(vocabulary.readable if reading else vocabulary.home), scan.told))
    tokens = []
    for piece in best_cover(text, found):
        if isinstance(piece, GazetteerMatch):
            entry, start, end = piece.entry, piece.start, piece.end
            refs = token_refs(entry.kind, entry.data, entry.refs, vocabulary)
            tokens.append(Token(text[start:end], entry.kind, start, end, entry.data, refs))
        else:
            tokens.append(Token(text[piece[0] : piece[1]], "word", *piece))
    return tokens


class TextScan:
    """What the lists of words find in a text, each list looked through once."""

    __slots__ = ("_inside", "found", "language", "text", "told")

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.language = vocabulary.language
        self._inside = inside_words(text)
        self.found: dict[object, Any] = {}
        """What was looked for, by the ids of what it was looked for with."""
        self.told = vocabulary.language.scan(text, range(len(text)), self._inside)
        """Matches of the language, numbers and marks by where they begin."""
        for number in find_numbers(text):
            entry = _number_entry(number.text, number.value, number.unit)
            self.told[number.start].append(GazetteerMatch(number.start, number.end, entry))
        for at, ch in enumerate(text):
            mark = _MARK_ENTRIES.get(ch)
            if ch in "-—" and text[at - 1 : at] == " " and text[at + 1 : at + 2] in {" ", "-"}:
                mark = _DASH_ENTRY
            if mark is not None:
                self.told[at].append(GazetteerMatch(at, at + 1, mark))

    def matches_of(self, gazetteer: Gazetteer) -> list[list[GazetteerMatch]]:
        """The matches of a list at each position."""
        found: list[list[GazetteerMatch]] | None = self.found.get(id(gazetteer))
        if found is None:
            found = self.found[id(gazetteer)] = gazetteer.scan(self.text, range(len(self.text)), self._inside)
        return found

    def matches_at(self, vocabulary: Vocabulary, more: Gazetteer) -> Iterator[Iterator[GazetteerMatch]]:
        """At each position every match: the home's, the language's, numbers, marks, and ``more``."""
        of = self.matches_of
        return map(chain, of(vocabulary.home), of(vocabulary.told), self.told, of(more))

    def things_by_function(self, things: Mapping[str, tuple[str, ...]]) -> Sequence[GazetteerMatch]:
        """As ``things_by_function`` of the text."""
        found: Sequence[GazetteerMatch] | None = self.found.get(id(things))
        if found is None:
            found = self.found[id(things)] = [*things_by_function(self.text, things)]
        return found


def text_scan(text: str, vocabulary: Vocabulary) -> TextScan:
    """What is found in a text; the last one asked for is kept, as one sentence is looked at several times."""
    key = id(vocabulary.language)
    scan = vocabulary.scanned.get(key)
    if scan is None or scan.text != text or scan.language is not vocabulary.language:
        scan = vocabulary.scanned[key] = TextScan(text, vocabulary)
    return scan


@lru_cache(maxsize=4096)
def _number_entry(text: str, value: float, unit: str) -> GazetteerEntry:
    data: Mapping[str, object] = {"value": value, "unit": unit}
    return GazetteerEntry(text, "floor" if unit == "floor" else "number", data, (), NUMBER_WEIGHT)


def token_refs(
    kind: str, data: Mapping[str, object], refs: tuple[str, ...], vocabulary: Vocabulary
) -> tuple[str, ...]:
    """The ids a word may refer to: for a kind of room or a level those of this home."""
    if refs or kind not in {"room", "floor"}:
        return refs
    if kind == "room":
        called = str(data.get("is"))
        kinds = (f"{called}s", called) if data.get("plural") else (called,)
        return next((ids for kind in kinds if (ids := vocabulary.rooms_of_kind.get(kind, ()))), ())
    return vocabulary.floors_of_level.get(int(float(str(data["value"]))), ()) if "value" in data else ()
