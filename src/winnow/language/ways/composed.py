"""Words that ways of saying are composed of by rule: ``composed.yaml`` of a language.

What a thing does, how it is to be, what becomes of it: each word with what it comes to beside kinds of
things, and the forms the language makes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from winnow.language.tables import table
from winnow.language.ways.templates import ParaphraseTemplate

_FILE = "composed.yaml"


@dataclass(frozen=True, slots=True)
class Composed:
    """One form of a word: the symbol that the grammar has for it, and what it comes to.

    Little words, that only stand beside others, come to nothing.
    """

    surface: str
    symbol: str
    ways: tuple[ParaphraseTemplate, ...]


@cache
def composed_forms(language: str) -> tuple[Composed, ...]:
    """Every form of every such word; none where a language has no file of them."""
    if not files("winnow.language").joinpath("ways", language, _FILE).is_file():
        return ()
    rows: Mapping[str, Any] = table("winnow.language.ways", f"{language}/{_FILE}")
    made = (*_listed_forms(rows["words"], rows["forms"]), *_size_forms(rows["sized"]))
    little = (Composed(word, name, ()) for name, words in rows["little"].items() for word in words.split())
    return (*_merge_symbols(made), *little)


_Made = tuple[str, str, ParaphraseTemplate]
"""Symbol, surface and what it comes to."""


def _merge_symbols(made: Iterable[_Made]) -> Iterator[Composed]:
    """One for each symbol and surface, with all that it comes to."""
    found: dict[tuple[str, str], dict[ParaphraseTemplate, None]] = {}
    for symbol, surface, way in made:
        found.setdefault((symbol, surface), {})[way] = None
    for (symbol, surface), said in found.items():
        yield Composed(surface, symbol, tuple(said))


def _listed_forms(words: Mapping[str, Mapping[str, str]], forms: Mapping[str, Any]) -> Iterator[_Made]:
    """The words as they stand, ``verb|object``, and their forms."""
    for symbol, blocks in words.items():
        for head, said in blocks.items():
            for word in said.split():
                way = _way(head, word.replace("|", ""))
                yield symbol, way.text, way
                for name, shapes in forms.get(symbol, {}).items():
                    yield from ((name, form, way) for form in _forms(word, shapes))


def _forms(word: str, shapes: Mapping[str, str]) -> Iterator[str]:
    """What is made of a word: by its verb and object, else by how long it is."""
    verb, _, object_ = word.partition("|")
    sort = "with_object" if object_ else "short" if len(verb) == 1 else "long"
    for shape in shapes.get(sort, "").split():
        yield shape.replace("V", verb).replace("O", object_)


def _size_forms(tables: Sequence[Mapping[str, Any]]) -> Iterator[_Made]:
    """What is large or small of a thing, either word first: ``wind large``, ``large wind``."""
    for rows in tables:
        for kind, nouns in rows["of"].items():
            for act in rows["sizes"]:
                for size in rows["sizes"][act].split():
                    for noun in nouns.split():
                        surface = rows["shape"].replace("N", noun).replace("A", size)
                        yield rows["symbol"], surface, _way(f"{act} {kind}", surface)


def _way(head: str, text: str) -> ParaphraseTemplate:
    act, kind, *named = head.split()
    return ParaphraseTemplate(act, kind, "{t}" + text if named else text)
