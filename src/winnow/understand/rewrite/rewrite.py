"""Which way a query is made to stand alone."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.text.normalise import language_of
from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite
from winnow.understand.rewrite.chinese import chinese
from winnow.understand.rewrite.english import english

TURNS = 10
"""Earlier messages that are read (seed 002)."""


def rewrite(query: str, history: Sequence[Turn] = ()) -> Rewrite:
    """``query`` as it would be asked by somebody who was not there: unchanged without history, when complete, or when nothing fits."""
    if not query.strip() or not any(turn.content.strip() for turn in history):
        return Rewrite(query, reason="no_history")
    recent, skipped = history[-TURNS:], max(0, len(history) - TURNS)
    return chinese(query, recent, skipped) if language_of(query) == "zh" else english(query, recent, skipped)
