"""Words that are spoken about and not meant.

Quotations, what others say, what somebody else is told to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import Token
from winnow.understand.words.kinds import says, serves

ACTS = frozenset({"verb", "step", "particle", "light_verb", "number"})
PERSONS = frozenset({"word", "nameword"})


def reported(tokens: Sequence[Token]) -> bool:
    """Whether the only orders of a sentence are quoted, cited or addressed to somebody else."""
    if _cited(tokens) or _quoted(tokens) or _told_to_another(tokens):
        return True
    denied = next((at for at, t in enumerate(tokens) if serves(t, "is_it_not")), None)
    return denied is not None and any(serves(t, "asks_for_assent") for t in tokens[denied:])


_DOUBLE, _SINGLE = frozenset('"“”「」《》'), frozenset("'")


def _quoted(tokens: Sequence[Token]) -> bool:
    """An order in quotation marks, whole or with other words around it."""
    if len(tokens) > 2 and _is_quote(tokens[0]) and _is_quote(tokens[-1]):
        return True
    begin = next((at for at in range(len(tokens)) if _opens(tokens, at)), len(tokens))
    end = max((at for at, t in enumerate(tokens) if _is_quote(t)), default=begin)
    if end <= begin:
        return False
    return _acts(tokens[begin + 1 : end]) and any(map(_is_said, (*tokens[:begin], *tokens[end + 1 :])))


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """A quotation mark that stands apart from what is before it; one inside a word is none."""
    apart = at == 0 or tokens[at - 1].end < tokens[at].start
    return tokens[at].text in _DOUBLE or (tokens[at].text in _SINGLE and apart)


def _is_quote(token: Token) -> bool:
    return token.kind == "mark" and says(token) == "quote"


def _is_said(token: Token) -> bool:
    return token.kind not in {"filler", "mark"}


def _acts(tokens: Sequence[Token]) -> bool:
    return any(t.kind in ACTS for t in tokens)


def _cited(tokens: Sequence[Token]) -> bool:
    """``the manual says: ...``: an order after a colon that words nobody here knows introduce."""
    at = next((at for at, t in enumerate(tokens) if t.kind == "mark" and t.text == ":"), None)
    if at is None:
        return any(t.kind == "domain" and says(t) == "reported" for t in tokens)
    return any(t.kind == "word" for t in tokens[:at]) and _acts(tokens[at:])


def _told_to_another(tokens: Sequence[Token]) -> bool:
    """``tell Nora to turn off her lamp``."""
    for at, token in enumerate(tokens[:-2]):
        if serves(token, "tells") and tokens[at + 1].kind in PERSONS and serves(tokens[at + 2], "that"):
            return True
    return False
