"""A fuller query for retrieval: the words the conversation turns on, put behind what was asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import log1p

from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite, Span
from winnow.understand.rewrite.en.mentions import READ
from winnow.understand.rewrite.en.words import lists, tokens

ADDED = 3
"""Words that are added; more bring in what was said in passing (measured in docs/decisions)."""
FADING = {"user": 0.8, "assistant": 0.5}
"""What a turn counts for against the next one of the same speaker."""
_CLOSING = ".?! "


def fuller(rewritten: Rewrite, query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite:
    """``rewritten`` with the weightiest words of ``history`` that it lacks, in brackets before its closing mark."""
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
    fading = dict.fromkeys(FADING, 1.0)
    for turn in range(len(history) - 1, -1, -1):
        role = history[turn].role
        words = _content(history[turn].content)
        for low, (word, times) in words.items():
            weight[low] += fading[role] * log1p(times)
            place.setdefault(low, (word, turn))
        fading[role] *= FADING[role]
    best = sorted((low for low in weight if low not in said), key=lambda low: -weight[low])
    return [place[low] for low in best[:ADDED]]


def _content(text: str) -> dict[str, tuple[str, int]]:
    """Content words in lower case -> as written, how often."""
    found: dict[str, tuple[str, int]] = {}
    for token in tokens(text[:READ]):
        if (
            token.kind in {"word", "name"}
            and len(token.low) > 2
            and not token.low.endswith("ly")
            and token.low not in lists()["verbs"]
        ):
            found[token.low] = (token.text, found.get(token.low, ("", 0))[1] + 1)
    return found
