"""Words that take something out of a set, told apart from those that only contrast.

``every lamp but the owl``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import Token
from winnow.understand.sentence.slots import TARGET_KINDS, says

_ACTS = frozenset({"verb", "particle", "step"})
_SILENT = frozenset({"filler", "mark"})


def exempting(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, with each ``but`` that names an exception as one, ``or`` between exceptions as ``and``."""
    out = list(tokens)
    inside = False
    for at, token in enumerate(tokens):
        if token.kind == "conj" and token.text == "but" and _takes_away(tokens, at):
            out[at] = Token(token.text, "except", token.start, token.end, {"is": "pre"})
        inside = (
            says(out[at]) == "pre"
            if out[at].kind == "except"
            else inside and token.kind not in {*_ACTS, "mark"}
        )
        if inside and token.text in {"or", "nor"}:
            out[at] = replace(token, kind="conj")
    return out


def _takes_away(tokens: Sequence[Token], at: int) -> bool:
    """Whether ``but`` follows a set and names a thing of it that gets no act of its own."""
    before, after = _sentence(tokens, at)
    head = next((t for t in after if t.kind not in _SILENT), None)
    named = head is not None and (
        head.kind in TARGET_KINDS - {"word"} or head.kind in {"reference", "number"}
    )
    if not named or not _universal(before) or any(t.kind in {"negation", "except"} for t in before):
        return False
    stays = any(t.kind in {"except", "negation"} for t in after)
    return not stays and not (any(t.kind in _ACTS for t in before) and any(t.kind in _ACTS for t in after))


def _sentence(tokens: Sequence[Token], at: int) -> tuple[Sequence[Token], Sequence[Token]]:
    """What stands before a word in its sentence, and after it up to the next mark."""
    start = max(
        (n + 1 for n in range(at) if tokens[n].kind == "mark" and says(tokens[n]) == "strong"), default=0
    )
    end = next(
        (
            n
            for n in range(at + 1, len(tokens))
            if tokens[n].kind == "mark" and says(tokens[n]) in {"strong", "weak"}
        ),
        len(tokens),
    )
    return tokens[start:at], tokens[at + 1 : end]


def _universal(tokens: Sequence[Token]) -> bool:
    """Whether a stretch speaks of many: ``all``, ``every room``, ``the lights``."""
    return any(
        (t.kind == "quantifier" and says(t) == "all") or says(t) == "home" or t.data.get("plural")
        for t in tokens
    )
