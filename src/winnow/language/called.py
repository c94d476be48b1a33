"""What people call the things of a home besides the lexicon's words: ``words/called/*.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
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
    files = {language: _load(language) for language in LANGUAGES}
    types = dict.fromkeys(name for rows in files.values() for name in rows if name != ANY)
    return {name: _called(name, files) for name in types}


def _load(language: str) -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.language", f"words/called/{language}.yaml"))


def _called(name: str, files: Mapping[str, Any]) -> Called:
    same: list[str] = []
    makes: list[str] = []
    before: list[str] = []
    deeds: list[str] = []
    of: list[str] = []
    for language, rows in files.items():
        row = rows.get(name, {})
        own = row.get("same", ())
        same += own
        of += row.get("of", ())
        makes += row.get("makes", ())
        before += rows[ANY]["before"]
        deeds += row.get("deeds", ())
    kinds = type_words()[name].kinds
    whole = frozenset(of) or frozenset(kinds[:1]) | NAMELESS.intersection(kinds)
    return Called(whole, _once(same), _once(makes), frozenset((*makes, *before)), _once(deeds))


def _once(words: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


@lru_cache(maxsize=1)
def naming() -> Mapping[str, tuple[str, ...]]:
    """Word in a name -> the types it names: those of the lexicon and what things are called."""
    named: dict[str, list[str]] = {word: [kind] for word, kind in surfaces("type").items()}
    for name, row in called().items():
        for word in (*row.same, *row.makes):
            if word not in named or name not in named[word]:
                named.setdefault(word, []).append(name)
            if not is_han(word[-1]) and plural(word) not in named:
                named[plural(word)] = [name]
    return {word: tuple(kinds) for word, kinds in named.items()}
