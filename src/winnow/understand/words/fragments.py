"""Things told by a part of their name or by their side.

``名字里带“吸顶”的灯``, ``叫灯带的那几个``, ``左边那盏``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from winnow.text.patterns import patterns
from winnow.types.query import Token

_NAMES = ("name_holds", "name_is", "name_begins", "bears_quoted", "bears_letters", "called")
_WHERE = ("whole", "first", "last")
"""Groups of a pattern that say which part of the name is told."""


def fragments(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with each phrase that tells a part of a name as one.

    A phrase that denies it has kind ``lacking``.
    """
    for found in _names_told(text):
        if not any(t.data.get("part") for t in _under(tokens, found)):
            tokens = _put(tokens, found, text)
    for found in _found("even", text):
        if any(t.start <= found.start() for t in _unknown(tokens, found)):
            include = Token(found["part"], "conj", *found.span(), {"is": "include"})
            tokens = _replaced(tokens, found, [include], text)
    for found in _found("side", text):
        if any(_unknown(tokens, found)):
            tokens = _put(tokens, found, text, whole=False)
    return tokens


def _found(name: str, text: str) -> Iterator[re.Match[str]]:
    return patterns(__package__, "patterns.yaml")[name].finditer(text)


def _names_told(text: str) -> Iterator[re.Match[str]]:
    for name in _NAMES if any(_found("may_tell_a_name", text)) else ():
        yield from _found(name, text)


def _under(tokens: Iterable[Token], found: re.Match[str]) -> Iterator[Token]:
    """The tokens that a match touches."""
    return (t for t in tokens if t.start < found.end() and t.end > found.start())


def _unknown(tokens: Iterable[Token], found: re.Match[str]) -> Iterator[Token]:
    return (t for t in _under(tokens, found) if t.kind == "word")


def _put(tokens: Sequence[Token], found: re.Match[str], text: str, *, whole: bool = True) -> list[Token]:
    """The tokens with the phrase in the place of what it covers."""
    groups = found.groupdict()
    how = next((where for where in _WHERE if groups.get(where) is not None), "any")
    kind = "lacking" if groups.get("not") else "nameword"
    part = Token(found["part"], kind, *found.span(), {"part": how, "plural": whole})
    return _replaced(tokens, found, [part], text)


def _replaced(tokens: Sequence[Token], found: re.Match[str], made: Sequence[Token], text: str) -> list[Token]:
    return [*_clipped(tokens, 0, found.start(), text), *made, *_clipped(tokens, found.end(), len(text), text)]


def _clipped(tokens: Sequence[Token], start: int, end: int, text: str) -> Iterator[Token]:
    for t in tokens:
        first, last = max(t.start, start), min(t.end, end)
        if (first, last) == (t.start, t.end):
            yield t
        elif first < last:
            yield Token(text[first:last], "word", first, last)
