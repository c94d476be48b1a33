"""Verbs that stand apart: ``roll the awning out``, ``send the robot home``, ``plug the kettle in``."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.language.lexicon import surfaces
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token

_BETWEEN = DEVICE_KINDS | PLACE_KINDS | {"filler", "reference", "word"}
_FIRST = frozenset({"word", "filler", "type", "property"})
"""What the first half of such a verb may have been taken for: alone it is none."""
_SILENT = frozenset({"filler", "mark", "conj", "confirm"})


def rejoined(tokens: list[Token]) -> list[Token]:
    """The tokens with the two halves of a verb put together where the first stands."""
    for at, token in enumerate(tokens):
        begins = (
            token.kind in _FIRST
            and token.text.isascii()
            and all(t.kind in _SILENT for t in _clause(tokens, at))
        )
        last = _other_half(tokens, at) if begins else None
        if last is not None:
            text = f"{token.text} {tokens[last].text}"
            verb = Token(text, "verb", token.start, token.end, {"is": surfaces("verb")[text]})
            return [*tokens[:at], verb, *tokens[at + 1 : last], *rejoined(tokens[last + 1 :])]
    return tokens


def _clause(tokens: Sequence[Token], at: int) -> Sequence[Token]:
    """What stands before a word in its clause."""
    start = max((n + 1 for n in range(at) if tokens[n].kind in {"mark", "conj"}), default=0)
    return tokens[start:at]


def _other_half(tokens: Sequence[Token], at: int) -> int | None:
    """Where the verb that begins at ``at`` ends, after the thing it is for, at the end of its clause."""
    for n in range(at + 1, len(tokens)):
        closes = n + 1 == len(tokens) or tokens[n + 1].kind in _SILENT
        named = any(t.kind in DEVICE_KINDS or t.kind == "reference" for t in tokens[at + 1 : n])
        if named and closes and f"{tokens[at].text} {tokens[n].text}" in surfaces("verb"):
            return n
        if tokens[n].kind not in _BETWEEN:
            return None
    return None
