"""Places that are said once for several things or acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import PLACE_KINDS, Token
from winnow.understand.sentence.drafts import but_kinds, of_kinds
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
    places = of_kinds(last, PLACE_KINDS)
    if not places or any(t.start > places[0].start for t in but_kinds(last, PLACE_KINDS)):
        return
    for mention in mentions[:-1]:
        if mention and all(map(_is_kind, mention)):
            mention.extend(places)


def _is_kind(token: Token) -> bool:
    return token.kind == "type" and "named" not in token.data


def unlike(kind: Token | None, listed: Sequence[Token], count: int) -> tuple[str, ...]:
    """What is listed of a set and is not of its kind; or all of it when it is not as many."""
    groups = 1 + sum(w.kind == "conj" for w in listed)
    if count and groups != count:
        return tuple(w.text for w in but_kinds(listed, {"conj"}))
    if kind is None:
        return ()
    return tuple(w.text for w in of_kinds(listed, {"name", "type"}) if not kinds_of(w) & kinds_of(kind))
