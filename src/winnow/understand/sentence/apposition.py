"""A set and the list of its members, said side by side.

``客厅的三盏灯，主灯、灯带和落地灯，全关掉``; ``两台都打开，主卧和次卧的``.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.sentence.mentions import kinds_of
from winnow.understand.sentence.pieces import Piece

NAMED = frozenset({"name", "nameword", "type", "room", "floor", "zone"})
_BESIDE = NAMED | {"filler", "mark", "conj", "quantifier", "number", "reference"}


def lists(run: Sequence[Piece]) -> bool:
    """Whether pieces only name things: no act, no word that tells more."""
    return all(p.slots.device_words and all(t.kind in _BESIDE for t in p.tokens) for p in run)


def is_set(mention: Sequence[Token]) -> bool:
    """Whether a mention may stand for several things: a kind, a place, words nobody knows; no name."""
    return all(t.kind in PLACE_KINDS | {"type", "word"} for t in mention)


def narrowed(whole: Sequence[Token], items: Sequence[Sequence[Token]]) -> list[list[Token]]:
    """The items as members of the set: of its kind, in its place unless they name their own.

    Never more than either of them says.
    """
    kinds = [t for t in whole if t.kind == "type"]
    places = [t for t in whole if t.kind in PLACE_KINDS]
    return [
        [
            *([] if any(t.kind in PLACE_KINDS for t in i) else places),
            *(k for k in kinds if k.text not in _texts(i)),
            *i,
        ]
        for i in items
    ]


def _texts(mention: Sequence[Token]) -> set[str]:
    return {t.text for t in mention}


def fits(whole: Sequence[Token], items: Sequence[Sequence[Token]]) -> bool:
    """Whether the items may be members of the set: ``电视，音箱都关了`` names two kinds."""
    kinds = set().union(*(kinds_of(t) for t in whole if t.kind == "type"))
    things = [[t for t in i if t.kind in DEVICE_KINDS] for i in items]
    return not kinds or "*" in kinds or all(not kinds_of(t) or kinds_of(t) & kinds for i in things for t in i)


def members(items: Sequence[Sequence[Token]]) -> bool:
    """Whether every item names a thing."""
    return bool(items) and all(any(t.kind in DEVICE_KINDS for t in i) for i in items)
