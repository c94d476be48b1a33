"""The words of an answer, and what is left of it without them (``words/answers.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any, cast

from winnow.language import lexicon
from winnow.language.families import CLOSING, STARTING
from winnow.language.gazetteer import Entry, Gazetteer, Match, is_latin
from winnow.language.normalise import is_han
from winnow.text.tables import table

Names = tuple[tuple[str, ...], ...]
"""All that each of several things is called."""
AROUND = ("courtesy", "filler", "pointing")
"""What may stand around a choice and says nothing."""
_FAMILY = {
    **dict.fromkeys(STARTING | {"run", "unlock", "heat"}, "on"),
    **dict.fromkeys(CLOSING, "off"),
    "disarm": "silence",
}
"""Acts that are the same as an answer: one opens what one was asked to unlock."""
_PIECE = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_SPAN = re.compile(r"[\u3400-\u9fff]+|[^\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Parsed:
    """What an answer says in the words of some kinds."""

    kinds: frozenset[str]
    """Kinds of words that were found, those that say nothing aside."""
    acts: frozenset[str]
    """Families of the acts among them."""
    rest: str
    """What no word of these kinds explains."""


def parsed(text: str, kinds: tuple[str, ...], names: Names = ()) -> Parsed:
    """What the words of these kinds say; a word inside one of the ``names`` is none."""
    found = [m for m in words_in(text, kinds, names) if m.entry.kind in kinds]
    acts = frozenset(_acts()[m.entry.surface] for m in found if m.entry.kind == "act")
    left = "".join(c if c.isalnum() or c in "'-" else " " for c in " ".join(between(text, found)))
    return Parsed(frozenset(m.entry.kind for m in found) - set(AROUND), acts, " ".join(left.split()))


def words_in(text: str, kinds: tuple[str, ...], names: Names = ()) -> Iterator[Match]:
    """The words of these kinds in order, and the ``names``, the longest at each place."""
    at, books = 0, (_gazetteer(kinds), *((_called(names),) if names else ()))
    while at < len(text):
        found = (match for book in books for match in book.matches(text, at))
        longest = max(found, key=lambda m: m.end, default=None)
        if longest is not None:
            yield longest
        at = longest.end if longest else at + 1


def between(text: str, found: Iterable[Match]) -> list[str]:
    """What stands before, between and after these words."""
    out, at = [], 0
    for match in found:
        out.append(text[at : match.start])
        at = match.end
    return [*out, text[at:]]


def without(text: str, names: Iterable[Sequence[str]]) -> str:
    """The text with a gap for each whole name: no word inside one is a word of the answer."""
    for name in sorted({name for name in flat(names) if len(name) > 1}, key=len, reverse=True):
        text = re.sub(_whole(name), " ", text)
    return text


def _whole(name: str) -> str:
    before = r"(?<![a-z0-9'])" if is_latin(name[0]) else ""
    after = r"(?![a-z0-9'])" if is_latin(name[-1]) else ""
    return before + re.escape(name) + after


def flat(names: Iterable[Sequence[str]]) -> list[str]:
    """All names in one list."""
    return list(chain.from_iterable(names))


def covers(rest: str, surfaces: Sequence[str]) -> bool:
    """Whether every piece of ``rest`` stands in one of the surfaces.

    Latin words whole (singular for plural), characters in stretches.
    """
    words = {word for surface in surfaces for word in _PIECE.findall(surface)}
    pieces = [piece for span in _SPAN.findall(rest) for piece in _PIECE.findall(span)]
    return all(
        _in_stretches(p, surfaces) if is_han(p[0]) else p in words or p.removesuffix("s") in words
        for p in pieces
    )


def _in_stretches(run: str, surfaces: Sequence[str]) -> bool:
    at = 0
    while at < len(run):
        longest = next((n for n in range(len(run), at, -1) if any(run[at:n] in s for s in surfaces)), at)
        if longest == at:
            return False
        at = longest
    return True


@cache
def _tables() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", table("winnow.language", "words/answers.yaml"))


@cache
def _acts() -> Mapping[str, str]:
    """Word of an act -> its family."""
    particles = {w: act for w, act in lexicon.surfaces("particle").items() if act in {"on", "off"}}
    return {word: family(act) for word, act in {**particles, **lexicon.surfaces("verb")}.items()}


def family(act: str) -> str:
    """What an act is as an answer."""
    return _FAMILY.get(act, act)


@lru_cache(maxsize=64)
def _called(names: Names) -> Gazetteer:
    """The names of two characters and more: a shorter one is no more than a part of a word."""
    return Gazetteer(Entry(name, "name") for name in sorted(set(flat(names))) if len(name) > 1)


@cache
def _gazetteer(kinds: tuple[str, ...]) -> Gazetteer:
    """The words of these kinds; one that stands in several is of the first."""
    tables: Mapping[str, Iterable[str]] = {**_tables(), "act": _acts()}
    kind_of = {word: kind for kind in reversed(kinds) for word in tables[kind]}
    return Gazetteer(Entry(word, kind) for word, kind in kind_of.items())
