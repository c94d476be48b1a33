"""A fuller query for retrieval: the words the conversation turns on, put behind what was asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log1p

from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite, Span
from winnow.understand.rewrite.en.mentions import READ
from winnow.understand.rewrite.en.words import Token, lists, tokens

ADDED = 3
"""Words that are added; more bring in what was said in passing (measured in docs/decisions)."""
FADING = {"user": 0.8, "assistant": 0.5}
"""What a turn counts for against the next one of the same speaker."""
_CLOSING = ".?! "


def fuller(rewritten: Rewrite, query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite:
    """``rewritten`` with the weightiest words of ``history`` that it lacks.

    They stand in brackets before its closing mark.
    """
    words = _weightiest(history, {t.low for t in tokens(rewritten.query)})
    if not words:
        return rewritten
    body = rewritten.query.rstrip(_CLOSING)
    text = f"{body} ({', '.join(word for word, _ in words)}){rewritten.query[len(body) :].rstrip()}"
    spans = tuple(Span(word, turn + skipped, len(query)) for word, turn in words)
    reason = f"{rewritten.reason}+context" if rewritten.changed else "context"
    return replace(rewritten, query=text, changed=True, spans=rewritten.spans + spans, reason=reason)


def _weightiest(history: Sequence[Turn], said: set[str]) -> list[tuple[str, int]]:
    """Words with the turn they were said in last, weightiest first: often, lately, by either speaker."""
    weight: dict[str, float] = defaultdict(float)
    place: dict[str, tuple[str, int]] = {}
    for turn, counts in _faded(history):
        for low, (word, times) in _content(history[turn].content).items():
            weight[low] += counts * log1p(times)
            place.setdefault(low, (word, turn))
    best = sorted((low for low in weight if low not in said), key=lambda low: -weight[low])
    return [place[low] for low in best[:ADDED]]


def _faded(history: Sequence[Turn]) -> Iterator[tuple[int, float]]:
    """Turns by number, latest first, and what a word of each counts for."""
    counts = dict.fromkeys(FADING, 1.0)
    for turn in reversed(range(len(history))):
        role = history[turn].role
        yield turn, counts[role]
        counts[role] *= FADING[role]


def _content(text: str) -> dict[str, tuple[str, int]]:
    """Content words in lower case -> as written, how often."""
    found: dict[str, tuple[str, int]] = {}
    for token in tokens(text[:READ]):
        if _says_what(token):
            found[token.low] = (token.text, found.get(token.low, ("", 0))[1] + 1)
    return found


def _says_what(token: Token) -> bool:
    """A noun, a name or an adjective, as far as its form tells."""
    if token.kind not in {"word", "name"} or len(token.low) < 3:
        return False
    return not token.low.endswith("ly") and token.low not in lists()["verbs"]
