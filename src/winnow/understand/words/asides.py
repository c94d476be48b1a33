"""Words beside the order: how the listener is spoken to, and what the speaker tells of themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from winnow.types.query import Token
from winnow.understand.words.kinds import says

_SPEAKERS = ("我", "咱", "俺")
_TOLD = frozenset({"了", "啦", "咯", "喽"})
"""What ends a sentence that tells something."""
_WAITING = frozenset({"就", "再", "才", "那就", "时", "后", "之后", "以后", "前", "之前", "以前"})
"""Words that make of what happens the time of an act: ``我到家了再开``."""
_HOW = {"is": "whether"}
_ACTS = frozenset({"verb", "step", "color", "white", "mode", "number"})
_SILENT = frozenset({"filler", "mark", "address", "conj"})


def without_asides(tokens: list[Token]) -> list[Token]:
    """The tokens with what is said beside the order as such."""
    if _SORTS.keys().isdisjoint(t.kind for t in tokens):
        return tokens
    return [_SORTS[t.kind](tokens, at) if t.kind in _SORTS else t for at, t in enumerate(tokens)]


def _addressed(tokens: Sequence[Token], at: int) -> Token:
    """``love`` at an end of the sentence is who is spoken to, anywhere else a word like others."""
    token = tokens[at]
    ends = any(all(t.kind in _SILENT for t in side) for side in (tokens[:at], tokens[at + 1 :]))
    return replace(token, kind="filler" if ends and len(tokens) > 1 else "word", data={})


def _agreed(tokens: Sequence[Token], at: int) -> Token:
    """``把灯打开好不好`` asks whether one agrees, ``空气好不好`` how it is."""
    ordered = any(t.kind in _ACTS for t in tokens[:at])
    token = tokens[at]
    return replace(token, kind="filler", data={}) if ordered else replace(token, kind="question", data=_HOW)


def _told(tokens: Sequence[Token], at: int) -> Token:
    """``我到家了，撤防``: what the speaker has done or is about to do is no time to wait for."""
    token = tokens[at]
    if says(token) != "event" or not _is_mine(tokens, at) or any(map(_waits, tokens)):
        return token
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return replace(token, kind="comment") if after in _TOLD else token


def _is_mine(tokens: Sequence[Token], at: int) -> bool:
    """Whether the speaker does it."""
    return any(t.text.startswith(_SPEAKERS) for t in _silent_before(tokens, at))


def _waits(token: Token) -> bool:
    return token.kind == "condition" or token.text in _WAITING


def _complained(tokens: Sequence[Token], at: int) -> Token:
    """``why is the fan still on`` wants no reason: it wants the fan off."""
    token = tokens[at]
    still = (t.text.startswith("still") and _stands(tokens[n:]) for n, t in enumerate(tokens[at:], at))
    complains = token.text == "why" and any(still)
    return replace(token, kind="negation", data={"is": "why_still"}) if complains else token


def _stands(tokens: Sequence[Token]) -> bool:
    """``still on``, ``still open``: the state something is left in."""
    return " ".join(t.text for t in tokens[:2] if t.kind != "mark") in _LEFT


def _silent_before(tokens: Sequence[Token], at: int) -> Iterator[Token]:
    """The silent words right before a word, the nearest first."""
    return takewhile(lambda t: t.kind == "filler", reversed(tokens[:at]))


_LEFT = frozenset(f"still {state}" for state in ("on", "off", "open", "running", "playing", "going"))
"""States that whoever complains of them wants undone."""
_SORTS: dict[str, Callable[[Sequence[Token], int], Token]] = {
    "address": _addressed,
    "agreed": _agreed,
    "question": _complained,
    "timing": _told,
}
