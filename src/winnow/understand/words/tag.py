"""Normalised text -> tokens.

The best cover of the sentence by the language, the home's names and the numbers in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from winnow.language.gazetteer import Entry, Gazetteer, Match, best_cover
from winnow.language.numbers import Number, find_numbers
from winnow.types.query import Token
from winnow.understand.words.vocabulary import Vocabulary

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
    for at in range(len(text)):
        entry = _mark(text, at)
        if entry is not None:
            found[at].append(Match(at, at + 1, entry))
    return [_token(piece, text, vocabulary) for piece in best_cover(text, found)]


def entries_at(text: str, vocabulary: Vocabulary, *more: Gazetteer) -> Iterator[tuple[int, int, Entry]]:
    """Every entry anywhere in the text: the home's, the language's, numbers, marks, and ``more``."""
    gazetteers = (vocabulary.home, vocabulary.told, vocabulary.language, *more)
    for at, ch in enumerate(text):
        if ch == " ":
            continue
        for gazetteer in gazetteers:
            for match in gazetteer.matches(text, at):
                yield match.start, match.end, match.entry
        if (mark := _mark(text, at)) is not None:
            yield at, at + 1, mark
    for number in find_numbers(text):
        yield number.start, number.end, _number_entry(number)


def _mark(text: str, at: int) -> Entry | None:
    ch = text[at]
    if ch in "-—" and text[at - 1 : at] == " " and text[at + 1 : at + 2] in {" ", "-"}:
        return _DASH
    return _MARK_ENTRIES.get(ch)


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
    refs = refs_of(entry.kind, entry.data, entry.refs, vocabulary)
    return Token(text[piece.start : piece.end], entry.kind, piece.start, piece.end, entry.data, refs)


def refs_of(
    kind: str, data: Mapping[str, object], refs: tuple[str, ...], vocabulary: Vocabulary
) -> tuple[str, ...]:
    """The ids a word may refer to: for a kind of room or a level those of this home."""
    if refs or kind not in {"room", "floor"}:
        return refs
    if kind == "room":
        return vocabulary.rooms_of_kind.get(str(data.get("is")), ())
    return vocabulary.floors_of_level.get(int(float(str(data["value"]))), ()) if "value" in data else ()
