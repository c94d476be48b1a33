"""Places that are said once for several things or acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import PLACE_KINDS, Token
from winnow.understand.sentence.mentions import kinds_of, stands_alone


def led(words: Sequence[Token], places: Sequence[Token], *, first: bool) -> tuple[Token, ...]:
    """The words of an order, with the place its sentence began with; not where they have one of their own.

    ``first``: it is the order right behind the place.
    """
    if any(w.kind in PLACE_KINDS for w in words) or (stands_alone(list(words)) and not first):
        return tuple(words)
    return (*ahead(places), *words)


def ahead(words: Sequence[Token]) -> tuple[Token, ...]:
    """Words as if they stood before the beginning of the text."""
    return tuple(replace(w, start=n - len(words), end=n - len(words)) for n, w in enumerate(words))


def share_last_place(mentions: Sequence[list[Token]]) -> None:
    """``the blinds and curtains in the den``: a place behind the last of several kinds is that of all."""
    last = mentions[-1] if mentions else []
    places = [t for t in last if t.kind in PLACE_KINDS]
    if not places or any(t.start > places[0].start for t in last if t.kind not in PLACE_KINDS):
        return
    for mention in mentions[:-1]:
        if mention and all(t.kind == "type" and "named" not in t.data for t in mention):
            mention.extend(places)


def unlike(kind: Token | None, listed: Sequence[Token], count: int) -> tuple[str, ...]:
    """What is listed of a set and is not of its kind; or all of it when it is not as many."""
    groups = 1 + sum(w.kind == "conj" for w in listed)
    if count and groups != count:
        return tuple(w.text for w in listed if w.kind != "conj")
    others = (w for w in listed if w.kind in {"name", "type"} and kind is not None)
    return tuple(w.text for w in others if kind and not kinds_of(w) & kinds_of(kind))
