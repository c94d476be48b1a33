"""Which way a query is made to stand alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from winnow.language.normalise import language_of
from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite

TURNS = 10
"""Earlier messages that are read (seed 002)."""
Style = Literal["plain", "retrieval"]


def rewrite(query: str, history: Sequence[Turn] = (), style: Style = "plain") -> Rewrite:
    """``query`` as it would be asked by somebody who was not there.

    Unchanged without history, when complete, or when nothing fits. ``retrieval`` also adds the words the
    conversation turns on, for a search and for nobody to read.
    """
    if not query.strip() or not any(turn.content.strip() for turn in history):
        return Rewrite(query, reason="no_history")
    recent, skipped = history[-TURNS:], max(0, len(history) - TURNS)
    if language_of(query) == "zh":
        from winnow.understand.rewrite.chinese import chinese  # its tables and their library take a while

        return chinese(query, recent, skipped)
    from winnow.understand.rewrite.english import english

    plain = english(query, recent, skipped)
    if style == "plain":
        return plain
    from winnow.understand.rewrite.en.context import fuller

    return fuller(plain, query, recent, skipped)
