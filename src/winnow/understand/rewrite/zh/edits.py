"""One change of a query, with the words of the history that it took."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.types.rewrite import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """The query after the change, what was copied, and which rule made it."""

    query: str
    spans: tuple[Span, ...]
    reason: str
    confidence: float = 1.0


def put(query: str, place: tuple[int, int], text: str, turn: int, reason: str) -> Edit:
    """``text``, which a turn said, in place of the characters from ``place[0]`` to ``place[1]``."""
    start, end = place
    span = Span(text, turn, start, query[start:end])
    return Edit(query[:start] + text + query[end:], (span,), reason)
