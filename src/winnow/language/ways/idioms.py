"""Words that orders are put together of beside the lexicon: ``turns_en.yaml``, with all their forms.

Each is of a symbol of the grammar, and comes to acts of kinds of things as the ways do, or says nothing
itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from winnow.language.content_words import gerunds, pasts
from winnow.language.tables import table
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
    name = f"turns_{language}.yaml"
    if not files("winnow.language").joinpath("ways", name).is_file():
        return ()
    data = table("winnow.language.ways", f"{name}")
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
        yield from _acts(symbol, heads)
    for kind, word in _flat(data["activities"]):
        yield from _activity(kind, word)
    for kind, word in _flat(data["effects"]):
        yield from _effect(kind, word)
    for kind, heads in data["adjectives"].items():
        for act, forms in _flat(heads):
            yield from _adjective(kind, act, forms.split())


def _flat(groups: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    return ((head, word) for head, words in groups.items() for word in words)


def _acts(symbol: str, heads: Mapping[str, Sequence[str]]) -> Iterator[_Row]:
    for head, word in _flat(heads):
        act, kind = head.split()
        yield word, symbol, ParaphraseTemplate(act, kind, word)


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
