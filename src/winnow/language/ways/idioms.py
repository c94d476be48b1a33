"""Words that orders are put together of beside the lexicon: ``turns.yaml`` of a language with all forms.

Each is of a symbol of the grammar, and comes to acts of kinds of things as the ways do, or says nothing
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from winnow.language.en import gerunds, pasts
from winnow.language.registry import own_table
from winnow.language.ways.templates import ANY, ParaphraseTemplate

OPPOSITE = {"on": "off", "off": "on", "up": "down", "down": "up"}
_GIVEN = {"media": ("unmute", "mute")}
"""What gives a thing back what it gives and what takes it away, where that is not on and off: sound."""


class Idiom(NamedTuple):
    """A word, the symbol it is of, and what it comes to; with no ways it says nothing by itself."""

    text: str
    symbol: str
    ways: tuple[ParaphraseTemplate, ...] = ()


_Row = tuple[str, str, ParaphraseTemplate | None]


@cache
def turns(language: str) -> tuple[Idiom, ...]:
    """Every such word of a language; empty for one that has none."""
    data = own_table(language, "turns.yaml")
    if not data:
        return ()
    found: dict[tuple[str, str], list[ParaphraseTemplate]] = {}
    for text, symbol, way in _rows(data):
        ways = found.setdefault((text, symbol), [])
        if way is not None and way not in ways:
            ways.append(way)
    return tuple(Idiom(text, symbol, tuple(ways)) for (text, symbol), ways in found.items())


def _rows(data: Mapping[str, Any]) -> Iterator[_Row]:
    for symbol, words in data["plain"].items():
        yield from ((word, symbol, None) for word in words)
    for symbol, words in data["verbs"].items():
        yield from _conjugations(symbol, words)
    for symbol, heads in data["acts"].items():
        yield from ((word, symbol, _way(head, word)) for head, word in _flat(heads))
    for kind, word in _flat(data["activities"]):
        yield from _activity(kind, word)
    for kind, word in _flat(data["effects"]):
        yield from _effect(kind, word)
    for kind, heads in data["adjectives"].items():
        for act, forms in _flat(heads):
            yield from _adjective(kind, act, forms.split())


def _flat(groups: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    return ((head, word) for head, words in groups.items() for word in words)


def _conjugations(symbol: str, verbs: Sequence[str]) -> Iterator[_Row]:
    for verb in verbs:
        yield verb, symbol, None
        yield from ((form, f"{symbol}ing", None) for form in gerunds(verb))
        yield from ((form, f"{symbol}ed", None) for form in pasts(verb))


def _activity(kind: str, verb: str) -> Iterator[_Row]:
    """What it does: ``shine``, ``shining``; to stop shining is off."""
    yield verb, "RUN", ParaphraseTemplate("on", kind, verb)
    yield verb, "DOES", None
    for form in gerunds(verb):
        yield form, "RUNNING", ParaphraseTemplate("on", kind, form)
        yield form, "CEASING", ParaphraseTemplate("off", kind, form)
        yield form, "DOING", None


def _effect(kind: str, noun: str) -> Iterator[_Row]:
    """What it gives: ``a breeze``; to give more of it is up."""
    more, less = ("down", "up") if kind[0] == "-" else ("up", "down")
    kind = kind.removeprefix("-")
    given, ended = _GIVEN.get(kind, ("on", "off"))
    for symbol, act in (("EFON", given), ("EFOFF", ended), ("EFUP", more), ("EFDOWN", less)):
        yield noun, symbol, ParaphraseTemplate(act, kind, noun)


def _adjective(kind: str, act: str, forms: Sequence[str]) -> Iterator[_Row]:
    """``bright``: brighter and more bright are up, less bright and not so bright down."""
    plain, symbol = forms[0], "MOREADJ" if kind == ANY else "OFKIND"
    compared = [f"more {plain}", *(form for form in forms[1:] if form != '""')]
    yield plain, "BEADJ", ParaphraseTemplate(act, kind, plain)
    yield f"so {plain}", "NOTADJ", ParaphraseTemplate(OPPOSITE[act], kind, f"so {plain}")
    for form in compared:
        yield form, symbol, ParaphraseTemplate(act, kind, form)
    for lead in ("less", "not so", "not as", "not quite so", "not too", "a bit less", "not quite as"):
        yield f"{lead} {plain}", symbol, ParaphraseTemplate(OPPOSITE[act], kind, f"{lead} {plain}")


# Words that ways of saying are composed of by rule, with all their forms: ``composed.yaml``.


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
    rows: Mapping[str, Any] = own_table(language, "composed.yaml")
    if not rows:
        return ()
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
