"""What people call the things of a home besides the lexicon's words: ``words/called/*.yaml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from winnow.language.forms import plural
from winnow.language.lexicon import LANGUAGES, surfaces, type_words
from winnow.language.normalise import is_han
from winnow.text.tables import table

ANY = "_"
"""What is said of things of any kind."""
NAMELESS = frozenset({"cover", "climate", "media_player"})
"""Kinds that say what moves, heats or plays and not what it is."""


@dataclass(frozen=True, slots=True)
class Called:
    """What the things of one type are called."""

    of: frozenset[str]
    """Kinds of device that are such things."""
    same: tuple[str, ...]
    """Words that say no more than the type."""
    makes: tuple[str, ...]
    """Words that say which make; of a thing whose name tells of no other."""
    tells: frozenset[str]
    """What of a name tells of a make: those words, and what may be said of any thing."""
    deeds: tuple[str, ...]
    """What it does, as the file has it: said behind ``the thing that`` or before ``的那个``."""


@lru_cache(maxsize=1)
def called() -> Mapping[str, Called]:
    """Type word -> what things of it are called, in both languages."""
    files = [_load(language) for language in LANGUAGES]
    names = dict.fromkeys(name for rows in files for name in rows if name != ANY)
    before = [word for rows in files for word in rows[ANY]["before"]]
    return {name: _called(name, [rows.get(name, {}) for rows in files], before) for name in names}


def _load(language: str) -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.language", f"words/called/{language}.yaml"))


def _called(name: str, rows: list[dict[str, list[str]]], before: list[str]) -> Called:
    kinds = type_words()[name].kinds
    of = frozenset(_all(rows, "of")) or frozenset(kinds[:1]) | NAMELESS.intersection(kinds)
    makes = _all(rows, "makes")
    return Called(of, _all(rows, "same"), makes, frozenset((*makes, *before)), _all(rows, "deeds"))


def _all(rows: list[dict[str, list[str]]], part: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for row in rows for word in row.get(part, ())))


@lru_cache(maxsize=1)
def naming() -> Mapping[str, tuple[str, ...]]:
    """Word in a name -> the types it names: those of the lexicon and what things are called."""
    named: dict[str, list[str]] = {word: [kind] for word, kind in surfaces("type").items()}
    for name, word in _words():
        if name not in named.setdefault(word, []):
            named[word].append(name)
    return {word: tuple(kinds) for word, kinds in named.items()}


def _words() -> Iterator[tuple[str, str]]:
    """Type and word of all that things are called, with the plurals of English words."""
    for name, row in called().items():
        for word in (*row.same, *row.makes):
            yield name, word
            if not is_han(word[-1]):
                yield name, plural(word)


@lru_cache(maxsize=1)
def functions_called() -> Mapping[str, tuple[str, ...]]:
    """Function of appliances -> what people call it, in both languages: a property of ``actions.yaml``."""
    rows = table("winnow.language", "words/called/functions.yaml")
    return {name: tuple(words) for name, words in cast("dict[str, list[str]]", rows).items()}


@lru_cache(maxsize=1)
def rooms_called() -> Mapping[str, tuple[str, ...]]:
    """Kind of room -> what people call such a room besides the lexicon's words, in both languages."""
    rows = table("winnow.language", "words/called/rooms.yaml")
    return {kind: tuple(words) for kind, words in cast("dict[str, list[str]]", rows).items()}
