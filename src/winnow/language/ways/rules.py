"""The rules of ways: many ways in one line, and words that are put together from others.

A line of ``rules/LANGUAGE/*.txt`` is a way of ``read`` in which ``(a|b)`` is either, ``[a]`` may be left out,
and ``<name>`` stands for what a line ``<name> = ...`` of any of these files says. Nothing is spelled out:
each stretch between two holes is one expression that is looked for where one of its first words stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from winnow.language.ways.read import Way, parsed

_PIECE = re.compile(r"<[a-z_ ]+>|[()\[\]|]|[^\s()\[\]|<>]+")
_CLASS = re.compile(r"<([a-z_ ]+)>\s*=\s*(.+)")
_LATIN = re.compile("[a-z0-9]")
_WORD = re.compile("[a-z0-9'-]+")
_BEFORE, _BEHIND = "(?<![a-z0-9'])", "(?: +|(?![a-z0-9']))"
"""Where a Latin word begins and ends."""


class _Said(NamedTuple):
    """What a part of a line may be: an expression, the words it may begin with, whether it may be nothing."""

    pattern: str
    first: frozenset[str]
    empty: bool


@dataclass(frozen=True, slots=True)
class Rule(Way):
    """Many ways in one line."""

    pieces: tuple[re.Pattern[str], ...] = field(default=(), compare=False)
    """What stands around its holes, in order."""
    first: frozenset[str] = field(default=frozenset(), compare=False)
    """What it may begin with: Latin words, characters of others."""


@cache
def rules(language: str) -> tuple[Rule, ...]:
    """Every rule of a language; none where it has no files of them.

    Raises ValueError for a line that closes nothing, names nothing or may say nothing.
    """
    folder = files("winnow.language").joinpath("ways", "rules", language)
    texts = (
        [f.read_text("utf-8") for f in sorted(folder.iterdir(), key=lambda f: f.name)]
        if folder.is_dir()
        else []
    )
    return tuple(compiled("\n".join(texts)))


def compiled(text: str) -> Iterator[Rule]:
    """The rules of a text and of the names it gives."""
    lines = text.splitlines()
    named = {found[1]: found[2] for line in lines if (found := _CLASS.fullmatch(line.strip()))}
    rest = "\n".join(line for line in lines if not _CLASS.fullmatch(line.strip()))
    for way in parsed(rest):
        said = [_read(piece, named) for piece in way.words]
        if any(one.empty for one in said):
            raise ValueError(f"may say nothing: {way.text}")
        pieces = tuple(re.compile(one.pattern) for one in said)
        yield Rule(way.act, way.kind, way.text, way.hands, way.implied, pieces, said[0].first)


def first_of(text: str, at: int) -> str:
    """What a rule that stands at ``at`` begins with there."""
    found = _WORD.match(text, at)
    return found[0] if found else text[at : at + 1]


def _read(piece: str, named: Mapping[str, str]) -> _Said:
    words = _PIECE.findall(piece)
    said, rest = _either(words, named)
    if rest:
        raise ValueError(f"closes nothing: {piece}")
    return said


def _either(words: list[str], named: Mapping[str, str]) -> tuple[_Said, list[str]]:
    """Alternatives up to what closes them, and the words from there on."""
    said, words = _row(words, named)
    options = [said]
    while words[:1] == ["|"]:
        said, words = _row(words[1:], named)
        options.append(said)
    patterns = sorted({o.pattern for o in options}, key=len, reverse=True)
    first = frozenset().union(*(o.first for o in options))
    return _Said(f"(?:{'|'.join(patterns)})", first, any(o.empty for o in options)), words


def _row(words: list[str], named: Mapping[str, str]) -> tuple[_Said, list[str]]:
    """What stands one behind the other."""
    pattern, first, empty = "", frozenset[str](), True
    while words and words[0] not in {"|", ")", "]"}:
        said, words = _one(words, named)
        pattern += said.pattern
        first |= said.first if empty else frozenset()
        empty = empty and said.empty
    return _Said(pattern, first, empty), words


_CLOSES = {"(": ")", "[": "]"}


def _one(words: list[str], named: Mapping[str, str]) -> tuple[_Said, list[str]]:
    word, *rest = words
    if word in _CLOSES:
        said, rest = _either(rest, named)
        if rest[:1] != [_CLOSES[word]]:
            raise ValueError(f"not closed: {word} {' '.join(words)}")
        optional = _Said(f"{said.pattern}?", said.first, empty=True)
        return optional if word == "[" else said, rest[1:]
    if word[0] == "<":
        if word[1:-1] not in named:
            raise ValueError(f"names nothing: {word}")
        return _read(named[word[1:-1]], named), rest
    return _word(word), rest


def _word(word: str) -> _Said:
    start = _BEFORE if _LATIN.match(word[0]) else ""
    end = _BEHIND if _LATIN.match(word[-1]) else ""
    return _Said(f"{start}{re.escape(word)}{end}", frozenset({first_of(word, 0)}), empty=False)
