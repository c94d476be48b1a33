"""What is to stay, said right after an order: ``灯都关了台灯留着``, ``lights off leave the lamp on``."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import Token
from winnow.understand.sentence.kinds import TARGET_KINDS, says

_LEAVING = frozenset({"except", "negation"})
"""Kinds of words that leave something as it is."""
_SILENT = frozenset({"filler", "mark", "conj"})


def set_apart(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens with a comma before each clause that nobody set one before."""
    if _LEAVING.isdisjoint(t.kind for t in tokens):
        return tokens
    out: list[Token] = []
    for at, token in enumerate(tokens):
        if _begins_apart(tokens, at):
            out.append(Token(",", "mark", token.start, token.start, {"is": "weak"}))
        out.append(token)
    return out


def _begins_apart(tokens: Sequence[Token], at: int) -> bool:
    if tokens[at].text.isascii():
        return _keeps(tokens, at) and _ordered(_clause(tokens, at))
    named = tokens[at].kind in TARGET_KINDS
    return named and _is_left_out(tokens[at:]) and _ends_an_order(_clause(tokens, at))


def _clause(tokens: Sequence[Token], at: int) -> Sequence[Token]:
    """What was said since the last mark or conjunction."""
    start = max((n + 1 for n in range(at) if tokens[n].kind in {"mark", "conj"}), default=0)
    return tokens[start:at]


def _keeps(tokens: Sequence[Token], at: int) -> bool:
    """``leave the lamp``, after a thing or a particle."""
    keeps = tokens[at].kind == "except" and says(tokens[at]) == "keep"
    follows = next((t for t in tokens[at + 1 :] if t.kind not in _SILENT), None)
    closes = at > 0 and tokens[at - 1].kind in TARGET_KINDS | {"particle"}
    return keeps and closes and follows is not None and follows.kind in TARGET_KINDS


def _ordered(before: Sequence[Token]) -> bool:
    """Whether an act and what it is for were said."""
    kinds = {t.kind for t in before}
    return not kinds.isdisjoint({"verb", "particle"}) and not kinds.isdisjoint(TARGET_KINDS)


def _ends_an_order(before: Sequence[Token]) -> bool:
    """``灯关了``: the thing, then the act; what follows is no longer what the act is for."""
    said = [t for t in before if t.kind not in _SILENT]
    return bool(said) and said[-1].kind == "verb" and any(t.kind in TARGET_KINDS for t in said)


def _is_left_out(tokens: Sequence[Token]) -> bool:
    """Whether a thing is named and then left alone: ``台灯留着``, ``台灯不用关``, ``儿童房的除外``."""
    after = next((t for t in tokens if t.kind not in TARGET_KINDS | {"filler"}), None)
    if after is None:
        return False
    return (after.kind, says(after)) in {("except", "keep"), ("except", "post"), ("negation", "not")}
