"""``make the house dark``: a state of a place that is wanted, not told of."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import DEVICE_KINDS, Token
from winnow.understand.words.kinds import serves


def is_to_be(before: Sequence[Token], after: Sequence[Token], *, things: bool, places: bool) -> bool:
    """Whether the state between ``before`` and ``after`` is ordered.

    ``things``, ``places``: whether any are named with it; of a thing it only tells what it is like.
    """
    if things or _is_told(before) or _leads_on(after):
        return False
    is_wanted = any(t.kind in {"verb", "light_verb"} or serves(t, "wanting") for t in before)
    return is_wanted or (places and not after and _is_all(before))


def _is_told(before: Sequence[Token]) -> bool:
    return any(t.kind in {"question", "statement", "condition"} or serves(t, "so_too") for t in before)


def _leads_on(after: Sequence[Token]) -> bool:
    """Whether it describes what follows: a thing, or a colour."""
    follows = next((t.kind for t in after if t.kind not in {"filler", "mark"}), "")
    return follows in DEVICE_KINDS | {"color", "mode"}


def _is_all(before: Sequence[Token]) -> bool:
    """Whether nothing but a place stands before it."""
    return all(t.kind in {"zone", "floor", "filler", "quantifier", "conj"} for t in before)
