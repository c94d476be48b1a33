"""Chinese follow-ups."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite


def chinese(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite:
    """The query with what it left to the history; ``skipped`` turns before ``history`` were not read and count in ``Span.turn``."""
    del history, skipped
    return Rewrite(query, reason="complete")
