"""Words that are spoken about and not meant.

Quotations, what others say, what somebody else is told to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.query import Token
from winnow.understand.words.kinds import says, serves

ACTS = frozenset({"verb", "step", "particle", "light_verb"})
PERSONS = frozenset({"word", "nameword"})


def reported(tokens: Sequence[Token]) -> bool:
    """Whether the only orders of a sentence are quoted, cited or addressed to somebody else."""
    return _cited(tokens) or _quoted(tokens) or _told_to_another(tokens) or _rhetorical(tokens)


def _rhetorical(tokens: Sequence[Token]) -> bool:
    """``不是已经开了吗``: says that it is so."""
    denied = next((at for at, t in enumerate(tokens) if serves(t, "is_it_not")), None)
    return denied is not None and any(serves(t, "asks_for_assent") for t in tokens[denied:])


def _quoted(tokens: Sequence[Token]) -> bool:
    """An order in quotation marks, whole or with other words around it."""
    if len(tokens) > 2 and all(t.kind == "mark" and says(t) == "quote" for t in (tokens[0], tokens[-1])):
        return True
    marks = [at for at, t in enumerate(tokens) if t.text == '"']
    if len(marks) < 2:
        return False
    inside = tokens[marks[0] + 1 : marks[-1]]
    outside = [t for t in (*tokens[: marks[0]], *tokens[marks[-1] + 1 :]) if t.kind not in {"filler", "mark"}]
    return any(t.kind in ACTS for t in inside) and bool(outside)


def _cited(tokens: Sequence[Token]) -> bool:
    """``the manual says: ...``: an order after a colon that words nobody here knows introduce."""
    for at, token in enumerate(tokens):
        if token.kind == "mark" and token.text == ":":
            head = [t for t in tokens[:at] if t.kind not in {"filler", "mark"}]
            return any(t.kind == "word" for t in head) and any(t.kind in ACTS for t in tokens[at:])
    return any(t.kind == "domain" and says(t) == "reported" for t in tokens)


def _told_to_another(tokens: Sequence[Token]) -> bool:
    """``tell Nora to turn off her lamp``."""
    for at, token in enumerate(tokens[:-2]):
        if serves(token, "tells") and tokens[at + 1].kind in PERSONS and serves(tokens[at + 2], "that"):
            return True
    return False
