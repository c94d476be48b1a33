"""What a number is said for: how many things, which part of them, or when."""

from __future__ import annotations

from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.words.kinds import says, serves

VALUED = frozenset({"number", "extreme", "mode", "choice", "level", "color", "white"})
"""Kinds of words that say what something is to be set to."""


def is_a_share(tokens: list[Token], at: int) -> bool:
    """``half of the lamps``, ``half the lights``: how many, not how far."""
    return serves(tokens[at], "share") and plural_next(tokens, at)


def is_these(tokens: list[Token], at: int) -> bool:
    """``these two``: as many as are named after it."""
    return bool(at) and serves(tokens[at - 1], "these") and not any(t.kind in DEVICE_KINDS for t in tokens)


def plural_next(tokens: list[Token], at: int) -> bool:
    """Whether the next thing is one of many: ``both old lamps``."""
    after = next(
        (t for t in tokens[at + 1 :] if t.kind not in {"filler", "nameword", "word", *PLACE_KINDS}), None
    )
    return _is_plural(after)


def _is_plural(token: Token | None) -> bool:
    if token is None or token.kind not in DEVICE_KINDS:
        return False
    return token.kind == "group" or bool(token.data.get("plural"))


def counts(tokens: list[Token], at: int) -> bool:
    """``three lamps``: a number before things, which is not what they are to be set to."""
    before, after = tokens[:at], tokens[at + 1 :]
    if any(t.kind in {"to", "by", "step"} for t in before) or not (after and _are_several(tokens, at)):
        return False
    sets = any(t.kind == "verb" and says(t) == "set" for t in before)
    return not sets or any(t.kind in VALUED for t in after)


def _are_several(tokens: list[Token], at: int) -> bool:
    """Whether things in the plural, or a group, stand behind a number, with or without their place."""
    after = next((t for t in tokens[at + 1 :] if t.kind not in {"filler", "nameword", *PLACE_KINDS}), None)
    return _is_plural(after)


def is_label(tokens: list[Token], at: int, value: float) -> bool:
    """``lamp 2``: a small number right after a thing is part of its name, where nothing is to be set."""
    before = tokens[at - 1] if at else None
    if before is None or before.end < tokens[at].start - 1:
        return False
    setting = any(t.kind in {"to", "by", "step", "property"} for t in tokens)
    called = (
        before.kind in {"type", "name"} and before.text.isascii() and value in range(1, 11) and not setting
    )
    return before.kind == "nameword" or called


def before_things(tokens: list[Token], at: int) -> bool:
    """Whether a thing comes next, with or without its place."""
    after = next((t for t in tokens[at + 1 :] if t.kind not in PLACE_KINDS and not serves(t, "of")), None)
    return after is not None and after.kind in DEVICE_KINDS


def is_delay(tokens: list[Token], at: int) -> bool:
    """A duration that says when: ``十分钟后``, ``in 10 minutes``."""
    after = next((t for t in tokens[at + 1 :] if t.kind != "number"), None)
    if after is not None and after.kind == "timing":
        return True
    before = next((t for t in reversed(tokens[:at]) if t.kind != "number"), None)
    return before is not None and serves(before, "delays")
