"""What parts of a tree say: orders taking shape, each with its words by their part in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from winnow.types.query import Token
from winnow.understand.grammar.trees import Tree

Words = tuple[Token, ...]


Span = tuple[int, int]
"""Where in the text a condition stands."""


VALUES = frozenset({"number", "mode", "choice", "level", "white", "color", "extreme", "step", "to", "by"})
"""Kinds of words that say how far."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One act, as words by their part in it."""

    words: Words
    left: tuple[Words, ...] = ()
    """What is left out."""
    back: tuple[Words, ...] = ()
    """What of it is meant after all."""
    conditions: tuple[Span, ...] = ()
    otherwise: tuple[Span, ...] = ()
    """Conditions of the order before: it is for when they do not hold."""
    where: tuple[Span, ...] = ()
    """What each of the things meant must be like."""
    only: bool = False
    """What is left out is all that is spared."""
    doubts: tuple[str, ...] = ()
    """What is unclear about it, in the person's words."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a part of a tree says: finished orders, and words that belong to an order around or beside it."""

    drafts: tuple[Draft, ...] = ()
    words: Words = ()
    left: tuple[Words, ...] = ()
    back: tuple[Words, ...] = ()
    conditions: tuple[Span, ...] = ()
    where: tuple[Span, ...] = ()
    only: bool = False
    doubts: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()
    """What else is said: ``told``, ``asked``, ``withdrawn`` ..."""


def together(parts: Sequence[Part], tree: Tree) -> Part:
    """The parts side by side; what stands beside orders belongs to each of them."""
    if len(parts) == 1:
        return parts[0]
    whole = beside(parts)
    return absorbed(whole) if whole.drafts else whole


def beside(parts: Iterable[Part]) -> Part:
    """The parts side by side, nothing done with them yet."""
    parts = list(parts)
    each: dict[str, Any] = {
        name: tuple(chain.from_iterable(getattr(p, name) for p in parts)) for name in _SEVERAL
    }
    return Part(**each, only=any(p.only for p in parts))


_SEVERAL = ("drafts", "words", "left", "back", "conditions", "where", "doubts", "moods")
"""What a part holds several of."""


def of_kinds(words: Iterable[Token], kinds: Collection[str]) -> Words:
    """The words that are of these kinds."""
    return tuple(w for w in words if w.kind in kinds)


def but_kinds(words: Iterable[Token], kinds: Collection[str]) -> Words:
    """The words that are of none of these kinds."""
    return tuple(w for w in words if w.kind not in kinds)


def first_order(parts: Sequence[Part]) -> int:
    """The number of the first part that orders something."""
    return next(n for n, p in enumerate(parts) if p.drafts)


def absorbed(part: Part) -> Part:
    """The part with what stands beside its orders taken into each of them."""
    drafts = tuple(
        replace(
            d,
            words=(*d.words, *part.words),
            left=(*d.left, *part.left),
            back=(*d.back, *part.back),
            where=(*d.where, *part.where),
            only=d.only or part.only,
            doubts=(*d.doubts, *part.doubts),
        )
        for d in part.drafts
    )
    return Part(drafts=drafts, conditions=part.conditions, moods=part.moods)


Operation = Callable[[Sequence[Part], Tree], Part]
