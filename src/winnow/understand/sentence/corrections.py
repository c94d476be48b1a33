"""Second thoughts within a sentence: what was withdrawn is dropped before anything is read."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.language.lexicon import surfaces
from winnow.types.query import DEVICE_KINDS, Token
from winnow.understand.sentence.slots import says

_IS = frozenset({"是", "就是", "it's", "it is"})
"""Words before what was meant."""


def latent(tokens: list[Token]) -> list[Token]:
    """A verb hidden at the end of a name: in ``大门锁上`` the lock is also the act."""
    out: list[Token] = []
    types = surfaces("type")
    for at, token in enumerate(tokens):
        rest = (
            types.get(token.text[:-1])
            if token.kind == "type" and "named" not in token.data and token.text.endswith("锁")
            else None
        )
        out.append(
            Token(token.text[:-1], "type", token.start, token.end - 1, {"is": rest}) if rest else token
        )
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if (
            token.text.endswith("锁")
            and token.kind in DEVICE_KINDS
            and after in {"上", "好", "住", "了"}
            and not any(t.kind == "verb" for t in tokens)
        ):
            out.append(Token("锁", "verb", token.end, token.end, {"is": "lock"}))
    return out


def corrected(tokens: list[Token]) -> list[Token]:
    """Keep what follows a correction; hand on the target or the act it does not repeat."""
    tokens = _replaced(tokens)
    cut = _correction_at(tokens)
    if cut is None:
        return tokens
    before, after = tokens[: cut[0]], _begun(tokens[cut[1] :])
    if not any(t.kind not in {"filler", "mark"} for t in after):
        return tokens
    if any(t.kind in {"condition", "except", "negation"} for t in before):
        return [*before, *after]  # what it hangs on is not withdrawn with the word
    has_target = any(t.kind in DEVICE_KINDS or t.kind == "word" for t in after)
    has_act = any(t.kind in {"verb", "step", "number", "color", "white", "mode", "particle"} for t in after)
    kept: list[Token] = []
    if not has_target:
        kept += [t for t in before if t.kind in DEVICE_KINDS or t.kind in {"room", "floor", "word"}]
    if not has_act:
        kept += [t for t in before if t.kind in {"verb", "step", "number"}]
    return [*kept, *after]


def _begun(after: list[Token]) -> list[Token]:
    """``不对，是落地灯``: the correction without what only leads up to it."""
    begin = next((n for n, t in enumerate(after) if t.kind != "mark" and t.text not in _IS), 0)
    return after[begin:]


def _replaced(tokens: list[Token]) -> list[Token]:
    """``不是书房灯，是台灯，关掉``: what it is not goes with the words that say so."""
    for at, token in enumerate(tokens):
        if token.kind != "correction" or says(token) != "not_that":
            continue
        mark = next((n for n in range(at + 1, len(tokens)) if tokens[n].kind == "mark"), None)
        if (
            mark is None
            or mark == at + 1
            or mark + 1 >= len(tokens)
            or tokens[mark + 1].text not in {"是", "而是"}
        ):
            continue
        if not any(t.kind in {"verb", "step", "question"} for t in tokens[at:mark]):
            return [*tokens[:at], *tokens[mark + 2 :]]
    return tokens


def _correction_at(tokens: list[Token]) -> tuple[int, int] | None:
    """(where the withdrawn part ends, where the correction begins)."""
    for at in range(len(tokens) - 1, -1, -1):
        token = tokens[at]
        if token.kind == "correction" and at and says(token) == "instead":
            return at, at + 1
        broken = (
            at and tokens[at - 1].kind == "mark" and at + 1 < len(tokens) and tokens[at + 1].kind == "mark"
        )
        withdrawn = (
            token.kind == "correction"
            or (token.kind == "negation" and says(token) == "never_mind")
            or token.text in {"不", "no"}
        )
        if broken and withdrawn and _orders(tokens[at + 1 :]):
            return at, at + 1
    return None


def _orders(tokens: Sequence[Token]) -> bool:
    """Whether a stretch holds an act and no negation."""
    kinds = {t.kind for t in tokens}
    return bool(kinds & {"verb", "step", "number", "particle"}) and "negation" not in kinds
