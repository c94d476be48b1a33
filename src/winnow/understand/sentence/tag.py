"""Normalised text -> tokens.

The best cover of the sentence by the language, the home's names and the numbers in it.
"""

from __future__ import annotations

from collections.abc import Mapping

from winnow.language.gazetteer import Entry, Gazetteer, Match, best_cover
from winnow.language.numbers import Number, find_numbers
from winnow.types.query import Token
from winnow.understand.sentence.vocabulary import Vocabulary

STRONG_MARKS = "。!?;…\n"
WEAK_MARKS = ",、:"
_MARK_ENTRIES = {
    **{mark: Entry(mark, "mark", {"is": "strong"}) for mark in STRONG_MARKS},
    **{mark: Entry(mark, "mark", {"is": "weak"}) for mark in WEAK_MARKS},
    **{mark: Entry(mark, "mark", {"is": "quote"}) for mark in "\"'()[]“”「」-~·*_/"},
    ".": Entry(".", "mark", {"is": "strong"}),
}
_DASH = Entry("-", "mark", {"is": "weak"})
"""A dash between spaces sets something apart, as a comma does."""
NUMBER_CLAIM = 1.1


def tag(text: str, vocabulary: Vocabulary, *, reading: bool = False) -> list[Token]:
    """Tokens in order; what nothing explains has kind ``word``.

    ``reading`` also knows what can only be read.
    """
    found: list[list[Match]] = [[] for _ in range(len(text) + 1)]
    for gazetteer in (vocabulary.readable if reading else vocabulary.home, vocabulary.language):
        _collect(text, gazetteer, found)
    for number in find_numbers(text):
        found[number.start].append(Match(number.start, number.end, _number_entry(number)))
    for at, ch in enumerate(text):
        entry = (
            _DASH
            if ch in "-—" and text[at - 1 : at] == " " and text[at + 1 : at + 2] in {" ", "-"}
            else _MARK_ENTRIES.get(ch)
        )
        if entry is not None:
            found[at].append(Match(at, at + 1, entry))
    return [_token(piece, text, vocabulary) for piece in best_cover(text, found)]


def _collect(text: str, gazetteer: Gazetteer, found: list[list[Match]]) -> None:
    for at, ch in enumerate(text):
        if ch != " ":
            found[at].extend(gazetteer.matches(text, at))


def _number_entry(number: Number) -> Entry:
    data: Mapping[str, object] = {"value": number.value, "unit": number.unit}
    return Entry(number.text, "floor" if number.unit == "floor" else "number", data, (), NUMBER_CLAIM)


def _token(piece: Match | tuple[int, int], text: str, vocabulary: Vocabulary) -> Token:
    if isinstance(piece, tuple):
        return Token(text[piece[0] : piece[1]], "word", *piece)
    entry = piece.entry
    refs = entry.refs
    if entry.kind == "room" and not refs:
        refs = vocabulary.rooms_of_kind.get(str(entry.data.get("is")), ())
    elif entry.kind == "floor" and not refs and "value" in entry.data:
        refs = vocabulary.floors_of_level.get(int(float(str(entry.data["value"]))), ())
    return Token(text[piece.start : piece.end], entry.kind, piece.start, piece.end, entry.data, refs)
