"""What parts of a tree mean: orders taking shape, each with its words; and places shared by several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from winnow.types.query import PLACE_KINDS, Token, has_kind, of_kind, without_kind
from winnow.understand.grammar.parser import Tree
from winnow.understand.meaning.mentions import is_standalone, kinds_of

Words = tuple[Token, ...]


Span = tuple[int, int]
"""Where in the text a condition stands."""


VALUE_KINDS = frozenset(
    {"number", "mode", "choice", "level", "white", "color", "extreme", "step", "to", "by"}
)
"""Kinds of words that say how far."""


@dataclass(frozen=True, slots=True)
class ActDraft:
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
class TreeMeaning:
    """What a part of a tree says: finished orders, and words that belong to an order around or beside it."""

    drafts: tuple[ActDraft, ...] = ()
    words: Words = ()
    left: tuple[Words, ...] = ()
    back: tuple[Words, ...] = ()
    conditions: tuple[Span, ...] = ()
    where: tuple[Span, ...] = ()
    only: bool = False
    doubts: tuple[str, ...] = ()
    moods: tuple[str, ...] = ()
    """What else is said: ``told``, ``asked``, ``withdrawn`` ..."""


def join_parts(parts: Sequence[TreeMeaning], tree: Tree) -> TreeMeaning:
    """The parts side by side; what stands beside orders belongs to each of them."""
    if len(parts) == 1:
        return parts[0]
    whole = gather_parts(parts)
    return absorb_words(whole) if whole.drafts else whole


def gather_parts(parts: Iterable[TreeMeaning]) -> TreeMeaning:
    """The parts side by side, nothing done with them yet."""
    parts = list(parts)
    each: dict[str, Any] = {
        name: tuple(chain.from_iterable(getattr(p, name) for p in parts)) for name in _TUPLE_FIELDS
    }
    return TreeMeaning(**each, only=any(p.only for p in parts))


_TUPLE_FIELDS = ("drafts", "words", "left", "back", "conditions", "where", "doubts", "moods")
"""What a part holds several of."""


def first_order(parts: Sequence[TreeMeaning]) -> int:
    """The number of the first part that orders something."""
    return next(n for n, p in enumerate(parts) if p.drafts)


def absorb_words(part: TreeMeaning) -> TreeMeaning:
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
    return TreeMeaning(drafts=drafts, conditions=part.conditions, moods=part.moods)


Operation = Callable[[Sequence[TreeMeaning], Tree], TreeMeaning]


# Places that are said once for several things or acts.


def with_leading_place(words: Sequence[Token], places: Sequence[Token], *, first: bool) -> tuple[Token, ...]:
    """The words of an order, with the place its sentence began with; not where they have one of their own.

    ``first``: it is the order right behind the place.
    """
    if has_kind(words, *PLACE_KINDS) or (is_standalone(list(words)) and not first):
        return tuple(words)
    return (*moved_ahead(places), *words)


def moved_ahead(words: Sequence[Token]) -> tuple[Token, ...]:
    """Words as if they stood before the beginning of the text."""
    return tuple(replace(w, start=n - len(words), end=n - len(words)) for n, w in enumerate(words))


def share_final_place(mentions: Sequence[list[Token]]) -> None:
    """``the blinds and curtains in the den``: a place behind the last of several kinds is that of all."""
    last = mentions[-1] if mentions else []
    places = of_kind(last, *PLACE_KINDS)
    if not places or any(t.start > places[0].start for t in without_kind(last, *PLACE_KINDS)):
        return
    for mention in mentions[:-1]:
        if mention and all(t.kind == "type" and "named" not in t.data for t in mention):
            mention.extend(places)


def unlike_kind(kind: Token | None, listed: Sequence[Token], count: int) -> tuple[str, ...]:
    """What is listed of a set and is not of its kind; or all of it when it is not as many."""
    groups = 1 + sum(w.kind == "conj" for w in listed)
    if count and groups != count:
        return tuple(w.text for w in without_kind(listed, "conj"))
    if kind is None:
        return ()
    return tuple(w.text for w in of_kind(listed, "name", "type") if not kinds_of(w) & kinds_of(kind))
