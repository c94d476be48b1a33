"""What kinds of things mentions are of, for those that speak of the rest of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from winnow.language.families import STARTING
from winnow.language.lexicon import type_words
from winnow.types.query import PLACE_KINDS, Token
from winnow.understand.sentence.drafts import of_kinds
from winnow.understand.sentence.instructions import Instruction
from winnow.understand.sentence.mentions import kinds_of
from winnow.understand.words.kinds import says

LIGHTING_UP = STARTING | {"illuminate"}
"""What ``only`` and ``but`` set against switching off; lamps are lit up, nothing else is."""


def generics(mentions: Iterable[Sequence[Token]]) -> list[Token]:
    """The words for all of the kinds that are named."""
    return once([kind for m in mentions for t in m if (kind := generic(t)) is not None])


def placed(mention: list[Token], places: Sequence[Token]) -> list[Token]:
    """A mention in the places told before it, unless it has one of its own."""
    return mention if of_kinds(mention, PLACE_KINDS) else [*places, *mention]


def generic(token: Token) -> Token | None:
    """The word for all of the kind a thing is of: a lamp for ``落地灯``; None when its kind is not known."""
    if token.kind not in {"type", "name"}:
        return None
    if token.kind == "type" and type_words()[says(token)].specific >= 1:
        return Token(token.text, "type", token.start, token.end, {"is": says(token)})
    kinds = kinds_of(token)
    found = next(
        (name for name, row in type_words().items() if row.specific >= 1 and row.kinds[0] in kinds - VAGUE),
        None,
    )
    return Token(found, "type", token.start, token.end, {"is": found}) if found else None


VAGUE = frozenset({"plug", "switch", "cover", "climate", "media_player", "sensor"})
"""Kinds that say too little of what a thing is."""


def once(tokens: Sequence[Token]) -> list[Token]:
    """Each kind and each word once."""
    return list({t.text if t.kind != "type" else says(t): t for t in tokens}.values())


KEEPING = frozenset({"not", "keep", "never_mind"})


def text(tokens: Sequence[Token]) -> str:
    """The words as they were said."""
    return " ".join(t.text for t in tokens)


def types(orders: Sequence[Instruction]) -> list[Token]:
    """The kinds of things that orders are for."""
    return [t for one in orders for m in one.mentions for t in of_kinds(m, {"type"})]
