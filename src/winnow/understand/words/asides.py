"""Words that ask in form only: what is complained of, and whether one agrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from winnow.language.little import little
from winnow.types.query import Token
from winnow.understand.words.kinds import serves

_HOW = {"is": "whether"}
_ACTS = frozenset({"verb", "step", "color", "white", "mode", "number"})


def without_asides(tokens: list[Token]) -> list[Token]:
    """The tokens with what asks for no fact as such."""
    if _SORTS.keys().isdisjoint(t.kind for t in tokens):
        return tokens
    return [_SORTS[t.kind](tokens, at) if t.kind in _SORTS else t for at, t in enumerate(tokens)]


def _agreed(tokens: Sequence[Token], at: int) -> Token:
    """``把灯打开好不好`` asks whether one agrees, ``空气好不好`` how it is."""
    ordered = any(t.kind in _ACTS for t in tokens[:at])
    token = tokens[at]
    return replace(token, kind="filler", data={}) if ordered else replace(token, kind="question", data=_HOW)


def _complained(tokens: Sequence[Token], at: int) -> Token:
    """``why is the fan still on`` wants no reason: it wants the fan off."""
    token = tokens[at]
    # ``still on``, ``still open``: the state something is left in
    complains = serves(token, "why") and any(
        " ".join(t.text for t in tokens[n:][:2] if t.kind != "mark") in little("left_so")
        for n in range(at, len(tokens))
    )
    return replace(token, kind="negation", data={"is": "why_still"}) if complains else token


_SORTS: dict[str, Callable[[Sequence[Token], int], Token]] = {"agreed": _agreed, "question": _complained}
